"""Features of pairs of texts: combinations of their vectors, and properties of their words."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from sentrep.evaluation.encoding import Features


def pair_features(first: Features, second: Features) -> Features:
    """Return |u - v| and u * v side by side, (n, 2d) (Tai et al. 2015; Kiros et al. 2015; SentEval)."""
    if isinstance(first, sp.csr_array):
        return sp.csr_array(sp.hstack([abs(first - second), first.multiply(second)], format="csr"))
    return np.hstack([np.abs(first - second), first * second])


def surface_features(first: Sequence[str], second: Sequence[str]) -> npt.NDArray[np.float32]:
    """Return six features of the words of each pair, (n, 6), which Kiros et al. add for MSRP (released eval_msrp.py).

    They are: the sets of numbers are equal; they are equal and not empty; one contains the other; the share of the
    first text's distinct words that the second has; the same the other way round; the mean of the two length ratios.
    Alone they give about 73% accuracy on MSRP. Texts are tokenised by NLTK's word rules, without its sentence splitter.
    """
    from sentrep.corpora.nltk_classes import NLTKWordTokenizer

    tokenise = NLTKWordTokenizer().tokenize
    features = np.zeros((len(first), 6), dtype=np.float32)
    for row, texts in enumerate(zip(first, second, strict=True)):
        a, b = (tokenise(text) for text in texts)
        if not a or not b:
            continue
        words_a, words_b = set(a), set(b)
        numbers_a, numbers_b = ({word for word in words if _is_number(word)} for words in (words_a, words_b))
        common = len(words_a & words_b)
        features[row] = (
            numbers_a == numbers_b,
            numbers_a == numbers_b and bool(numbers_a),
            numbers_a <= numbers_b or numbers_b <= numbers_a,
            common / len(words_a),
            common / len(words_b),
            (len(a) / len(b) + len(b) / len(a)) / 2,
        )
    return features


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True
