"""Generate synthetic captioned images for the sample preset, in the formats of the real ones."""

from typing import Any

from sentrep.evaluation.synthetic import write_captioned_images
from sentrep.runtime.job import log, run


def main(snakemake: Any) -> None:
    """Write a folder of annotations and features."""
    log.info("synthetic images: %s", write_captioned_images(snakemake.output[0]))


if __name__ == "__main__":
    run(main, snakemake)
