"""Build the report section that compares the published numbers with ours, based on ``deltas.csv``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from sentrep.report.list_tables import list_table, sectioned_table
from sentrep.tables.layout import Table

COLUMNS = ("paper", "table", "row", "column", "metric", "reported", "ours", "sd", "low", "high", "difference", "class")
Delta = Mapping[str, str]


def summary(rows: Sequence[Delta]) -> str:
    """Return sentences that state for how many published numbers we have a value, and define two classes of agreement.

    Args:
        rows: rows of ``deltas.csv``.
    """
    ours = sum(bool(row["ours"]) for row in rows)
    return (
        f"The papers publish {len(rows):,} numbers, and this run has a value for {ours:,} of them. “Within interval” "
        "means that the published number is, up to rounding, within the 95% interval of our value. “Same ordering” "
        "means that the published number is not within this interval, but that our values rank its system above and "
        "below the same other systems as the published numbers do."
    )


def count_table(papers: Mapping[str, Sequence[Delta]]) -> Table | None:
    """Return a table that counts, for each paper, the published numbers in each class, such as "within interval".

    Args:
        papers: rows of ``deltas.csv`` for each paper.

    Returns:
        The table, or None if there are no papers.
    """
    classes = list(dict.fromkeys(row["class"] for rows in papers.values() for row in rows if row["class"]))
    number = {name: Counter(row["class"] for row in rows) for name, rows in papers.items()}
    lines = [(name, *(number[name][kind] for kind in classes)) for name in papers]
    return list_table("Published numbers by agreement with ours", ("Paper", *classes), lines)


def number_table(title: str, rows: Sequence[Delta]) -> Table | None:
    """Return a table of all published numbers in one paper next to our values; None if ``rows`` is empty."""
    sections: dict[str, list[tuple[str, ...]]] = {}
    for row in rows:
        interval = f"{row['low']} to {row['high']}" if row["low"] else ""
        values = [row[key] for key in ("row", "column", "metric", "reported", "ours", "sd")]
        sections.setdefault(f"Table {row['table']}", []).append((*values, interval, row["difference"], row["class"]))
    headings = ("Row", "column", "metric", "published", "ours", "sd over seeds", "95% interval", "difference", "class")
    return sectioned_table(title, headings, sections)
