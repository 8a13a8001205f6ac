"""Write tables and figures: csv, Markdown, LaTeX and HTML (:mod:`sentrep.tables.html`) of one table, svg and pdf.

The renderers are our own because no library serves all formats. great_tables 1.1.0 has no Markdown, refuses footnotes
in LaTeX (NotImplementedError) and ignores bold cells there. The Styler of pandas writes HTML and LaTeX but no Markdown,
and has neither footnotes nor sections of rows. With either, Markdown and LaTeX would still be written here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from pathlib import Path

import pandas as pd

from sentrep.io.csv_files import write_csv
from sentrep.io.files import atomic_file
from sentrep.sources.published import OURS
from sentrep.tables.build import build_frame, build_table
from sentrep.tables.html import page
from sentrep.tables.layout import Cell, Table
from sentrep.tables.values import Value, Values
from sentrep.tables.views import TableView, read_views


def markdown(table: Table) -> str:
    """Return the table in GitHub's Markdown; group and column headings share its one heading line."""
    headings = [f"{group}<br>{name}" if group else name for group, names in table.groups for name in names]
    lines = [
        f"**{_md(table.full_title)}**",
        "",
        _md_line([_md(table.stub), *map(_md_heading, headings)]),
        _md_line(["---", *_md_sides(table, len(headings))]),
    ]
    for section in table.sections:
        if section.heading:
            lines.append(_md_line([f"**{_md(section.heading)}**", *[""] * len(headings)]))
        lines += [_md_line([_md_cell(table, cell) for cell in (row.heading, *row.cells)]) for row in section.rows]
    lines.append("")
    lines += [f"<sup>{letter}</sup> {_md(note)}  " for note, letter in table.letters.items()]
    lines += [f"{_md(note)}  " for note in table.full_notes]
    return "\n".join(lines) + "\n"


def _md_sides(table: Table, columns: int) -> list[str]:
    """Return on which side the columns of cells are aligned: numbers on the right, sentences on the left."""
    return [":--" if table.sentences or (table.prose and not place) else "--:" for place in range(columns)]


def _md(text: str) -> str:
    return re.sub(r"([\\`*_<>|#])", r"\\\1", text)


def _md_heading(text: str) -> str:
    return "<br>".join(_md(part) for part in text.split("<br>"))


def _md_line(cells: list[str]) -> str:
    return "| " + " | ".join(cells) + " |"


def _md_cell(table: Table, cell: Cell) -> str:
    text = f"**{_md(cell.text)}**" if cell.bold and cell.text else _md(cell.text)
    letter = f"<sup>{table.letters[cell.note]}</sup>" if cell.note else ""
    return " ".join(part for part in (f"{text}{cell.mark}{letter}", _md(cell.tail)) if part)


_TEX = {
    "\\": r"\textbackslash{}",
    "&": r"\&",
    "%": r"\%",
    "$": r"\$",
    "#": r"\#",
    "_": r"\_",
    "{": r"\{",
    "}": r"\}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "†": r"$^{\dagger}$",
    "‡": r"$^{\ddagger}$",
    "ρ": r"$\rho$",
    "±": r"$\pm$",
    "−": r"$-$",
    "×": r"$\times$",
    "–": "--",
    "’": "'",
}


def latex(table: Table) -> str:
    """Return a ``table*`` environment; it needs the packages booktabs and graphicx."""
    width = sum(len(names) for _, names in table.groups)
    first = r">{\raggedright\arraybackslash}p{1.1\textwidth}" if table.prose else "r"
    lines = [
        r"% needs \usepackage{booktabs} and \usepackage{graphicx}",
        *([r"% and \usepackage{array}; sentences hold any character: use LuaLaTeX or XeLaTeX"] if table.prose else []),
        r"\begin{table*}",
        r"\centering",
        rf"\caption{{{_tex(table.full_title)}}}",
        r"\resizebox{\ifdim\width>\textwidth\textwidth\else\width\fi}{!}{%",
        rf"\begin{{tabular}}{{l{first}{'r' * (width - 1)}}}",
        r"\toprule",
    ]
    if any(group for group, _ in table.groups):
        lines += _tex_groups(table)
    names = [name for _, group in table.groups for name in group]
    lines += [_tex_line([_tex(text) for text in (table.stub, *names)]), r"\midrule"]
    for position, section in enumerate(table.sections):
        if position:
            lines.append(r"\addlinespace")
        if section.heading:
            span = r"p{1.4\textwidth}" if table.prose else "l"
            lines.append(rf"\multicolumn{{{width + 1}}}{{{span}}}{{\textit{{{_tex(section.heading)}}}}} \\")
        for row in section.rows:
            lines.append(_tex_line([_tex_cell(table, cell) for cell in (row.heading, *row.cells)]))
    lines += [r"\bottomrule", r"\end{tabular}}", r"\par\smallskip\footnotesize\raggedright"]
    lines += [rf"$^{{\mathrm{{{letter}}}}}$ {_tex(note)}\par" for note, letter in table.letters.items()]
    lines += [rf"{_tex(note)}\par" for note in table.full_notes]
    lines.append(r"\end{table*}")
    return "\n".join(lines) + "\n"


