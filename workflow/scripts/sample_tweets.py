"""Write the sample preset's tweets: sentences of news stories with made-up accounts, times and hashtags."""

from typing import Any

from sentrep.pairs.twitter.sample import write
from sentrep.runtime.job import log, run


def main(snakemake: Any) -> None:
    """Write one jsonl file."""
    log.info("%d sample tweets", write(snakemake.output[0], snakemake.params.get("seed", 1)))


if __name__ == "__main__":
    run(main, snakemake)
