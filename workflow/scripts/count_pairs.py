"""Count the pairs of each split and source, and the dropped pairs."""

from sentrep.aggregation.evaluation import count_pairs
from sentrep.io.csv_files import write_csv


def main(pairs: list[str], names: list[str], preset: str, csv: str) -> None:
    """Write the counts; ``names`` are the names of the folders of pairs, in order."""
    table = count_pairs(dict(zip(names, pairs, strict=True))).assign(preset=preset)
    write_csv(csv, table, float_format="%.2f")
