"""The two protocols that turn the vectors of a model into scores on a transfer task.

``kiros``     the released scripts of Kiros et al. (2015), which Logeswaran and Lee (2018) use: items shuffled with seed
1234; MR, CR, SUBJ and MPQA by nested 10-fold cross-validation over consecutive folds; TREC and MSRP by 10 folds of the
training items, MSRP for F1; C from 2^0 to 2^8. Empty items are skipped. ``senteval`` SentEval with its scikit-learn
classifier (``usepytorch=False``) and 10 folds: items sorted by length, stratified folds with seed 1111, C from 2^-2 to
2^3 (with a test split 2^-1 to 2^5), chosen by accuracy rounded to two decimals of a percent. The published numbers of
SentEval come from another classifier (Adam with early stopping).

Both choose C on the dev split of tasks that have one. Both train liblinear's logistic regression, one class against the
rest, and for relatedness a softmax over the scores.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import scipy.sparse as sp
from sklearn.model_selection import KFold, StratifiedKFold

from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.errors import unknown_name
from sentrep.evaluation.encoding import Encoded, Features, Normalisation, TextEncoder, encode
from sentrep.evaluation.transfer import logistic, relatedness
from sentrep.evaluation.transfer.classification import classify
from sentrep.evaluation.transfer.features import pair_features, surface_features
from sentrep.evaluation.transfer.folds import Splitter, make_rounds, prepare
from sentrep.evaluation.transfer.predictions import Predictions, accuracy, f1
from sentrep.evaluation.transfer.tasks import WHOLE, Task


@dataclass(frozen=True)
class Protocol:
    """An evaluation protocol.

    Attributes:
        normalisation: normalisation of the vectors, unless the configuration overrides it.
        by_length: items are sorted by length, not shuffled.
        splitter: makes folds.
        grid: C of tasks without a test split, or with a dev split.
        grid_test: C of tasks with a test split but no dev split.
        keep_empty: whether empty texts are items.
        paraphrase: measure that C is chosen by in tasks of paraphrases.
        decimals: digits to which accuracies in percent are rounded before they are compared; None: not rounded.
        training: training of the classifier of relatedness.
    """

    normalisation: Normalisation
    by_length: bool
    splitter: Splitter
    grid: tuple[float, ...]
    grid_test: tuple[float, ...]
    keep_empty: bool
    paraphrase: Literal["f1", "accuracy"]
    decimals: int | None
    training: relatedness.Training


def _powers(first: int, last: int) -> tuple[float, ...]:
    return tuple(2.0**exponent for exponent in range(first, last + 1))


PROTOCOLS = {
    "kiros": Protocol(
        normalisation="unit",
        by_length=False,
        splitter=KFold(10),
        grid=_powers(0, 8),
        grid_test=_powers(0, 8),
        keep_empty=False,
        paraphrase="f1",
        decimals=None,
        training=relatedness.KIROS,
    ),
    "senteval": Protocol(
        normalisation="none",
        by_length=True,
        splitter=StratifiedKFold(10, shuffle=True, random_state=1111),
        grid=_powers(-2, 3),
        grid_test=_powers(-1, 5),
        keep_empty=True,
        paraphrase="accuracy",
        decimals=2,
        training=relatedness.SENTEVAL,
    ),
}


def get_protocol(name: str) -> Protocol:
    """Return the protocol called ``name``.

    Raises:
        SentrepError: the protocol is unknown.
    """
    if name not in PROTOCOLS:
        raise unknown_name("transfer.protocols", "protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


def evaluate(
    task: Task, encoder: TextEncoder, protocol: Protocol, normalisation: Normalisation, surface: bool = False
) -> tuple[Predictions, Encoded]:
    """Predict a task's test items from the vectors of a model.

    Args:
        task: the task.
        encoder: the model.
        protocol: evaluation protocol.
        normalisation: normalisation of the vectors.
        surface: add the six :func:`surface_features` in tasks of paraphrases (used in the best rows of Kiros et al. but
            not by Logeswaran and Lee).

    Returns:
        Predictions, and the vectors.

    Raises:
        SentrepError: too few items for the folds, a fold lacks a class, or a vector is not finite.
    """
    parts = {
        split: prepare(items, by_length=protocol.by_length, keep_empty=protocol.keep_empty)
        for split, items in task.parts.items()
    }
    texts = [text for items in parts.values() for text in items.texts()]
    encoded = encode(encoder, texts, normalisation, task.label)
    features = _features(parts, encoded.vectors, task.measure == "paraphrase" and surface)
    if task.measure == "relatedness":
        return _relatedness(task, parts, features, protocol.training), encoded
    targets = np.concatenate([items.targets for items in parts.values()])
    rounds = make_rounds(task, parts, protocol.splitter)
    grid = protocol.grid if WHOLE in parts or "dev" in parts else protocol.grid_test
    measure = f1 if task.measure == "paraphrase" and protocol.paraphrase == "f1" else accuracy
    design = logistic.prepare(features)
    return classify(design, targets, len(task.classes), rounds, grid, measure, protocol.decimals), encoded


def _features(parts: Mapping[str, LabelledTexts], vectors: Features, surface: bool) -> Features:
    """Return the features of all items, split after split."""
    if all(items.second is None for items in parts.values()):
        return vectors
    ends = np.cumsum([2 * len(items) for items in parts.values()])
    halves = [np.split(rows, 2) for rows in np.split(np.arange(ends[-1]), ends[:-1])]
    first, second = (np.concatenate(side) for side in zip(*halves, strict=True))
    features = pair_features(vectors[first], vectors[second])
    if not surface:
        return features
    added = np.concatenate([surface_features(items.first, items.second or []) for items in parts.values()])
    if isinstance(features, sp.csr_array):
        return sp.csr_array(sp.hstack([features, added], format="csr"))
    return np.hstack([features, added])


def _relatedness(
    task: Task, parts: Mapping[str, LabelledTexts], features: Features, training: relatedness.Training
) -> Predictions:
    ends = np.cumsum([0, *(len(items) for items in parts.values())])
    of_split: dict[str, Any] = {split: features[a:b] for split, a, b in zip(parts, ends[:-1], ends[1:], strict=True)}
    if isinstance(features, sp.csr_array):
        # weights of columns without a training item would keep their random initial values
        used = np.unique(of_split["train"].indices)
        of_split = {split: rows[:, used].toarray() for split, rows in of_split.items()}
    predicted, validation, epochs = relatedness.fit(
        *(of_split["train"], parts["train"].targets, of_split["dev"], parts["dev"].targets, of_split["test"]),
        limits=task.scores,
        training=training,
    )
    return Predictions(
        log_probabilities=predicted,
        targets=parts["test"].targets,
        rounds=np.zeros(len(parts["test"]), dtype=np.int64),
        validation=np.array([validation]),
        chosen=np.array([epochs], dtype=np.float64),
        folds=0,
    )
