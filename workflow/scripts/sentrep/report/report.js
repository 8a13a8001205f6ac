"use strict";
(() => {
  const announcer = document.getElementById("announcer");

  // Sorting. Lines stay under their heading; means stay last; empty cells come after filled ones. Two clicks turn the
  // order round, the third brings the paper's back.
  const compare = (numeric, sign) => (a, b) => {
    const one = a.key, other = b.key;
    if (one === "" || other === "") return (one === "") - (other === "") || a.place - b.place;
    const order = numeric ? Number(one) - Number(other) : one.localeCompare(other, "en", { numeric: true });
    return sign * order || a.place - b.place;
  };

  const sortBy = (table, header, column) => {
    const numeric = header.dataset.type === "number";
    const first = numeric ? "descending" : "ascending";
    const second = numeric ? "ascending" : "descending";
    const now = header.getAttribute("aria-sort");
    const next = now === first ? second : now === second ? "none" : first;
    for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", next);
    for (const body of table.tBodies) {
      const lines = [...body.rows].filter((row) => !row.matches(".section, .summary"));
      const keyed = lines.map((row) => ({
        row, place: Number(row.dataset.place), key: row.cells[column].dataset.sort ?? "",
      }));
      keyed.sort(next === "none" ? (a, b) => a.place - b.place
        : compare(numeric, next === "ascending" ? 1 : -1));
      const last = body.querySelector("tr.summary");
      for (const { row } of keyed) body.insertBefore(row, last);
    }
    const name = header.textContent.trim() || "the first column";
    announcer.textContent = next === "none" ? "Order as printed" : `Sorted by ${name}, ${next}`;
  };

  for (const table of document.querySelectorAll("table.sortable")) {
    for (const body of table.tBodies) [...body.rows].forEach((row, place) => { row.dataset.place = place; });
    const stub = table.tHead.querySelector("th.stub");
    const others = [...table.tHead.rows[table.tHead.rows.length - 1].cells].filter((cell) => cell !== stub);
    [stub, ...others].forEach((header, column) => {
      if (!header.dataset.type) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      header.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sortBy(table, header, column));
    });
  }

  // The second line of headings sticks below the first.
  const measure = () => {
    for (const table of document.querySelectorAll("table")) {
      const row = table.tHead && table.tHead.rows.length > 1 && table.tHead.rows[0].querySelector("[scope=colgroup]");
      if (row && row.offsetHeight) table.style.setProperty("--first-row", `${row.offsetHeight}px`);
    }
  };

  // One group of columns at a time.
  for (const chooser of document.querySelectorAll(".chooser")) {
    chooser.hidden = false;
    const select = chooser.querySelector("select");
    const table = document.getElementById(select.dataset.table);
    select.addEventListener("change", () => {
      const [first, last] = select.value ? select.value.split("-").map(Number) : [1, Infinity];
      const seen = (column) => column === 0 || (column >= first && column <= last);
      for (const row of table.querySelectorAll("tbody tr:not(.section)")) {
        [...row.cells].forEach((cell, column) => { cell.hidden = !seen(column); });
      }
      let column = 1;
      for (const cell of table.tHead.rows[0].cells) {
        if (cell.classList.contains("stub")) continue;
        cell.hidden = !seen(column);
        column += cell.colSpan;
      }
      [...table.tHead.rows[table.tHead.rows.length - 1].cells].forEach((cell, place) => {
        cell.hidden = !seen(place + 1);
      });
      announcer.textContent = `Columns: ${select.selectedOptions[0].textContent}`;
    });
  }

  // Claims by verdict and paper.
  const form = document.querySelector(".filters");
  if (form) {
    form.hidden = false;
    form.addEventListener("submit", (event) => event.preventDefault());
    const apply = () => {
      const chosen = new FormData(form);
      const [verdict, paper] = [chosen.get("verdict"), chosen.get("paper")];
      let shown = 0;
      for (const group of document.querySelectorAll("#claims .claims-of")) {
        let any = false;
        for (const claim of group.querySelectorAll(".claim")) {
          claim.hidden = Boolean((verdict && claim.dataset.verdict !== verdict)
            || (paper && claim.dataset.paper !== paper));
          any ||= !claim.hidden;
          shown += !claim.hidden;
        }
        group.hidden = !any;
      }
      form.querySelector("output").textContent = `${shown} shown`;
    };
    form.addEventListener("change", apply);
    // A link to a claim that is filtered out shows it.
    window.addEventListener("hashchange", () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      if (target && target.closest("[hidden]")) {
        form.reset();
        apply();
        target.scrollIntoView();
      }
    });
    apply();
  }

  // A drawing that had to be made much smaller can be seen in its own size.
  const drawings = [...document.querySelectorAll(".drawing")];
  const offer = () => {
    for (const drawing of drawings) {
      const svg = drawing.querySelector("svg");
      const own = svg.viewBox.baseVal.width;
      let button = drawing.parentElement.querySelector("button.size");
      const small = drawing.clientWidth > 0 && drawing.clientWidth < 0.8 * own;
      if (!button && small) {
        button = document.createElement("button");
        button.type = "button";
        button.className = "size";
        button.setAttribute("aria-pressed", "false");
        button.textContent = "Full size";
        button.addEventListener("click", () => {
          const full = drawing.classList.toggle("full");
          button.setAttribute("aria-pressed", String(full));
          if (full) drawing.tabIndex = 0; else drawing.removeAttribute("tabindex");
        });
        drawing.after(button);
      }
      if (button) button.hidden = !small && !drawing.classList.contains("full");
    }
  };

  // Where the reader is, in the contents; on a narrow screen these begin closed.
  const contents = document.querySelector(".contents");
  const narrow = window.matchMedia("(max-width: 60rem)");
  const fold = () => { contents.open = !narrow.matches; };
  narrow.addEventListener("change", fold);
  fold();
  const links = new Map([...contents.querySelectorAll("a")].map((link) => [link.hash.slice(1), link]));
  if ("IntersectionObserver" in window) {
    const observer = new IntersectionObserver((entries) => {
      for (const entry of entries) {
        const link = links.get(entry.target.id);
        if (link && entry.isIntersecting) {
          for (const other of links.values()) other.removeAttribute("aria-current");
          link.setAttribute("aria-current", "true");
        }
      }
    }, { rootMargin: "0px 0px -70% 0px" });
    for (const id of links.keys()) observer.observe(document.getElementById(id));
  }
  contents.addEventListener("click", (event) => {
    if (narrow.matches && event.target.closest("a")) contents.open = false;
  });

  window.addEventListener("resize", () => { measure(); offer(); });
  document.addEventListener("toggle", () => { measure(); offer(); }, true);
  measure();
  offer();
})();
