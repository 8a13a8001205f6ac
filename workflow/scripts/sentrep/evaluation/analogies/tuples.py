"""Build tuples of four sentences A : B :: C : D from word analogies and sentence pairs, and write and read them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np

from sentrep.errors import SentrepError
from sentrep.evaluation.analogies.mining import Mined, SentencePair, WordPair
from sentrep.evaluation.analogies.questions import Question
from sentrep.io.json_lines import read_json_lines, write_json_lines

PARTS = ("A", "B", "C", "D")


@dataclass(frozen=True)
class Analogy:
    """A tuple of four sentences A, B, C and D, where A is to B as C is to D.

    Attributes:
        relation: name of the relation between the words a and b, and between the words c and d.
        words: the words a, b, c and d. A and B differ in the words a and b; C and D differ in the words c and d.
        sentences: the sentences A, B, C and D.
    """

    relation: str
    words: tuple[str, str, str, str]
    sentences: tuple[str, str, str, str]


def build_tuples(
    mined: Mined, questions: Sequence[Question], relations: Sequence[str], per_relation: int, seed: int
) -> list[Analogy]:
    """Build tuples of four sentences from word analogies a : b :: c : d and the sentence pairs for a : b and c : d.

    The word analogies of a relation are visited repeatedly in a fixed random order, and each visit adds at most one
    tuple, until the relation has ``per_relation`` tuples or no more can be built. Word analogies that differ only in
    the order of their word pairs count as one.

    Args:
        mined: sentence pairs for each word pair.
        questions: word analogies.
        relations: relations to use; their tuples are returned in the same order.
        per_relation: maximum number of tuples for each relation.
        seed: seed for choosing tuples at random.

    Raises:
        SentrepError: a relation has no word analogies, because its name is misspelt or its source is missing.
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
                remedy="correct the name, or add a source with questions for this relation to `analogies.questions`",
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
    """Write tuples to a JSON Lines file: ``description`` on the first line, followed by one tuple per line."""
    write_json_lines(path, [description, *map(asdict, tuples)])


def load_tuples(path: str | Path) -> tuple[list[Analogy], dict[str, Any]]:
    """Read the tuples and the description from a file written by :func:`write_tuples`."""
    description, *rows = read_json_lines(path)
    tuples = [Analogy(row["relation"], tuple(row["words"]), tuple(row["sentences"])) for row in rows]
    return tuples, description


def _combinations(
    mined: Mined, pairs: tuple[WordPair, WordPair], most: int, rng: np.random.Generator
) -> list[tuple[SentencePair, SentencePair]]:
    """Return up to ``most`` random combinations of a sentence pair for the first word pair and one for the second.

    The four sentences of a combination are distinct.
    """
    left, right = (mined.pairs[pair] for pair in pairs)
    total = len(left) * len(right)
    # More combinations than needed are drawn, because those in which a sentence occurs twice are dropped.
    numbers = rng.permutation(total) if total <= 4 * most else rng.choice(total, 4 * most, replace=False)
    found = ((left[number // len(right)], right[number % len(right)]) for number in map(int, numbers))
    return [both for both in found if len({*both[0], *both[1]}) == 4][:most]


def _analogy(
    mined: Mined, relation: str, pairs: tuple[WordPair, WordPair], combination: tuple[SentencePair, SentencePair]
) -> Analogy:
    words = (*pairs[0], *pairs[1])
    a, b, c, d = (mined.texts[number] for pair in combination for number in pair)
    return Analogy(relation, words, (a, b, c, d))
