"""Answer sentence analogies by retrieval from a pool of sentences.

A model answers a question X : Y :: Z : ? with the sentence of the pool whose vector has the highest cosine with the
vector Z + Y - X. A tuple of four sentences A : B :: C : D gives four questions; each of its sentences is the correct
answer to one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import pandas as pd
import scipy.sparse as sp

from sentrep.corpora.sentence_pool import sentence_key
from sentrep.encoders.base import Encoder, Vectors
from sentrep.evaluation.analogies.tuples import PARTS, Analogy
from sentrep.evaluation.encoding import BLOCK, encode, encode_in_blocks
from sentrep.evaluation.nearest_sentences import nearest, texts_at

ANSWER_COLUMNS = [
    "preset",
    "model",
    "seed",
    "relation",
    "tuple",
    "answer",
    *PARTS,
    "retrieved",
    "cosine",
    "correct",
    "correct_without_query",
    "pool",
]
QUESTIONS = {"D": ("A", "B", "C"), "C": ("B", "A", "D"), "B": ("C", "D", "A"), "A": ("D", "C", "B")}
"""Letters of the sentences that serve as X, Y and Z in each question, keyed by the letter of the correct answer."""


def answer_analogies(
    encoder: Encoder,
    tuples: Sequence[Analogy],
    others: Callable[[], Iterable[str]],
    identity: Mapping[str, Any],
    block: int = BLOCK,
) -> pd.DataFrame:
    """Answer each question X : Y :: Z : ? with the pool sentence whose vector has the highest cosine with Z + Y - X.

    The pool consists of the sentences of all tuples and the sentences that ``others`` returns. Before Z + Y - X is
    computed, each part of each sentence vector (see :attr:`Encoder.part_widths`) is scaled to length one. The pool
    includes the three sentences of the question, as in Logeswaran and Lee (2018), who report that wrong answers are
    usually Z. The column ``correct_without_query`` states whether the answer would be correct if these three sentences
    were excluded from the pool.

    Args:
        encoder: the model.
        tuples: tuples of four sentences; each tuple gives four questions.
        others: function that returns an iterable of the other sentences of the pool, always in the same order.
            Sentences with the same :func:`~sentrep.corpora.sentence_pool.sentence_key` as a sentence in ``tuples`` are
            skipped. The function is called twice, so that only retrieved sentences are kept in memory.
        identity: preset, model and seed, which are repeated in every row.
        block: number of sentences to encode at a time.

    Returns:
        A table with four rows for each tuple and the columns :data:`ANSWER_COLUMNS`. ``answer`` is the letter of the
        correct answer. ``retrieved`` is the sentence that the model gives as the answer; it is empty if the vector
        Z + Y - X is zero, for example because the three sentences have no known words.

    Raises:
        SentrepError: a vector is not finite.
    """
    if not tuples:
        return pd.DataFrame(columns=ANSWER_COLUMNS)
    dataset = list(dict.fromkeys(sentence for analogy in tuples for sentence in analogy.sentences))
    place_of = {sentence: place for place, sentence in enumerate(dataset)}
    at = np.array([[place_of[sentence] for sentence in analogy.sentences] for analogy in tuples])
    columns = {part: at[:, i] for i, part in enumerate(PARTS)}
    vectors = encode(encoder, dataset, "unit", "analogies").vectors
    sums = [vectors[columns[z]] + vectors[columns[y]] - vectors[columns[x]] for x, y, z in QUESTIONS.values()]
    queries: Vectors = sp.csr_array(sp.vstack(sums)) if sp.issparse(vectors) else np.concatenate(sums)
    rest = [vectors], encode_in_blocks(encoder, _without(others(), dataset), "analogies", block)
    found = nearest(queries, chain.from_iterable(rest), k=len(PARTS))
    texts = texts_at(chain(dataset, _without(others(), dataset)), found.places[:, 0])
    rows = []
    for i, part in enumerate(QUESTIONS):
        for number, analogy in enumerate(tuples):
            row = i * len(tuples) + number
            ranked = found.places[row]
            answer, query = columns[part][number], {int(columns[p][number]) for p in QUESTIONS[part]}
            without = next((int(place) for place in ranked if place >= 0 and int(place) not in query), -1)
            rows.append(
                {
                    **identity,
                    "relation": analogy.relation,
                    "tuple": number,
                    "answer": part,
                    **dict(zip(PARTS, analogy.sentences, strict=True)),
                    "retrieved": texts.get(int(ranked[0]), ""),
                    "cosine": found.cosines[row, 0],
                    "correct": bool(ranked[0] == answer),
                    "correct_without_query": bool(without == answer),
                    "pool": found.pool,
                }
            )
    return pd.DataFrame(rows, columns=ANSWER_COLUMNS)


def _without(sentences: Iterable[str], known: Iterable[str]) -> Iterator[str]:
    keys = {sentence_key(sentence) for sentence in known}
    return (sentence for sentence in sentences if sentence_key(sentence) not in keys)
