"use strict";
(() => {
  const announcer = document.getElementById("announcer");

  // Sorting. Rows stay in their section, means stay last, empty cells come after filled ones. The first click starts with
  // the highest number or the first text, the second reverses the order, the third restores the paper's order.
  const NUMBER = /^[<>~]?([+-]?(?:\d{1,3}(?:,\d{3})+|\d*)(?:\.\d+)?(?:e[+-]?\d+)?)(?![\w.])/;
  const textOf = (cell) => [...cell.childNodes].filter((node) => node.nodeName !== "SUP" && node.className !== "tail")
    .map((node) => node.textContent).join("").replaceAll("−", "-").trim();
  const numberOf = (text) => {
    const found = NUMBER.exec(text);
    return found && /\d/.test(found[1]) ? Number(found[1].replaceAll(",", "")) : NaN;
  };
  const rowsOf = (body) => [...body.rows].filter((row) => !row.matches(".section, .summary"));
  const isNumeric = (table, column) => {
    const texts = [...table.tBodies].flatMap((body) => rowsOf(body).map((row) => textOf(row.cells[column]))).filter(Boolean);
    return texts.length > 0 && texts.every((text) => !Number.isNaN(numberOf(text)));
  };

  const sortBy = (table, header, column) => {
    const numeric = isNumeric(table, column);
    const order = numeric ? ["descending", "ascending", "none"] : ["ascending", "descending", "none"];
    const next = order[(order.indexOf(header.getAttribute("aria-sort")) + 1) % 3];
    for (const other of table.tHead.querySelectorAll("[aria-sort]")) other.setAttribute("aria-sort", "none");
    header.setAttribute("aria-sort", next);
    const sign = next === "ascending" ? 1 : -1;
    for (const body of table.tBodies) {
      const keyed = rowsOf(body).map((row) => ({ row, place: Number(row.dataset.place), text: textOf(row.cells[column]) }));
      keyed.sort((a, b) => {
        if (next === "none") return a.place - b.place;
        if (!a.text || !b.text) return !a.text - !b.text || a.place - b.place;
        const difference = numeric ? numberOf(a.text) - numberOf(b.text)
          : a.text.localeCompare(b.text, "en", { numeric: true });
        return sign * difference || a.place - b.place;
      });
      const last = body.querySelector("tr.summary");
      for (const { row } of keyed) body.insertBefore(row, last);
    }
    const name = header.textContent.trim() || "the first column";
    announcer.textContent = next === "none" ? "Order as in the paper" : `Sorted by ${name}, ${next}`;
  };

  const leafHeaders = (table) => {
    const stub = table.tHead.querySelector("th.stub");
    return [stub, ...[...table.tHead.rows[table.tHead.rows.length - 1].cells].filter((cell) => cell !== stub)];
  };

  for (const table of document.querySelectorAll("table:not(.prose, .sentences, .tally)")) {
    if (table.querySelectorAll("tbody tr:not(.section)").length < 2) continue;
    for (const body of table.tBodies) [...body.rows].forEach((row, place) => { row.dataset.place = place; });
    leafHeaders(table).forEach((header, column) => {
      if (header.matches(".plot")) return;
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      header.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sortBy(table, header, column));
    });
  }

  // Tables with many groups of columns can show one group at a time.
  const MANY_GROUPS = 5;
  for (const table of document.querySelectorAll("table")) {
    const groups = [...table.tHead.rows[0].cells].slice(1);
    if (table.tHead.rows.length < 2 || groups.length < MANY_GROUPS) continue;
    const select = document.createElement("select");
    select.id = `${table.id}-columns`;
    select.add(new Option("all", ""));
    let start = 1;
    for (const cell of groups) {
      select.add(new Option(cell.textContent.trim() || "others", `${start}-${start + cell.colSpan - 1}`));
      start += cell.colSpan;
    }
    select.addEventListener("change", () => {
      const [first, last] = select.value ? select.value.split("-").map(Number) : [1, Infinity];
      const hide = (cell, column) => { cell.hidden = column > 0 && (column < first || column > last); };
      for (const row of table.querySelectorAll("tbody tr:not(.section)")) [...row.cells].forEach(hide);
      leafHeaders(table).forEach(hide);
      let column = 1;
      for (const cell of groups) {
        hide(cell, column);
        column += cell.colSpan;
      }
      announcer.textContent = `Columns: ${select.selectedOptions[0].textContent}`;
    });
    const chooser = document.createElement("p");
    chooser.className = "chooser";
    const label = document.createElement("label");
    label.append("Columns ", select);
    chooser.append(label);
    table.closest(".scroll").before(chooser);
  }

  // The second line of headings sticks below the first.
  const measure = () => {
    for (const table of document.querySelectorAll("table")) {
      const row = table.tHead && table.tHead.rows.length > 1 && table.tHead.rows[0].querySelector("[scope=colgroup]");
      if (row && row.offsetHeight) table.style.setProperty("--first-row", `${row.offsetHeight}px`);
    }
  };

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
