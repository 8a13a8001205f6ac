"use strict";
(() => {
  const announcer = document.getElementById("announcer");

  // Sort the rows of a table by a column. Rows stay in their section, means stay last, and empty cells follow filled
  // ones. The first click puts the highest number or the first text at the top, the second click reverses the order,
  // and the third click restores the original order.
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

  for (const table of document.querySelectorAll("table:not(.prose, .sentences)")) {
    const names = [...table.tBodies].flatMap((body) => rowsOf(body).map((row) => textOf(row.cells[0])));
    // A row without a name, such as a difference, belongs to the row above it, so such a table cannot be sorted.
    if (names.length < 2 || names.includes("")) continue;
    for (const body of table.tBodies) [...body.rows].forEach((row, place) => { row.dataset.place = place; });
    leafHeaders(table).forEach((header, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.append(...header.childNodes);
      header.append(button);
      header.setAttribute("aria-sort", "none");
      button.addEventListener("click", () => sortBy(table, header, column));
    });
  }

  // Expand the collapsed sections that contain the target of a link.
  const unfold = () => {
    const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    for (let part = target?.closest("details"); part; part = part.parentElement.closest("details")) part.open = true;
    target?.scrollIntoView();
  };
  window.addEventListener("hashchange", unfold);
  if (location.hash) unfold();

  // Mark the current section in the contents, which are collapsed at first on a narrow screen.
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
})();
