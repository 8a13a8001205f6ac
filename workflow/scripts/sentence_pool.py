"""Draw a pool of sentences from a corpus."""

from pathlib import Path
from typing import Any

from sentrep.corpora.sentence_pool import sample_pool
from sentrep.corpora.sentence_shards import corpus_lines
from sentrep.io.files import atomic_file, read_json, write_json
from sentrep.runtime.job import log, run


def main(snakemake: Any) -> None:
    """Write the sentences, one a line, and a description of them."""
    params = snakemake.params
    folder = Path(snakemake.input.sentences)
    pool = sample_pool(corpus_lines(folder), params.size, params.seed, params.leave_out)
    # made-up sentences are a file, a corpus is a folder
    source = read_json(folder / "meta.json")["source"]["version"] if folder.is_dir() else "made-up sentences"
    with (
        atomic_file(snakemake.output.pool) as temporary,
        temporary.open("w", encoding="utf-8", newline="\n") as stream,
    ):
        stream.writelines(f"{sentence}\n" for sentence in pool.sentences)
    counts = {"sentences": len(pool.sentences), "read": pool.read, "left_out": pool.left_out, "seed": params.seed}
    write_json(snakemake.output.description, {"corpus": params.corpus, "source": source, **counts})
    log.info("%d of %d sentences", len(pool.sentences), pool.read)


if __name__ == "__main__":
    run(main, snakemake)
