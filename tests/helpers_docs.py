"""Helpers for the tests of numbers in the README and the docs: functions that read pages and tables."""

from pathlib import Path

import pandas as pd

from conftest import ROOT

PUBLISHED = ROOT / "results" / "published"


def shown(value: float, digits: int = 3) -> str:
    return "" if pd.isna(value) else f"{value:.{digits}f}".replace("0.", ".", 1)


def table_after(page: Path, heading: str) -> tuple[list[str], dict[str, list[str]]]:
    """Return the header cells and the rows, by their first cell, of the first table that begins with ``heading``."""
    lines = page.read_text(encoding="utf-8").split("\n")
    first = next(n for n, line in enumerate(lines) if line.startswith(heading))
    rows = []
    for line in lines[first:]:
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip("|").split("|")])
    return rows[0][1:], {row[0]: row[1:] for row in rows[2:]}


def text_of(*pages: str) -> str:
    """Return the text of some pages as one line."""
    return " ".join(" ".join((ROOT / page).read_text(encoding="utf-8") for page in pages).split())


def ablation_rows() -> dict[tuple[str, str], list[str]]:
    """Return the rows of the published ablation table of Siamese CBOW, by section and label.

    Each row contains the mean r without its standard deviation, the difference from untrained vectors with its
    interval, and the mean r with random vectors for unknown words.
    """
    found, section = dict[tuple[str, str], list[str]](), ""
    page = PUBLISHED / "novels" / "siamese_cbow" / "ablation.md"
    for line in page.read_text(encoding="utf-8").splitlines():
        label, *cells = (cell.strip() for cell in line.strip("|").split("|"))
        section = label.strip("*") if label.startswith("**") else section
        if len(cells) > 2:
            found[section, label.strip("§")] = [cells[0].split(" ")[0], cells[1], cells[2].split(" ")[0]]
    return found
