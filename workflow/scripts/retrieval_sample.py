"""Make up captioned images for the sample preset, in the formats of the real ones."""

from typing import Any

from sentrep.evaluation.retrieval.sample import write_sample
from sentrep.runtime.job import log, run


def main(snakemake: Any) -> None:
    """Write a folder of annotations and features."""
    log.info("made up %s", write_sample(snakemake.output[0]))


if __name__ == "__main__":
    run(main, snakemake)
