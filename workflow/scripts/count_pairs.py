"""Count the pairs in each split of each set of text pairs, and the pairs or texts that were omitted."""

from sentrep.aggregation.evaluation import count_pairs
from sentrep.io.csv_files import write_csv


def main(pairs: list[str], names: list[str], preset: str, csv: str) -> None:
    """Write how many pairs each set contains, how many pairs or texts were omitted, and how long the texts are.

    Args:
        pairs: folder of each set of text pairs.
        names: name of each set, in the order of ``pairs``.
        preset: name of the preset, which is repeated in every row of the output file.
        csv: file to write.
    """
    table = count_pairs(dict(zip(names, pairs, strict=True))).assign(preset=preset)
    write_csv(csv, table, float_format="%.2f")
