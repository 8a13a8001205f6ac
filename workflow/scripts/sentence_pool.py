"""Draw a random pool of sentences from a corpus."""

from pathlib import Path

from sentrep.corpora.sentence_pool import sample_pool
from sentrep.corpora.sentence_shards import corpus_lines
from sentrep.io.files import atomic_file, read_json, write_json
from sentrep.runtime.job import log


def main(
    *, sentences: str, corpus: str | None, size: int, seed: int, leave_out: list[str], pool: str, description: str
) -> None:
    """Draw sentences at random from a corpus, and write the sentences and a description of the draw.

    Args:
        sentences: folder of a corpus, or a file of synthetic sentences.
        corpus: name of the corpus; None for synthetic sentences.
        size: number of sentences to draw.
        seed: seed of the draw.
        leave_out: sentences that the pool must not contain.
        pool: file to write the sentences to.
        description: file to write the description to.
    """
    folder = Path(sentences)
    drawn = sample_pool(corpus_lines(folder), size, seed, leave_out)
    source = read_json(folder / "meta.json")["source"]["version"] if folder.is_dir() else "synthetic sentences"
    with atomic_file(pool) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{sentence}\n" for sentence in drawn.sentences)
    counts = {"sentences": len(drawn.sentences), "read": drawn.read, "left_out": drawn.left_out, "seed": seed}
    write_json(description, {"corpus": corpus, "source": source, **counts})
    log.info("drew %d of the %d sentences in the corpus", len(drawn.sentences), drawn.read)
