"""Compare every published number with the corresponding value of a run."""

from typing import Any

from sentrep.io.csv_files import write_csv
from sentrep.sources.published import read_all
from sentrep.tables.deltas import build
from sentrep.tables.values import Values


def main(snakemake: Any) -> None:
    """Write a table that compares every published number with the corresponding value of the run, if there is one."""
    papers, params = read_all(snakemake.input.reported), snakemake.params
    values = Values.read(snakemake.input.source).rows()
    write_csv(snakemake.output.csv, build(papers, values, params.preset, params.sample), float_format="%.6g")
