"""Generate synthetic reviews for the sample preset's sentence analogies."""

from typing import Any

from sentrep.evaluation.synthetic import write_reviews
from sentrep.runtime.job import log, run


def main(snakemake: Any) -> None:
    """Write one sentence per line."""
    log.info("%d synthetic sentences", write_reviews(snakemake.output[0]))


if __name__ == "__main__":
    run(main, snakemake)
