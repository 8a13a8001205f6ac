"""Choose default parameters and preprocessing for texts shorter than the papers' corpora.

With the papers' settings, training on a short text would leave the vectors near their random initial values. The
defaults in this module therefore increase the number of epochs or the learning rate. Without a GPU, they also reduce
the size of networks. Two choices are based on evaluation scores: ``siamese_cbow`` as the default family, and a single
epoch for this family on all but very short texts.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any, NamedTuple

from sentrep.api.stores import Preprocessing
from sentrep.corpora.store import TokenStore

FAMILY = "siamese_cbow"
"""The default family, chosen because it trains fast and scores well when it is trained on little text."""
# Neural networks that read all tokens, including punctuation, and distinguish between upper and lower case.
_NETWORKS = frozenset({"conv_autoencoder", "infersent", "quick_thoughts", "sdae", "skip_thought"})
# Families whose results do not depend on the number of threads.
_ANY_THREADS = frozenset({"cbos", "siamese_cbow"})
_PAPER_RATE_TOTAL = 74.0042  # learning rate times batches per epoch in the Siamese CBOW paper: 1e-4 x 740,042
_LARGE = 50_000_000  # texts with fewer tokens than this count as short
_LARGEST_RATE = 1.0


class Default(NamedTuple):
    """A parameter value that replaces the default of the model family.

    Attributes:
        name: name of the parameter, such as "epochs".
        value: value to use instead of the default of the family.
        reason: why this value is used, as a phrase for the log.
    """

    name: str
    value: Any
    reason: str


def preprocessing(family: str) -> Preprocessing:
    """Return the default preprocessing for a model family."""
    if family in _NETWORKS:
        return Preprocessing(tokeniser="treebank", keep_all_tokens=True)
    return Preprocessing()


def threads(family: str) -> int:
    """Return the default number of threads.

    The default is 1 if the trained model depends on the number of threads. Otherwise, it is the number of available
    cores, but at most 8.
    """
    return min(8, len(os.sched_getaffinity(0))) if family in _ANY_THREADS else 1


def parameters(family: str, store: TokenStore, device: str) -> list[Default]:
    """Return the parameter values to use for a text and a device instead of the family's defaults.

    Args:
        family: name of the model family.
        store: token store of the text on which the model is trained.
        device: "cpu" or "cuda".
    """
    found = _BY_FAMILY[family](store) if family in _BY_FAMILY else []
    if family in _SMALL_NETWORKS and device == "cpu":
        reason = "as in the preset `novels`, whose networks are small enough to train on a CPU"
        found += [Default(name, value, reason) for name, value in _SMALL_NETWORKS[family]]
    if "vocabulary" in (names := {default.name for default in found}) and family in _NETWORKS:
        found = [default for default in found if default.name != "vocabulary" or default.value < store.vocabulary_size]
    if family == "quick_thoughts" and "validation_sentences" not in names:
        reason = "5% of the sentences, but at most 50,000"
        found.append(Default("validation_sentences", min(50_000, store.n_sentences // 20), reason))
    return found


def _epochs(store: TokenStore, few: int, most: int) -> list[Default]:
    """Return a list with a default number of epochs for a short text, or an empty list if ``few`` epochs are enough.

    The number of epochs is chosen such that training reads about as many tokens as in ``few`` epochs over a text of 50
    million tokens, but it is at most ``most``.
    """
    epochs = min(most, max(few, round(few * _LARGE / max(1, store.n_tokens))))
    return [Default("epochs", epochs, f"because the text is short: {store.n_tokens:,} tokens")] if epochs > few else []


def _siamese_cbow(store: TokenStore) -> list[Default]:
    batches = max(1, store.n_sentences // 100)
    if batches < _PAPER_RATE_TOTAL / _LARGEST_RATE:
        epochs = min(10, round(_PAPER_RATE_TOTAL / _LARGEST_RATE / batches))
        return [
            Default("learning_rate", _LARGEST_RATE, "the largest learning rate that is chosen by default"),
            Default("epochs", max(1, epochs), f"because the text is short: {store.n_sentences:,} sentences"),
        ]
    reason = (
        "the learning rate times the number of batches per epoch is the same as in the paper, 1e-4 x 740,042; "
        "a text with fewer batches therefore gets a higher learning rate"
    )
    return [Default("learning_rate_total", _PAPER_RATE_TOTAL, reason)]


def _word2vec(store: TokenStore) -> list[Default]:
    found = _epochs(store, 5, 50)
    if store.n_tokens < _LARGE:
        reason = (
            "default of the word2vec tool; "
            "with the Siamese CBOW paper's threshold of 1e-5, most words of a short text would be left out"
        )
        found.append(Default("sample", 1e-3, reason))
    return found


def _paragraph_vector(store: TokenStore) -> list[Default]:
    if store.n_tokens >= _LARGE:
        return []
    reason = "on a short text, the default would leave the vectors near their random initial values"
    return [*_epochs(store, 1, 5), Default("learning_rate", 0.1, reason), Default("inference_epochs", 20, reason)]


_BY_FAMILY: dict[str, Callable[[TokenStore], list[Default]]] = {
    "cbos": lambda store: _epochs(store, 10, 20),
    "fastsent": lambda store: _epochs(store, 1, 10),
    "paragraph_vector": _paragraph_vector,
    "siamese_cbow": _siamese_cbow,
    "word2vec": _word2vec,
}
# Parameter values from the preset `novels`.
_SMALL_NETWORKS: dict[str, list[tuple[str, Any]]] = {
    "conv_autoencoder": [
        *(("vocabulary", 10_001), ("word_dimension", 100), ("feature_maps", 200), ("units", 200)),
        *(("batch_size", 32), ("learning_rate", 1e-3), ("max_tokens", 30)),
    ],
    "quick_thoughts": [("units", 240), ("word_dimension", 150), ("vocabulary", 20_000), ("learning_rate", 1e-3)],
    "sdae": [
        *(("units", 200), ("word_dimension", 100), ("vocabulary", 5000), ("batch_size", 64), ("learning_rate", 1e-3)),
    ],
    "skip_thought": [
        *(("units", 200), ("word_dimension", 100), ("vocabulary", 5000), ("batch_size", 64), ("learning_rate", 1e-3)),
    ],
}
