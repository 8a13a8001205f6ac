"""Mine related and non-related pairs of texts from Wikipedia's paragraphs.

Libraries are imported inside `main`, after `run` has told them how many threads they may use.
"""

from typing import Any

from sentrep.job import run


def main(snakemake: Any) -> None:
    """Read normalised paragraphs and their token store; write a pairs folder."""
    from sentrep.pairs.wikipedia import mine

    mine(
        snakemake.input.sentences,
        snakemake.input.store,
        snakemake.output[0],
        **snakemake.params.pairs,
        processes=snakemake.threads,
        provenance={"code": snakemake.params.code},
    )


run(main, snakemake)
