"""Read the sentence-pair sets from their sources into one file."""

from pathlib import Path
from typing import Any

from sentrep.evaluation.sts.reader import collect_custom_sets, collect_sets, read_lee
from sentrep.evaluation.sts.sets import write_sets
from sentrep.runtime.job import run
from sentrep.sources.archives import iter_members


def main(snakemake: Any) -> None:
    """Read each source as its year's sets, the Lee judgements and the user's own sets where they are given."""
    sets, missing = [], []
    for manifest, year in zip(snakemake.input.sources, snakemake.params.years, strict=True):
        found, absent = collect_sets(int(year), iter_members(manifest), Path(manifest).stem)
        sets += found
        missing += absent
    if matrix := snakemake.input.get("lee_similarities"):
        sets.append(read_lee(Path(snakemake.input.lee_documents).read_bytes(), Path(matrix).read_bytes(), matrix))
    if own := snakemake.input.get("own"):
        sets += collect_custom_sets(iter_members(own), Path(own).stem)
    write_sets(
        sets,
        missing,
        snakemake.output.pairs,
        snakemake.output.description,
        sample=snakemake.params.sample,
        description=snakemake.params.description,
    )


if __name__ == "__main__":
    run(main, snakemake)
