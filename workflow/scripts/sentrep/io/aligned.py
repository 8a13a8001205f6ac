"""Format tables as plain text."""

from __future__ import annotations

from collections.abc import Sequence


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Return the lines of a table in which the first column is left-aligned and the other columns are right-aligned.

    An empty row becomes an empty line.
    """
    widths = [max(len(row[column]) for row in rows if row) for column in range(len(rows[0]))]
    return [
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        if row
        else ""
        for row in rows
    ]
