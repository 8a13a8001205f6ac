"""Build a corpus' vocabulary and token store."""

from typing import Any

from sentrep.corpora.build_store import build_store
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write the token store of one corpus."""
    corpus = snakemake.params.corpus
    build_store(
        snakemake.input[0],
        snakemake.output[0],
        tokeniser_name=corpus["tokeniser"],
        encoding_tokeniser=corpus["encoding_tokeniser"],
        minimum_count=corpus["minimum_count"],
        maximum_words=corpus["maximum_words"],
        keep_all_tokens=corpus["keep_all_tokens"],
        fraction=corpus["fraction"],
        processes=snakemake.threads,
        provenance={"code": snakemake.params.code},
    )


if __name__ == "__main__":
    run(main, snakemake)
