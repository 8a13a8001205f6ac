"""Figures inside the report: names made unique, colours that follow the reader's scheme, nothing but the drawing."""

from __future__ import annotations

import re
from pathlib import Path
from xml.etree import ElementTree

from markupsafe import Markup

from sentrep.errors import SentrepError
from sentrep.report.palette import SERIES
from sentrep.tables import style

SAMPLE_MARK = "SAMPLE"
_SVG = "{http://www.w3.org/2000/svg}"
_LINK = "{http://www.w3.org/1999/xlink}href"
# Colours of sentrep.tables.style and matplotlib's own -> names of the palette.
_NAMES = {
    "#ffffff": "paper",
    "#000000": "ink",
    style.BLACK: "ink",
    "#444444": "muted",
    "#e4e4e4": "line",
    "#b8b8b8": "control",
    "#cccccc": "line",
    **{
        colour: name
        for name, colour in zip(
            SERIES,
            (
                style.BLUE,
                style.VERMILION,
                style.GREEN,
                style.ORANGE,
                style.PINK,
                style.SKY,
                style.YELLOW,
                style.GREY,
            ),
            strict=True,
        )
    },
}
_NAMES = {colour.lower(): name for colour, name in _NAMES.items()}
_COLOUR = re.compile(r"#[0-9a-fA-F]{6}\b")
_REFERENCE = re.compile(r"url\(#([^)]+)\)")
_LONG_DECIMAL = re.compile(r"(\d+\.\d{2})\d+")


def read_title(path: str | Path) -> tuple[str, str]:
    """Return what a figure says of sample data, or "", and its own title."""
    title = (_root(path).findtext(f"{_SVG}title") or Path(path).stem).strip()
    if not title.startswith(SAMPLE_MARK):
        return "", " ".join(title.split())
    warning, _, own = title.partition("\n")
    return warning, " ".join(own.split())


def inline(path: str | Path, identity: str, description: str) -> Markup:
    """Return an SVG file's drawing for use inside an HTML page.

    Args:
        path: a figure of :mod:`sentrep.tables.style`.
        identity: a name for its elements, unique in the report.
        description: what the figure shows, for those who do not see it.

    Raises:
        SentrepError: the file is no SVG.
    """
    root = _root(path)
    width, height = (float(number) for number in root.get("viewBox", "0 0 1 1").split()[2:])
    used = {name for element in root.iter() for name in _references(element)}
    parts: list[str] = []
    for child in root:
        if child.tag not in (f"{_SVG}title", f"{_SVG}metadata"):
            _write(child, identity, used, parts, in_text=False)
    return Markup(
        f'<svg viewBox="0 0 {width:g} {height:g}" width="{width:g}" height="{height:g}" role="img" '
        f'aria-labelledby="{identity}-title {identity}-description"><title id="{identity}-title">{{}}</title>'
        f'<desc id="{identity}-description">{{}}</desc>{{}}</svg>'
    ).format(". ".join(part for part in read_title(path) if part), description, Markup("".join(parts)))


def _root(path: str | Path) -> ElementTree.Element:
    try:
        return ElementTree.parse(path).getroot()
    except ElementTree.ParseError as error:
        raise SentrepError(path, expected="an SVG figure", found=str(error), remedy="make it again") from None


def _references(element: ElementTree.Element) -> list[str]:
    found = [element.get(_LINK, "#")[1:]]
    found += [name for value in element.attrib.values() for name in _REFERENCE.findall(value)]
    return [name for name in found if name]


def _write(element: ElementTree.Element, identity: str, used: set[str], parts: list[str], in_text: bool) -> None:
    """Append an element and what it holds; colours of text are darker than those of lines."""
    tag = element.tag.removeprefix(_SVG)
    if tag == "style":  # would hold for the whole page; the report's own style says the same of figures
        return
    in_text = in_text or element.get("id", "").startswith("text_")
    attributes = []
    for name, value in element.attrib.items():
        if name == "id":
            if value in used:
                attributes.append(f'id="{identity}-{value}"')
        elif name == _LINK:
            attributes.append(f'href="#{identity}-{value[1:]}"')
        else:
            changed = _REFERENCE.sub(rf"url(#{identity}-\1)", value)
            changed = _COLOUR.sub(lambda found: _variable(found[0], in_text), changed)
            attributes.append(f'{name}="{Markup.escape(_short(name, changed))}"')
    opening = " ".join([tag, *attributes])
    if not len(element) and not (element.text or "").strip():
        if tag == "g" or tag == "defs":
            return
        parts.append(f"<{opening}/>")
        return
    parts.append(f"<{opening}>{Markup.escape((element.text or '').strip())}")
    for child in element:
        _write(child, identity, used, parts, in_text)
    parts.append(f"</{tag}>")


def _short(name: str, value: str) -> str:
    """Leave out decimals that nobody can see, and line ends in paths."""
    if name in ("d", "x", "y", "transform", "width", "height", "points"):
        value = " ".join(value.split())
        return value if "scale(0.0" in value else _LONG_DECIMAL.sub(r"\1", value)
    return value


def _variable(colour: str, in_text: bool) -> str:
    name = _NAMES.get(colour.lower())
    if name is None:
        return colour
    if name in SERIES:
        return f"var(--{'text' if in_text else 'series'}-{name})"
    return f"var(--{name})"
