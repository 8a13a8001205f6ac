"""Render a table as Markdown, LaTeX or HTML with Jinja templates.

The project has its own templates because neither great_tables nor the pandas Styler supports all three formats.
great_tables 1.1.0 has no Markdown output; in LaTeX, it raises NotImplementedError for footnotes and ignores bold cells.
The Styler writes HTML and LaTeX but not Markdown, and supports neither footnotes nor sections of rows.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from sentrep.tables.layout import Table

TEMPLATES = Path(__file__).parent
_NUMBER = re.compile(r"[<>~≤≥+-]*[.\d]")
_TEX = str.maketrans(
    {
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
        "§": r"$^{\S}$",
        "ρ": r"$\rho$",
        "±": r"$\pm$",
        "−": r"$-$",
        "×": r"$\times$",
        "–": "--",
        "’": "'",
    }
)
# Functions that escape text for each format, and functions that replace hyphens before numbers with minus signs.
_ESCAPES: dict[str, Callable[[str], str]] = {
    "md": lambda text: re.sub(r"([\\`*_<>|#])", r"\\\1", text),
    "tex": lambda text: re.sub(r'(^|[\s(])"', r"\1``", text.translate(_TEX)),  # opening quotation marks
    "html": html.escape,
}
_MINUS = {
    "tex": lambda text: re.sub(r"(^|[\s(])-(?=\.?\d)", r"\1$-$", text),
    "html": lambda text: re.sub(r"(^|[\s(\[])-(?=\.?\d)", r"\1−", text),
}


def markdown(table: Table) -> str:
    """Render a table as GitHub-flavoured Markdown."""
    return _render("md", "md", table)


def latex(table: Table) -> str:
    """Render a table as a LaTeX ``table*`` environment.

    The environment needs the packages booktabs and graphicx. If the table contains sentences (``table.prose``), the
    environment also needs the package array, and the document must be compiled with LuaLaTeX or XeLaTeX.
    """
    return _render("tex", "tex", table)


def page(table: Table) -> str:
    """Render a table as a self-contained HTML page."""
    style = Markup((TEMPLATES / "markup.css").read_text(encoding="utf-8").strip())
    return _render("html", "page", table, identity="table", title=table.full_title, style=style)


def html_table(table: Table, identity: str = "table") -> Markup:
    """Render a table with its caption and notes as an HTML fragment.

    Args:
        table: table to render.
        identity: id of the table element, which must be unique in the page; the id of the caption begins with this id.
    """
    return Markup(_render("html", "html", table, identity=identity, title=table.title).removesuffix("\n"))


RENDERERS: dict[str, Callable[[Table], str]] = {"md": markdown, "tex": latex, "html": page}


def _render(syntax: str, template: str, table: Table, **more: Any) -> str:
    """Render a table with a template.

    The template receives the table and, for each column, the heading of the column's group, the heading of the column,
    and the HTML class attribute of the column. Columns in which fewer than half of the non-empty cells begin with a
    number have the class ``text``. If any group has a heading, the first column of each group has the class ``first``.

    Args:
        syntax: format for which text is escaped: "md", "tex" or "html".
        template: name of the template, as in ``markup.<template>.jinja``.
        table: table to render.
        more: further variables for the template.
    """
    grouped = any(group for group, _ in table.groups)
    columns: list[tuple[str, str, Markup]] = []
    for group, names in table.groups:
        for place, name in enumerate(names):
            filled = [text for row in table.rows() if (text := row.cells[len(columns)].text)]
            numbers = 2 * sum(_NUMBER.match(text) is not None for text in filled) >= len(filled)
            classes = {"first": grouped and not place, "text": bool(filled) and not numbers}
            named = " ".join(key for key, wanted in classes.items() if wanted)
            columns.append((group, name, Markup(f' class="{named}"') if named else Markup()))
    known = {"table": table, "grouped": grouped, "columns": columns, **more}
    return _environment(syntax).get_template(f"markup.{template}.jinja").render(known)


@cache
def _environment(syntax: str) -> Environment:
    """Return a Jinja environment that escapes all text for the format ``syntax``: "md", "tex" or "html"."""

    def escaped(value: Any) -> Markup:
        return value if isinstance(value, Markup) else Markup(_ESCAPES[syntax](str(value)))

    delimiters = ("<%", "%>", "<<", ">>", "<#", "#>") if syntax == "tex" else ()
    environment = Environment(
        *delimiters,
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        finalize=escaped,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters["lines"] = lambda heading: Markup("<br>").join(map(escaped, heading.split("<br>")))
    environment.filters["minus"] = lambda text: Markup(_MINUS[syntax](escaped(text)))
    return environment
