"""Draw a random pool of sentences from a corpus."""

from sentrep.corpora.sentence_pool import sample_pool
from sentrep.corpora.sentence_shards import corpus_lines, corpus_version
from sentrep.io.files import atomic_file, write_json
from sentrep.runtime.job import log


def main(
    *, sentences: list[str], corpus: str | None, size: int, seed: int, leave_out: list[str], pool: str, description: str
) -> None:
    """Draw sentences at random from a corpus, and write the sentences and a description of the draw.

    Args:
        sentences: folders of the parts of a corpus, or one file of synthetic sentences.
        corpus: name of the corpus; None for synthetic sentences.
        size: number of sentences to draw.
        seed: seed of the draw.
        leave_out: sentences that the pool must not contain.
        pool: file to write the sentences to.
        description: file to write the description to.
    """
    drawn = sample_pool(corpus_lines(sentences), size, seed, leave_out)
    with atomic_file(pool) as temporary, temporary.open("w", encoding="utf-8", newline="\n") as stream:
        stream.writelines(f"{sentence}\n" for sentence in drawn.sentences)
    counts = {"sentences": len(drawn.sentences), "read": drawn.read, "left_out": drawn.left_out, "seed": seed}
    write_json(description, {"corpus": corpus, "source": corpus_version(sentences), **counts})
    log.info("drew %d of the %d sentences in the corpus", len(drawn.sentences), drawn.read)
