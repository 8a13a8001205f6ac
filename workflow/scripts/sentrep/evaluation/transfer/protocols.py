"""Evaluate the vectors of a model on a transfer task, under one of two protocols.

``kiros``
    The protocol of the scripts that Kiros et al. (2015) released and that Logeswaran and Lee (2018) also use. Items are
    shuffled with seed 1234. Items with an empty text (in pairs, an empty first text) are omitted. MR, CR, SUBJ and MPQA
    are scored by nested 10-fold cross-validation with consecutive folds. For TREC and MSRP, the parameter C of the
    classifier (the inverse of the regularisation strength) is chosen by 10-fold cross-validation on the training items.
    The chosen C maximises F1 for MSRP, and the accuracy for the other classification tasks. The values of C are the
    powers of 2 from 2^0 to 2^8.
``senteval``
    The protocol of SentEval with its scikit-learn classifier (``usepytorch=False``) and 10 folds. Items are sorted by
    length. Folds are stratified and are drawn with seed 1111. The values of C are the powers of 2 from 2^-2 to 2^3, or
    from 2^-1 to 2^5 for tasks with a test split but no dev split. The chosen C maximises the accuracy in percent,
    rounded to two decimals. The published SentEval scores come from a different classifier, which was trained with Adam
    and early stopping.

If a task has a dev split, both protocols choose C on this split. Both protocols train logistic regression with the
objective of liblinear; if there are more than two classes, they train one classifier for each class against the rest.
For relatedness tasks, they instead train a softmax classifier whose classes are the integer scores.
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
from sentrep.evaluation.transfer.features import pair_features
from sentrep.evaluation.transfer.folds import Splitter, make_rounds, prepare
from sentrep.evaluation.transfer.predictions import Predictions, accuracy, f1
from sentrep.evaluation.transfer.tasks import WHOLE, Task


@dataclass(frozen=True)
class Protocol:
    """An evaluation protocol for transfer tasks.

    Attributes:
        normalisation: default normalisation of the vectors, which the configuration can override.
        by_length: whether items are sorted by length instead of being shuffled.
        splitter: object that divides items into folds.
        grid: values of C, the inverse regularisation strength, for tasks without a test split or with a dev split.
        grid_test: values of C for tasks with a test split but no dev split.
        keep_empty: whether items with empty texts are kept instead of being skipped.
        paraphrase: measure by which C is chosen in paraphrase tasks.
        decimals: number of decimals to which mean validation scores in percent are rounded before they are compared;
            None for no rounding.
        training: settings for training the classifier in relatedness tasks.
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
    """Return the evaluation protocol with the given name.

    Raises:
        SentrepError: the protocol is unknown.
    """
    if name not in PROTOCOLS:
        raise unknown_name("transfer.protocols", "protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


def evaluate(
    task: Task,
    encoder: TextEncoder,
    protocol: Protocol,
    normalisation: Normalisation,
    device: str = "cpu",
) -> tuple[Predictions, Encoded]:
    """Train a classifier on the vectors of a model, and predict the classes or scores of the test items of a task.

    Args:
        task: the task.
        encoder: the model.
        protocol: evaluation protocol.
        normalisation: normalisation of the vectors.
        device: torch device on which logistic regression multiplies dense features.

    Returns:
        The predictions, and the vectors of all texts.

    Raises:
        SentrepError: there are too few items for the folds, a class has no training items, or a vector is not finite.
    """
    parts = {
        split: prepare(items, by_length=protocol.by_length, keep_empty=protocol.keep_empty)
        for split, items in task.parts.items()
    }
    texts = [text for items in parts.values() for text in items.texts()]
    encoded = encode(encoder, texts, normalisation, task.label)
    features = _features(parts, encoded.vectors)
    if task.measure == "relatedness":
        return _relatedness(task, parts, features, protocol.training), encoded
    targets = np.concatenate([items.targets for items in parts.values()])
    rounds = make_rounds(task, parts, protocol.splitter)
    grid = protocol.grid if WHOLE in parts or "dev" in parts else protocol.grid_test
    measure = f1 if task.measure == "paraphrase" and protocol.paraphrase == "f1" else accuracy
    design = logistic.prepare(features, device=device)
    return classify(design, targets, len(task.classes), rounds, grid, measure, protocol.decimals), encoded


def _features(parts: Mapping[str, LabelledTexts], vectors: Features) -> Features:
    """Return the features of all items, in the order of the splits.

    The features of a single text are its vector. The features of a pair of texts are those of :func:`pair_features`.
    """
    if all(items.second is None for items in parts.values()):
        return vectors
    ends = np.cumsum([2 * len(items) for items in parts.values()])
    halves = [np.split(rows, 2) for rows in np.split(np.arange(ends[-1]), ends[:-1])]
    first, second = (np.concatenate(side) for side in zip(*halves, strict=True))
    return pair_features(vectors[first], vectors[second])


def _relatedness(
    task: Task, parts: Mapping[str, LabelledTexts], features: Features, training: relatedness.Training
) -> Predictions:
    ends = np.cumsum([0, *(len(items) for items in parts.values())])
    of_split: dict[str, Any] = {split: features[a:b] for split, a, b in zip(parts, ends[:-1], ends[1:], strict=True)}
    if isinstance(features, sp.csr_array):
        # Columns that are zero in all training items are dropped, because training would not change the random initial
        # weights of these columns.
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
