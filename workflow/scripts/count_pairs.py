"""Count the text pairs in each split of each source, and the pairs that were omitted."""

from sentrep.aggregation.evaluation import count_pairs
from sentrep.io.csv_files import write_csv


def main(pairs: list[str], names: list[str], preset: str, csv: str) -> None:
    """Write the numbers of kept and omitted pairs; ``names`` gives the source of each folder in ``pairs``."""
    table = count_pairs(dict(zip(names, pairs, strict=True))).assign(preset=preset)
    write_csv(csv, table, float_format="%.2f")
