"""Mine related and non-related pairs of tweets."""

from typing import Any

from sentrep.pairs.twitter.build import Settings, build_twitter_pairs
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Read tweets (a manifest or a file) and the Wikipedia corpus's token store; write a folder of pairs."""
    build_twitter_pairs(
        snakemake.input.tweets,
        snakemake.input.store,
        snakemake.output[0],
        Settings(**snakemake.params.settings),
        sample=snakemake.params.sample,
        provenance=snakemake.params.get("provenance"),
    )


if __name__ == "__main__":
    run(main, snakemake)
