"""Expand the vocabulary of a trained network with words from a larger set of word vectors.

Kiros et al. (skip-thought, NIPS 2015, section 2.2) and Logeswaran and Lee (Quick Thoughts) map the vectors of a larger
vocabulary, such as the Google News vectors of word2vec, linearly into the vector space of the network's word vectors.
As in the released skip-thought code, each word table of the network has its own map, which has an intercept and is
fitted by ordinary least squares to the words that both vocabularies contain. The words of the network keep their
vectors. Words that contain "_" are not added, because word2vec joins the words of a phrase with this character.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from sentrep import networks
from sentrep.encoders.neural import NeuralEncoder
from sentrep.errors import SentrepError

log = logging.getLogger("sentrep")

Matrix = npt.NDArray[np.floating]


def expand(encoder: NeuralEncoder, words: Sequence[str], vectors: Matrix) -> NeuralEncoder:
    """Return a copy of an encoder, extended with words from another set of word vectors.

    Args:
        encoder: encoder whose network stores the number of rows of its word tables in ``settings["words"]``.
        words: the V words of the other set, in the order of ``vectors``.
        vectors: (V, d) vectors of the V words.

    Raises:
        SentrepError: the network has no trained word table, or at most d words of its vocabulary are in ``words``,
            which is too few to fit a linear map from ``vectors`` to a word table.
    """
    import torch

    network, rows = encoder.network, encoder.row_of
    tables = network.word_tables()
    unknown = encoder.vocabulary[0]  # never added, even if the other set has a vector for it
    shared = [i for i, word in enumerate(words) if word in rows]
    added = [i for i, word in enumerate(words) if word not in rows and "_" not in word and word != unknown]
    if not tables or len(shared) <= vectors.shape[1]:
        raise SentrepError(
            "expansion",
            expected=(
                f"a trained word table, and more than {vectors.shape[1]} words that the network shares with the input "
                "`expansion`"
            ),
            found=f"trained word tables: {len(tables)}, shared words: {len(shared)}",
            remedy=(
                "remove the input `expansion` or, if the network has a trained word table, use a model that shares "
                "more words with the network"
            ),
        )
    state = network.state_dict()
    names = {id(parameter): name for name, parameter in network.named_parameters()}
    for table in tables.values():
        trained = table.detach().cpu().numpy()
        known = trained[[rows[words[i]] for i in shared]]
        predicted = predict(*fit(vectors[shared], known), vectors[added]).astype(trained.dtype)
        state[names[id(table)]] = torch.from_numpy(np.concatenate([trained, predicted]))
    vocabulary = [*encoder.vocabulary, *(words[i] for i in added)]
    larger = networks.build(encoder.network_name, {**network.settings, "words": len(vocabulary)})
    larger.load_state_dict(state)
    log.info("words added to the vocabulary: %d; words used to fit the linear maps: %d", len(added), len(shared))
    return NeuralEncoder(
        *(encoder.network_name, larger, vocabulary, encoder.tokeniser_name),
        normalise=encoder.normalise,
        max_tokens=encoder.max_tokens,
        meta=encoder.meta,
    )


def fit(x: Matrix, y: Matrix) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
    """Return the (d, k) matrix A and the (k,) vector b that minimise |x A + b - y|^2.

    Args:
        x: (n, d) inputs.
        y: (n, k) targets.
    """
    x, y = x.astype(np.float64), y.astype(np.float64)
    x_mean, y_mean = x.mean(axis=0), y.mean(axis=0)
    slopes = np.linalg.lstsq(x - x_mean, y - y_mean, rcond=None)[0]
    return slopes, y_mean - x_mean @ slopes


def predict(slopes: Matrix, intercept: Matrix, x: Matrix, rows: int = 1 << 16) -> npt.NDArray[np.float32]:
    """Return x @ slopes + intercept as an (n, k) float32 array, computing ``rows`` rows at a time to save memory."""
    y = np.empty((len(x), slopes.shape[1]), dtype=np.float32)
    for begin in range(0, len(x), rows):
        y[begin : begin + rows] = x[begin : begin + rows] @ slopes + intercept
    return y
