"""Make up captioned images for the sample preset, in the formats of the real ones."""

from typing import Any

from sentrep.job import log, run
from sentrep.retrieval.sample import write_sample


def main(snakemake: Any) -> None:
    """Write a folder of annotations and features."""
    log.info("made up %s", write_sample(snakemake.output[0]))


if __name__ == "__main__":
    run(main, snakemake)
