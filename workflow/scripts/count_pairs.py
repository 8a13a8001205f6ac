"""Count the pairs of each split and source, and what was dropped on the way to them."""

from typing import Any

from sentrep.aggregation.evaluation import count_pairs
from sentrep.io.csv_files import write_csv
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write the counts; `params.sources` names the input folders, in order."""
    folders = dict(zip(snakemake.params.sources, snakemake.input.pairs, strict=True))
    table = count_pairs(folders).assign(preset=snakemake.params.preset)
    write_csv(snakemake.output.csv, table, float_format="%.2f")


if __name__ == "__main__":
    run(main, snakemake)
