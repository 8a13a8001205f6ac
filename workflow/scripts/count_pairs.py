"""Count the pairs of texts in each split and source, and the pairs that were dropped."""

from sentrep.aggregation.evaluation import count_pairs
from sentrep.io.csv_files import write_csv


def main(pairs: list[str], names: list[str], preset: str, csv: str) -> None:
    """Write the number of pairs; ``names`` gives the source of each folder of pairs, in the same order."""
    table = count_pairs(dict(zip(names, pairs, strict=True))).assign(preset=preset)
    write_csv(csv, table, float_format="%.2f")
