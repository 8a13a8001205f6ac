"""By what the cells of a table are sorted."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sentrep.tables.layout import Cell

# A number as tables write it and what may stand around it: <500, 98,804.0, .3439 ±.013, 2*, 10 / 3, 17.51 [16.0, 19.0].
_NUMBER = re.compile(
    r"[<>~]?(?P<number>[+-]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+)?(?:e[+-]?\d+)?)(?P<rest>.*)", re.DOTALL
)
_AROUND = re.compile(r"\s*(?:±\s*[\d.]+)?\s*(?:\[[^\]]*\])?\s*(?:[*†‡%✓✗]|/ \d+)*\s*")


def sort_key(cell: Cell) -> float | str:
    """Return the number a cell shows, or its text without regard to case; "" for an empty cell."""
    text = cell.text.replace("−", "-").strip()
    found = _NUMBER.fullmatch(text)
    if found and re.search(r"\d", found["number"]) and _AROUND.fullmatch(found["rest"]):
        return float(found["number"].replace(",", ""))
    return text.casefold()


def sort_keys(cells: Sequence[Cell]) -> list[str]:
    """Return the keys of a column: numbers where all that is filled are numbers, otherwise texts."""
    keys = [sort_key(cell) for cell in cells]
    if all(isinstance(key, float) or key == "" for key in keys):
        return ["" if key == "" else f"{key:.10g}" for key in keys]
    return [cell.text.casefold() for cell in cells]


def is_numeric(keys: Sequence[str]) -> bool:
    """Return whether the keys of a column are numbers."""
    filled = [key for key in keys if key]
    try:
        return bool(filled) and all(float(key) is not None for key in filled)
    except ValueError:
        return False
