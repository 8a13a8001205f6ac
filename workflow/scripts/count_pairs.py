"""Count the text pairs in each split of each set of pairs, and the pairs or tweets that were omitted from each set."""

from sentrep.aggregation.evaluation import count_pairs
from sentrep.io.csv_files import write_csv


def main(pairs: list[str], names: list[str], preset: str, csv: str) -> None:
    """Write the numbers of kept and omitted text pairs and the lengths of the texts for each set of pairs.

    Args:
        pairs: folder of each set of text pairs.
        names: name of each set, in the order of ``pairs``.
        preset: name of the preset, which is repeated in every row.
        csv: file to write.
    """
    table = count_pairs(dict(zip(names, pairs, strict=True))).assign(preset=preset)
    write_csv(csv, table, float_format="%.2f")
