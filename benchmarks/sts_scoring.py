"""Compare how fast sentrep and a loop like that of SentEval score an averaging model on 20 sets of sentence pairs.

The pairs and the word vectors are synthetic. The sets have the same sizes as those of SemEval 2012 to 2015 (17,608
pairs in total). sentrep computes the share of unknown words in each set and the correlations under both protocols (see
docs/scoring.md). The loop is modelled on SentEval's STS classes. It receives tokenised pairs and divides them into
batches of 128 pairs. In each batch, it averages the word vectors of each sentence separately, and then computes the
cosine of each pair separately. After the last batch of each set, it computes Pearson's and Spearman's correlations, but
under only one protocol.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

import numpy as np
from common import SECONDS, Contestant, Goal, Work
from inputs import Settings, synthetic_pairs
from scipy import stats

from sentrep.encoders.base import AveragingEncoder
from sentrep.evaluation.sts.scoring import score_sets
from sentrep.evaluation.sts.sets import StsSet

Tokenised = tuple[list[list[str]], list[list[str]], np.ndarray]


def tokenised(sets: list[StsSet]) -> list[Tokenised]:
    """Tokenise all sentences; return the first sentences, the second sentences and the human scores of each set."""
    cut = re.compile(r"\w+").findall
    return [
        ([cut(s.lower()) for s in sts.sentences1], [cut(s.lower()) for s in sts.sentences2], sts.gold) for sts in sets
    ]


def loop(sets: list[Tokenised], vectors: dict[str, np.ndarray], dimension: int) -> list[tuple[float, float]]:
    """Return Pearson's and Spearman's correlations for each set, computed by a loop like that of SentEval."""
    found = []
    for first, second, gold in sets:
        similarities: list[float] = []
        for begin in range(0, len(gold), 128):
            batches = (side[begin : begin + 128] for side in (first, second))
            a, b = (np.vstack([mean_vector(words, vectors, dimension) for words in batch]) for batch in batches)
            similarities += [cosine(u, v) for u, v in zip(a, b, strict=True)]
        found.append((stats.pearsonr(similarities, gold)[0], stats.spearmanr(similarities, gold)[0]))
    return found


def mean_vector(words: list[str], vectors: dict[str, np.ndarray], dimension: int) -> np.ndarray:
    """Return the mean of the vectors of the known words, or a zero vector if no word is known."""
    known = [vectors[word] for word in words if word in vectors]
    return np.mean(known, axis=0) if known else np.zeros(dimension)


def cosine(u: np.ndarray, v: np.ndarray) -> float:
    """Return the cosine of two vectors, or 0 if one of them is zero."""
    norms = np.sqrt(np.dot(u, u)) * np.sqrt(np.dot(v, v))
    return float(np.dot(u, v) / norms) if norms else 0.0


def works(settings: Settings) -> Iterator[Work]:
    """Yield the task that ``run.py`` measures: scoring one averaging model on sets of sentence pairs."""
    dice = np.random.default_rng(0)
    letters = np.array(list("etaoinshrdlucmfwypvbgk"))
    words = list(dict.fromkeys("".join(dice.choice(letters, n)) for n in dice.integers(2, 10, 20_000)))
    sets = synthetic_pairs(words, settings.size(100, 5) / 100)
    known = words[: len(words) // 2]
    matrix = dice.standard_normal((len(known), 300)).astype(np.float32)
    encoder = AveragingEncoder(matrix, known, "kenter")
    cut, vectors = tokenised(sets), dict(zip(known, matrix, strict=True))
    contestants = [
        Contestant("sentrep", lambda: score_sets(encoder, sets), goal=Goal("median", "<=", 0.5)),
        Contestant("a loop as in SentEval", lambda: loop(cut, vectors, 300), note="tokenised input; one protocol"),
    ]
    pairs = sum(sts.pairs for sts in sets)
    yield Work(f"scoring one averaging model, {len(sets)} sets, {pairs:,} pairs", SECONDS, contestants)
