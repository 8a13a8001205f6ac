"""Tuples of four sentences A : B :: C : D from sentence pairs and word analogies, and how they are kept."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sentrep.errors import SentrepError
from sentrep.evaluation.analogies.mining import Mined, SentencePair, WordPair
from sentrep.evaluation.analogies.questions import Question
from sentrep.io.files import atomic_file

PARTS = ("A", "B", "C", "D")


@dataclass(frozen=True)
class Analogy:
    """Four sentences; A is to B as C is to D.

    Attributes:
        relation: of the words.
        words: a, b, c, d.
        sentences: A, B, C, D.
    """

    relation: str
    words: tuple[str, str, str, str]
    sentences: tuple[str, str, str, str]


def build_tuples(
    mined: Mined, questions: Sequence[Question], relations: Sequence[str], per_relation: int, seed: int
) -> list[Analogy]:
    """Combine the sentence pairs of a : b with those of c : d, for each question of the given relations.

    Questions take turns, in random order: each gives one tuple, then each that can gives a second one, until a relation
    has enough. A question that exchanges the two word pairs of another is the same.

    Args:
        mined: sentence pairs.
        questions: word analogies.
        relations: those to use, in the order of the result.
        per_relation: tuples of a relation, at most.
        seed: of the choice.

    Raises:
        SentrepError: a relation has no question: it is misspelt, or its set of questions is not there.
    """
    tuples = []
    for place, relation in enumerate(relations):
        of_relation: dict[tuple[WordPair, ...], tuple[WordPair, WordPair]] = {}
        for question in questions:
            if question.relation == relation:
                pairs = (question.a, question.b), (question.c, question.d)
                of_relation.setdefault(tuple(sorted(pairs)), pairs)
        if not of_relation:
            raise SentrepError(
                "analogies.relations",
                expected=f"one of {', '.join(dict.fromkeys(q.relation for q in questions))}",
                found=f"'{relation}'",
                remedy="correct it, or name a source of its questions in `analogies.questions`",
            )
        rng = np.random.default_rng([seed, place])
        usable = [pairs for pairs in of_relation.values() if all(pair in mined.pairs for pair in pairs)]
        choices = [_combinations(mined, pairs, per_relation, rng) for pairs in usable]
        order = rng.permutation(len(usable))
        chosen: list[Analogy] = []
        for turn in range(max(map(len, choices), default=0)):
            for i in order:
                if turn < len(choices[i]) and len(chosen) < per_relation:
                    chosen.append(_analogy(mined, relation, usable[i], choices[i][turn]))
        tuples += chosen
    return tuples


def write_tuples(path: str | Path, tuples: Sequence[Analogy], description: Mapping[str, Any]) -> None:
    """Write a line that describes the text they come from, then one line a tuple, as JSON."""
    with atomic_file(path) as temporary, temporary.open("w", encoding="ascii", newline="\n") as stream:
        for value in (description, *map(asdict, tuples)):
            stream.write(json.dumps(value) + "\n")


def load_tuples(path: str | Path) -> tuple[list[Analogy], dict[str, Any]]:
    """Read what :func:`write_tuples` wrote: tuples and the description."""
    with Path(path).open(encoding="ascii") as stream:
        description, *rows = map(json.loads, stream)
    tuples = [Analogy(row["relation"], tuple(row["words"]), tuple(row["sentences"])) for row in rows]
    return tuples, description


def _combinations(
    mined: Mined, pairs: tuple[WordPair, WordPair], most: int, rng: np.random.Generator
) -> list[tuple[SentencePair, SentencePair]]:
    """Return at most ``most`` couples of sentence pairs, drawn at random, whose four sentences are different."""
    left, right = (mined.pairs[pair] for pair in pairs)
    total = len(left) * len(right)
    # a few more than needed, since some share a sentence
    numbers = rng.permutation(total) if total <= 4 * most else rng.choice(total, 4 * most, replace=False)
    found = ((left[number // len(right)], right[number % len(right)]) for number in map(int, numbers))
    return [couple for couple in found if len({*couple[0], *couple[1]}) == 4][:most]


def _analogy(
    mined: Mined, relation: str, pairs: tuple[WordPair, WordPair], couple: tuple[SentencePair, SentencePair]
) -> Analogy:
    words = (*pairs[0], *pairs[1])
    sentences = tuple(mined.texts[number] for pair in couple for number in pair)
    return Analogy(relation, words, sentences)
