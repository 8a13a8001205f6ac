"""Count the pairs of each split and source, and what was dropped on the way to them."""

from typing import Any

from sentrep.job import run


def main(snakemake: Any) -> None:
    """Write the counts; `params.sources` names the input folders, in order."""
    from sentrep.aggregation.evaluation import count_pairs
    from sentrep.evaluation.frames import write_csv

    folders = dict(zip(snakemake.params.sources, snakemake.input.pairs, strict=True))
    table = count_pairs(folders).assign(preset=snakemake.params.preset)
    write_csv(snakemake.output.csv, table, float_format="%.2f")


run(main, snakemake)
