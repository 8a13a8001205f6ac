"""Mine related and non-related pairs of texts from Wikipedia's paragraphs."""

from typing import Any

from sentrep.pairs.wikipedia import mine
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Read normalised paragraphs and their token store; write a pairs folder."""
    mine(
        snakemake.input.sentences,
        snakemake.input.store,
        snakemake.output[0],
        **snakemake.params.pairs,
        processes=snakemake.threads,
        provenance={"code": snakemake.params.code},
    )


if __name__ == "__main__":
    run(main, snakemake)
