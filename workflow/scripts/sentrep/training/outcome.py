"""Detect signs of failed training: a loss that did not fall, a loss that diverged, or a collapsed model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import Encoder
from sentrep.io.seal import read_meta

_SENTENCES = 200  # maximum number of corpus sentences that are compared with one another
_LEAST_FALL = 0.01  # smallest decrease in the loss that counts as progress, as a fraction of the first loss
_COLLAPSED = 0.95  # median cosine of unrelated sentences above which a model counts as collapsed
_END = 0.1  # fraction of the recorded losses, counted from the end, that are averaged to obtain the final loss


def findings(encoder: Encoder, store: TokenStore, history: Sequence[dict[str, float]]) -> list[str]:
    """Return a list of warnings, one for each sign that training failed; the list is usually empty.

    Args:
        encoder: trained model.
        store: corpus on which the model was trained.
        history: training history; see :class:`sentrep.training.run.Run`.
    """
    found = []
    losses = np.array([row["loss"] for row in history if "loss" in row])
    if len(losses) > 1:
        first, last = float(losses[0]), float(losses[-max(1, round(_END * len(losses))) :].mean())
        if last > first + 0.5 * abs(first):
            found.append(f"diverged: the loss rose from {first:.4g} to {last:.4g}; lower the learning rate")
        elif first - last < _LEAST_FALL * abs(first):
            found.append(
                f"the loss did not fall by at least {_LEAST_FALL:.0%}: it went from {first:.4g} to {last:.4g}; train "
                "on more text, for more epochs or with a higher learning rate"
            )
    cosine = median_cosine(encoder, store)
    if cosine > _COLLAPSED:
        found.append(
            f"collapsed: the median cosine of unrelated sentences is {cosine:.3f}, so most sentences have similar "
            "vectors; train on more text or with a lower learning rate"
        )
    return found


def inherited(folders: Iterable[Path]) -> list[str]:
    """Return the training warnings of the models that a model is built on.

    Args:
        folders: paths of the model's inputs; inputs that are not model folders are ignored.
    """
    metas = {folder: read_meta(folder) for folder in folders if (folder / "meta.json").is_file()}
    return [
        f"built on {'/'.join(folder.parts[-2:])}, whose training raised a warning: {warning}"
        for folder, meta in metas.items()
        for warning in meta.get("warnings", ())
    ]


def median_cosine(encoder: Encoder, store: TokenStore) -> float:
    """Return the median cosine of two sentence vectors, over all pairs of sentences in a sample of the corpus.

    The sampled sentences are spread evenly over the corpus. The result is NaN if the vectors are sparse or if fewer
    than 10 distinct sentences in the sample have a non-zero vector.
    """
    numbers = np.unique(np.linspace(0, store.n_sentences - 1, min(_SENTENCES, store.n_sentences)).astype(np.int64))
    texts = dict.fromkeys(
        " ".join(store.vocabulary[i] for i in store.ids[slice(*store.sentence_offsets[n : n + 2])]) for n in numbers
    )
    encoded = encoder.encode(tuple(texts))
    if not isinstance(encoded, np.ndarray):
        return float("nan")  # sparse vectors of word counts
    vectors = encoded.astype(np.float64)
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    vectors = np.divide(vectors, norms, where=norms > 0, out=np.zeros_like(vectors))[norms[:, 0] > 0]
    if len(vectors) < 10:
        return float("nan")
    return float(np.median((vectors @ vectors.T)[np.triu_indices(len(vectors), k=1)]))
