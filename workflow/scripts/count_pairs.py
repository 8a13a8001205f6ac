"""Count the text pairs in each split of each source, and the pairs that were omitted."""

from sentrep.aggregation.evaluation import count_pairs
from sentrep.io.csv_files import write_csv


def main(pairs: list[str], names: list[str], preset: str, csv: str) -> None:
    """Write the numbers of kept and omitted text pairs for each source.

    Args:
        pairs: folders of text pairs.
        names: name of the source of each folder.
        preset: name of the preset, which is repeated in every row.
        csv: file to write.
    """
    table = count_pairs(dict(zip(names, pairs, strict=True))).assign(preset=preset)
    write_csv(csv, table, float_format="%.2f")
