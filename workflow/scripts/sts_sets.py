"""Read the sentence-pair sets from their sources into one file.

Libraries are imported inside `main`, after `run` has told them how many threads they may use.
"""

from typing import Any

from sentrep.job import run


def main(snakemake: Any) -> None:
    """Read each source as its year's sets, and the Lee judgements where they are given."""
    from pathlib import Path

    from sentrep.evaluation.sets import write_sets
    from sentrep.evaluation.sts import collect_sets, read_lee
    from sentrep.sources import iter_members

    sets, missing = [], []
    for manifest, year in zip(snakemake.input.sources, snakemake.params.years, strict=True):
        found, absent = collect_sets(int(year), iter_members(manifest), Path(manifest).stem)
        sets += found
        missing += absent
    if matrix := snakemake.input.get("lee_similarities"):
        sets.append(read_lee(Path(snakemake.input.lee_documents).read_bytes(), Path(matrix).read_bytes(), matrix))
    write_sets(
        sets,
        missing,
        snakemake.output.pairs,
        snakemake.output.description,
        sample=snakemake.params.sample,
        description=snakemake.params.description,
    )


run(main, snakemake)
