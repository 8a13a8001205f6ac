"""Concatenate the values of all tables and figures in one file."""

from typing import Any

from sentrep.tables.values import Values


def main(snakemake: Any) -> None:
    """Concatenate the files of values in the order of the inputs."""
    Values.read(*snakemake.input.source).write(snakemake.output.csv)
