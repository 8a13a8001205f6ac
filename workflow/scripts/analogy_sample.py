"""Make up reviews for the sample preset's sentence analogies."""

from typing import Any

from sentrep.evaluation.analogies.sample import write_reviews
from sentrep.runtime.job import log, run


def main(snakemake: Any) -> None:
    """Write a sentence a line."""
    log.info("%d made-up sentences", write_reviews(snakemake.output[0]))


if __name__ == "__main__":
    run(main, snakemake)
