"""Mine related and non-related pairs of tweets.

Libraries are imported inside `main`, after `run` has told them how many threads they may use.
"""

from typing import Any

from sentrep.job import run


def main(snakemake: Any) -> None:
    """Read tweets (a manifest or a file) and the Wikipedia corpus's token store; write a folder of pairs."""
    from sentrep.pairs.twitter import Settings, build_twitter_pairs

    build_twitter_pairs(
        snakemake.input.tweets,
        snakemake.input.store,
        snakemake.output[0],
        Settings(**snakemake.params.settings),
        sample=snakemake.params.sample,
        provenance=snakemake.params.get("provenance"),
    )


run(main, snakemake)
