"""Compare every published number with the corresponding value of a run."""

from collections.abc import Sequence

from sentrep.io.csv_files import write_csv
from sentrep.sources.published import read_all
from sentrep.tables.deltas import build
from sentrep.tables.values import Values


def main(*, source: str, reported: Sequence[str], preset: str, sample: bool, csv: str) -> None:
    """Write a table that compares every published number with the corresponding value of the run, if there is one.

    Args:
        source: file of the values of all tables and figures.
        reported: files of published values, one for each paper.
        preset: name of the preset.
        sample: whether the values come from sample data.
        csv: output file.
    """
    write_csv(csv, build(read_all(reported), Values.read(source).rows(), preset, sample), float_format="%.6g")