def _tex(text: str) -> str:
    return "".join(_TEX.get(character, character) for character in text)


def _tex_line(cells: list[str]) -> str:
    return " & ".join(cells) + r" \\"


def _tex_groups(table: Table) -> list[str]:
    cells, rules, column = [""], [], 2
    for group, names in table.groups:
        last = column + len(names) - 1
        cells.append(rf"\multicolumn{{{len(names)}}}{{c}}{{{_tex(group)}}}")
        if group:
            rules.append(rf"\cmidrule(lr){{{column}-{last}}}")
        column = last + 1
    return [_tex_line(cells), " ".join(rules)]


def _tex_cell(table: Table, cell: Cell) -> str:
    # a hyphen before a point is a minus sign
    text = re.sub(r"(^|\s)-(?=\.?\d)", r"\1$-$", _tex(cell.text))
    text = rf"\textbf{{{text}}}" if cell.bold and text else text
    letter = rf"$^{{\mathrm{{{table.letters[cell.note]}}}}}$" if cell.note else ""
    tail = re.sub(r"\(-(?=\.?\d)", "($-$", _tex(cell.tail))
    return " ".join(part for part in (f"{text}{_tex(cell.mark)}{letter}", tail) if part)


RENDERERS: dict[str, Callable[[Table], str]] = {"md": markdown, "tex": latex, "html": page}


def write_table(table: Table, frame: pd.DataFrame, outputs: Mapping[str, str | Path]) -> None:
    """Write a table in every format asked for.

    Args:
        table: the table as shown.
        frame: the content of the csv file.
        outputs: path by format: "csv", "md", "tex", "html".
    """
    for kind, path in outputs.items():
        if kind == "csv":
            write_csv(path, frame)
        else:
            with atomic_file(path) as temporary:
                temporary.write_text(RENDERERS[kind](table), encoding="utf-8")


def write_item(name: str, values: Sequence[Value], outputs: Mapping[str, Path]) -> None:
    """Write a declared table or figure in every format asked for.

    Args:
        name: name of its declaration, ``<paper>/<item>``.
        values: values of its item.
        outputs: path by format: "csv", "md", "tex", "html" of tables; "csv", "svg", "pdf" of figures.
    """
    view = read_views().view(name)
    if isinstance(view, TableView):
        write_table(build_table(view, values), build_frame(view.csv, values), outputs)
        return
    module, function = view.kind.split(".")
    draw = getattr(import_module(f"sentrep.tables.{module}"), function)
    sample = any(value.metric == "sample" and value.text == "True" for value in values)
    draw(view, values, {kind: path for kind, path in outputs.items() if kind != "csv"}, sample)
    if "csv" in outputs:
        write_csv(outputs["csv"], build_frame(view.csv, values))


def render_folder(folder: str | Path) -> list[str]:
    """Write the declared tables and figures of a folder again, from its ``values.csv``.

    Args:
        folder: a published folder; tables are written as csv, Markdown and HTML, figures as csv and svg.

    Returns:
        The names of what was written: tables and figures of which the folder has values.

    Raises:
        SentrepError: the folder has no ``values.csv``.
    """
    folder, views = Path(folder), read_views()
    by_item: dict[str, list[Value]] = {}
    for value in Values.read(folder / "values.csv").rows():
        by_item.setdefault(f"{value.paper}/{value.item}", []).append(value)
    written = []
    for name in (*views.tables, *views.figures):
        if (item := views.item(name)) in by_item:
            stem = name.removeprefix(f"{OURS}/")
            kinds = ("csv", "md", "html") if name in views.tables else ("csv", "svg")
            write_item(name, by_item[item], {kind: folder / f"{stem}.{kind}" for kind in kinds})
            written.append(stem)
    return written
