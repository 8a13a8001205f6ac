"""What a table looks like in Markdown, LaTeX and HTML."""

from __future__ import annotations

import html
import re
from collections.abc import Callable

from sentrep.tables.layout import Cell, Row, Table


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


# Colours follow the reader's light or dark setting; on a narrow screen the table scrolls, its first column
# stays.
_STYLE = """
:root { color-scheme: light dark; --line: #8886; --soft: #8881; }
body { font: 15px/1.45 system-ui, sans-serif; margin: 1rem; background: Canvas; color: CanvasText; }
.scroll { overflow-x: auto; max-width: 100%; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
caption { text-align: left; font-weight: 600; padding-bottom: .6rem; }
caption span { position: sticky; left: 0; display: inline-block; max-width: calc(100vw - 2rem); }
th, td { padding: .22rem .6rem; white-space: nowrap; text-align: right; }
th[scope=row], th.stub { text-align: left; position: sticky; left: 0; background: Canvas; }
th[scope=row] { font-weight: normal; }
thead th { border-bottom: 1px solid var(--line); vertical-align: bottom; }
thead th[scope=colgroup] { text-align: center; }
tbody th[scope=rowgroup] { text-align: left; padding-top: .8rem; }
tbody th[scope=rowgroup] span { position: sticky; left: .6rem; }
tbody tr:not(.section):hover td { background: var(--soft); }
tr.summary th, tr.summary td { border-top: 1px solid var(--line); font-style: italic; }
.first { border-left: 1px solid var(--line); }
sup { line-height: 0; }
.tail { opacity: .75; }
table.prose td:nth-child(2), table.prose th[scope=rowgroup] { white-space: normal; text-align: left; }
table.sentences td, table.sentences th[scope=row] { white-space: normal; text-align: left; vertical-align: top; }
table.sentences th[scope=row] { position: static; min-width: 12rem; }
table.sentences td { min-width: 5rem; overflow-wrap: anywhere; }
table.sentences thead th { text-align: left; }
.sample { border: 2px solid #c60; border-radius: 4px; padding: .3rem .6rem; display: inline-block; }
.notes { font-size: .9em; max-width: 46rem; padding: 0; list-style: none; }
@media (max-width: 40rem) { body { margin: .6rem; font-size: 14px; } th, td { padding: .2rem .4rem; } }
""".strip()


def page(table: Table) -> str:
    """Return a complete HTML page, which needs no other file."""
    title = html.escape(table.full_title)
    width = 1 + sum(len(names) for _, names in table.groups)
    body = []
    for section in table.sections:
        body.append("<tbody>")
        if section.heading:
            heading = html.escape(section.heading)
            body.append(f'<tr class="section"><th scope="rowgroup" colspan="{width}"><span>{heading}</span></th></tr>')
        body += [_html_row(table, row) for row in section.rows]
        body.append("</tbody>")
    notes = [f"<li><sup>{letter}</sup> {html.escape(note)}</li>" for note, letter in table.letters.items()]
    notes += [f"<li>{html.escape(note)}</li>" for note in table.full_notes]
    banner = '<p class="sample">Sample data</p>' if table.sample else ""
    return "\n".join(
        [
            "<!DOCTYPE html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            f"<title>{title}</title>",
            f"<style>\n{_STYLE}\n</style>",
            "</head>",
            "<body>",
            banner,
            '<div class="scroll" tabindex="0" role="region" aria-label="Table">',
            '<table class="sentences">' if table.sentences else '<table class="prose">' if table.prose else "<table>",
            f"<caption><span>{title}</span></caption>",
            *_html_columns(table),
            *body,
            "</table>",
            "</div>",
            '<ul class="notes">',
            *notes,
            "</ul>",
            "</body>",
            "</html>",
            "",
        ]
    )


def _html_columns(table: Table) -> list[str]:
    grouped = any(group for group, _ in table.groups)
    spans = [f'<colgroup span="{len(names)}"></colgroup>' for _, names in table.groups]
    rowspan = ' rowspan="2"' if grouped else ""
    stub = f'<th class="stub" scope="col"{rowspan}>{html.escape(table.stub)}</th>'
    top = [
        f'<th scope="colgroup" colspan="{len(names)}" class="first">{html.escape(group)}</th>'
        if group
        else f'<td colspan="{len(names)}" class="first"></td>'  # a heading without a text is none
        for group, names in table.groups
    ]
    names = [
        f'<th scope="col"{_first(position)}>{html.escape(name)}</th>'
        for _, group in table.groups
        for position, name in enumerate(group)
    ]
    rows = [f"<tr>{stub}{''.join(top)}</tr>", f"<tr>{''.join(names)}</tr>"]
    if not grouped:
        rows = [f"<tr>{stub}{''.join(names)}</tr>"]
    return ["<colgroup></colgroup>", *spans, "<thead>", *rows, "</thead>"]


def _html_row(table: Table, row: Row) -> str:
    starts = {sum(len(names) for _, names in table.groups[:n]) for n in range(len(table.groups))}
    cells = [
        f"<td{_first(0 if position in starts else 1)}>{_html_cell(table, cell)}</td>"
        for position, cell in enumerate(row.cells)
    ]
    kind = ' class="summary"' if row.summary else ""
    return f'<tr{kind}><th scope="row">{_html_cell(table, row.heading)}</th>{"".join(cells)}</tr>'


def _first(position: int) -> str:
    return "" if position else ' class="first"'


def _html_cell(table: Table, cell: Cell) -> str:
    text = re.sub(r"(^|\s)-(?=\.?\d)", "\\1−", html.escape(cell.text))
    text = f"<b>{text}</b>" if cell.bold and text else text
    mark = f"<sup>{cell.mark}</sup>" if cell.mark else ""
    letter = f"<sup>{table.letters[cell.note]}</sup>" if cell.note else ""
    tail = re.sub(r"\(-(?=\.?\d)", "(−", html.escape(cell.tail))
    tail = f' <span class="tail">{tail}</span>' if tail else ""
    return f"{text}{mark}{letter}{tail}"


RENDERERS: dict[str, Callable[[Table], str]] = {"md": markdown, "tex": latex, "html": page}
