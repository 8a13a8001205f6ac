"""Concatenate the values of all tables and figures into one file."""

from typing import Any

from sentrep.tables.values import Values


def main(snakemake: Any) -> None:
    """Write one CSV file with the values of all tables and figures, in the order of the input files."""
    Values.read(*snakemake.input.source).write(snakemake.output.csv)
