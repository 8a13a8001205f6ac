"""Concatenate the values of all tables and figures into one file."""

from collections.abc import Sequence

from sentrep.tables.values import Values


def main(*, source: Sequence[str], csv: str) -> None:
    """Write one CSV file with the values of all tables and figures, in the order of the input files."""
    Values.read(*source).write(csv)
