"""Split a corpus into sentences."""

from typing import Any

from sentrep.corpora.sentences import build_sentences
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write the sentence shards of one corpus."""
    build_sentences(
        snakemake.input[0],
        snakemake.params.reader,
        snakemake.output[0],
        punkt_characters=snakemake.params.punkt_characters,
        expected_sentences=snakemake.params.expected_sentences,
        unit=snakemake.params.unit,
        normalisation=snakemake.params.normalisation,
        processes=snakemake.threads,
        provenance={"code": snakemake.params.code},
    )


if __name__ == "__main__":
    run(main, snakemake)
