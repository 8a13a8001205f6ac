"""Split a corpus into sentences."""

from typing import Any

from sentrep.corpora.sentences import build_sentences
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write the sentence shards of one corpus."""
    settings = dict(snakemake.params.settings)
    build_sentences(
        snakemake.input[0],
        settings.pop("reader"),
        snakemake.output[0],
        **settings,
        processes=snakemake.threads,
        provenance={"code": snakemake.params.code},
    )


if __name__ == "__main__":
    run(main, snakemake)
