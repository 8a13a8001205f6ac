"""Embed SVG figures in the report, with unique ids and with colours that follow the reader's colour scheme."""

from __future__ import annotations

import re
from pathlib import Path

from markupsafe import Markup, escape

from sentrep.errors import SentrepError
from sentrep.tables import style

# The variable in report.css that replaces each colour in a figure.
VARIABLES = {
    "#ffffff": "paper",
    "#000000": "ink",
    style.BLACK: "ink",
    "#444444": "muted",
    "#e4e4e4": "line",
    "#cccccc": "line",
    "#b8b8b8": "control",
    style.BLUE.lower(): "series-blue",
    style.VERMILION.lower(): "series-vermilion",
    style.GREEN.lower(): "series-green",
    style.ORANGE.lower(): "series-orange",
    style.PINK.lower(): "series-pink",
    style.SKY.lower(): "series-sky",
    style.YELLOW.lower(): "series-yellow",
    style.GREY: "series-grey",
}
_DRAWING = re.compile(r'<svg[^>]*viewBox="0 0 ([\d.]+) ([\d.]+)"[^>]*>(.*)</svg>', re.DOTALL)
# A style element would apply to the whole page, so it is removed; report.css has the same rules for figures.
_REMOVED = re.compile(r"<title>.*?</title>|<metadata>.*?</metadata>|<style.*?</style>|<!--.*?-->", re.DOTALL)
_ID = re.compile(r'\bid="|url\(#|xlink:href="#')
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")
_LONG_DECIMAL = re.compile(r"(\d\.\d{2})\d+")


def inline_figure(path: str | Path, identity: str, description: str) -> Markup:
    """Return the drawing in an SVG file as an ``svg`` element for an HTML page.

    Args:
        path: path of a figure written by :func:`sentrep.tables.style.save`.
        identity: prefix for the ids in the drawing; it must be unique on the page.
        description: text alternative of the figure.

    Raises:
        SentrepError: the file contains no drawing.
    """
    found = _DRAWING.search(Path(path).read_text(encoding="utf-8"))
    if found is None:
        raise SentrepError(
            path,
            expected="an SVG figure",
            found="no drawing",
            remedy="delete the file and run `snakemake` again or, for a published run, publish the run again",
        )
    width, height, content = found.groups()
    content = re.sub(r"\s+", " ", _REMOVED.sub("", content)).replace("> <", "><")
    content = _ID.sub(lambda match: f"{match[0].removeprefix('xlink:')}{identity}-", content)
    content = _COLOUR.sub(_variable, content)
    # Two decimals are enough: glyphs are scaled by 0.01, and in other elements, further decimals make no visible
    # difference.
    content = re.sub(r' (?:d|x|y)="[^"]*"', lambda match: _LONG_DECIMAL.sub(r"\1", match[0]), content)
    return Markup(
        f'<svg viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" '
        f'aria-label="{escape(description)}">{content}</svg>'
    )


def _variable(match: re.Match[str]) -> str:
    name = VARIABLES.get(match[0].lower())
    return f"var(--{name})" if name else match[0]
