"""Mine a corpus for sentence analogies, which are tuples of four sentences."""

from collections import Counter
from functools import partial
from typing import Any

from sentrep.corpora.sentence_shards import corpus_lines, corpus_version
from sentrep.evaluation.analogies.mining import mine_pairs
from sentrep.evaluation.analogies.questions import read_questions
from sentrep.evaluation.analogies.settings import Mining
from sentrep.evaluation.analogies.tuples import build_tuples, write_tuples
from sentrep.runtime.job import log
from sentrep.sources.archives import iter_members


def main(
    *,
    sentences: list[str],
    questions: list[str],
    sets: list[str],
    relations: list[str],
    mining: dict[str, Any],
    per_relation: int,
    seed: int,
    corpus: str | None,
    tuples: str,
) -> None:
    """Mine a corpus for sentence analogies, and write them to a file that also describes the corpus and the mining.

    Args:
        sentences: folders of the parts of a corpus, or one file of synthetic sentences.
        questions: source manifest of each set of word analogies.
        sets: name of each set of word analogies, in the order of ``questions``.
        relations: relations whose word analogies are used.
        mining: fields of :class:`sentrep.evaluation.analogies.settings.Mining`.
        per_relation: maximum number of tuples for each relation.
        seed: seed for choosing tuples at random.
        corpus: name of the corpus; None for synthetic sentences.
        tuples: file to write.
    """
    words = [q for m, name in zip(questions, sets, strict=True) for q in read_questions(iter_members(m), name)]
    differing = {pair for q in words if q.relation in relations for pair in ((q.a, q.b), (q.c, q.d))}
    mined = mine_pairs(partial(corpus_lines, sentences), sorted(differing), Mining(**mining))
    found = build_tuples(mined, words, relations, per_relation, seed)
    counts = Counter(analogy.relation for analogy in found)
    description = {
        "corpus": corpus,
        "source": corpus_version(sentences),
        "sample": corpus is None,
        "read": mined.read,
        "sentence_pairs": sum(map(len, mined.pairs.values())),
        "tuples": {relation: counts[relation] for relation in relations},
        **mining,
    }
    write_tuples(tuples, found, description)
    log.info(
        "mined %d sentence pairs, and built %d tuples from them; tuples per relation: %s",
        description["sentence_pairs"],
        len(found),
        dict(counts),
    )
