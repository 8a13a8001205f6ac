"""The two protocols: how a model's vectors become scores on a task.

``kiros``     the released scripts of Kiros et al. (2015), which Logeswaran and Lee (2018) use: items shuffled with seed
1234; MR, CR, SUBJ and MPQA by nested 10-fold cross-validation over consecutive folds; TREC and MSRP by 10 folds of the
training items, MSRP for F1; C from 2^0 to 2^8. A task with a dev split chooses on it. Empty items are left out.
``senteval``  SentEval with its scikit-learn classifier (``usepytorch=False``) and 10 folds: items sorted by length,
stratified folds with seed 1111, C from 2^-2 to 2^3 (with a test split 2^-1 to 2^5), chosen by accuracy rounded to two
decimals of a percent. Its published numbers come from another classifier (Adam with early stopping).

Both train liblinear's logistic regression, one class against the rest, and for relatedness a softmax over the scores.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import scipy.sparse as sp

from sentrep.corpora.labelled_texts import LabelledTexts, Targets
from sentrep.errors import unknown_name
from sentrep.evaluation.transfer import relatedness
from sentrep.evaluation.transfer.classification import Predictions, accuracy, classify, f1
from sentrep.evaluation.transfer.features import (
    Encoded,
    Features,
    Normalisation,
    TextEncoder,
    encode,
    pair_features,
    surface_features,
)
from sentrep.evaluation.transfer.folds import Folds, Round, Rows, blocks, by_length, nested, shuffled, with_test
from sentrep.evaluation.transfer.logistic import prepare
from sentrep.evaluation.transfer.tasks import WHOLE, Task


@dataclass(frozen=True)
class Protocol:
    """How tasks are evaluated.

    Attributes:
        name: its name.
        normalisation: of the vectors, unless the configuration says otherwise.
        order: in which a part's items are read.
        cut: how rows are cut into folds.
        folds: how many.
        grid_nested: C of a task without splits.
        grid_test: C of a task with a test split.
        grid_dev: C of a task with a dev split, too.
        keep_empty: whether empty texts are items.
        paraphrase: what chooses C in tasks of paraphrases: "f1" or "accuracy".
        decimals: to which accuracies in percent are rounded before they are compared; None: not at all.
        training: of relatedness.
    """

    name: str
    normalisation: Normalisation
    order: Callable[[LabelledTexts], Rows]
    cut: Folds
    folds: int
    grid_nested: tuple[float, ...]
    grid_test: tuple[float, ...]
    grid_dev: tuple[float, ...]
    keep_empty: bool
    paraphrase: str
    decimals: int | None
    training: relatedness.Training


def stratified(seed: int) -> Folds:
    """Return folds with about equal shares of classes: scikit-learn's StratifiedKFold with shuffling."""

    def cut(rows: Rows, targets: Targets, folds: int) -> list[Rows]:
        from sklearn.model_selection import StratifiedKFold

        splitter = StratifiedKFold(n_splits=folds, shuffle=True, random_state=seed)
        return [rows[test] for _, test in splitter.split(np.zeros((len(rows), 1)), targets[rows])]

    return cut


def _powers(first: int, last: int) -> tuple[float, ...]:
    return tuple(2.0**exponent for exponent in range(first, last + 1))


_KIROS_GRID = _powers(0, 8)
PROTOCOLS = {
    "kiros": Protocol(
        name="kiros",
        normalisation="unit",
        order=lambda part: shuffled(part, 1234),
        cut=blocks,
        folds=10,
        grid_nested=_KIROS_GRID,
        grid_test=_KIROS_GRID,
        grid_dev=_KIROS_GRID,
        keep_empty=False,
        paraphrase="f1",
        decimals=None,
        training=relatedness.KIROS,
    ),
    "senteval": Protocol(
        name="senteval",
        normalisation="none",
        order=by_length,
        cut=stratified(1111),
        folds=10,
        grid_nested=_powers(-2, 3),
        grid_test=_powers(-1, 5),
        grid_dev=_powers(-2, 3),
        keep_empty=True,
        paraphrase="accuracy",
        decimals=2,
        training=relatedness.SENTEVAL,
    ),
}


def protocol(name: str) -> Protocol:
    """Return the protocol called ``name``.

    Raises:
        SentrepError: there is none of that name.
    """
    if name not in PROTOCOLS:
        raise unknown_name("transfer.protocols", "protocol", name, PROTOCOLS)
    return PROTOCOLS[name]


def evaluate(
    task: Task, encoder: TextEncoder, chosen: Protocol, normalisation: Normalisation, surface: bool = False
) -> tuple[Predictions, Encoded]:
    """Predict a task's test items from a model's vectors.

    Args:
        task: what to do.
        encoder: the model.
        chosen: the protocol.
        normalisation: of the vectors.
        surface: in tasks of paraphrases, add the six features of :func:`surface_features` (Kiros et al.'s best rows;
            Logeswaran and Lee leave them out).

    Returns:
        Predictions, and what is to be recorded of the vectors.

    Raises:
        SentrepError: too few items for the folds, a fold without a class, a vector that is not finite.
    """
    parts = {split: _prepared(part, chosen) for split, part in task.parts.items()}
    texts = [text for part in parts.values() for text in part.texts()]
    encoded = encode(encoder, texts, normalisation, f"{task.label}, {chosen.name}")
    features = _features(parts, encoded.vectors, task.measure == "paraphrase" and surface)
    if task.measure == "relatedness":
        return _relatedness(task, parts, features, chosen.training), encoded
    targets = np.concatenate([part.targets for part in parts.values()])
    rounds, grid = _rounds(task, parts, targets, chosen)
    measure = f1 if task.measure == "paraphrase" and chosen.paraphrase == "f1" else accuracy
    return classify(prepare(features), targets, len(task.classes), rounds, grid, measure, chosen.decimals), encoded


def _prepared(part: LabelledTexts, chosen: Protocol) -> LabelledTexts:
    if not chosen.keep_empty:
        part = part.take(np.array([row for row, text in enumerate(part.first) if text], dtype=np.int64))
    return part.take(chosen.order(part))


def _features(parts: dict[str, LabelledTexts], vectors: Features, surface: bool) -> Features:
    """Return the features of all items, split by split."""
    first, second, at = [], [], 0
    for part in parts.values():
        first.append(np.arange(at, at + len(part)))
        at += len(part)
        if part.second is not None:
            second.append(np.arange(at, at + len(part)))
            at += len(part)
    if not second:
        return vectors
    features = pair_features(vectors[np.concatenate(first)], vectors[np.concatenate(second)])
    if not surface:
        return features
    beside = np.concatenate([surface_features(part.first, part.second or []) for part in parts.values()])
    if sp.issparse(features):
        return sp.csr_array(sp.hstack([features, beside], format="csr"))
    return np.hstack([features, beside])


def _rounds(
    task: Task, parts: dict[str, LabelledTexts], targets: Targets, chosen: Protocol
) -> tuple[list[Round], tuple[float, ...]]:
    """Return what trains and tests, in rows of all splits one after the other, and the grid of C."""
    if WHOLE in parts:
        return nested(task, targets, chosen.cut, chosen.folds), chosen.grid_nested
    ends = np.cumsum([len(part) for part in parts.values()])
    rows = dict(zip(parts, np.split(np.arange(ends[-1]), ends[:-1]), strict=True))
    if "dev" in rows:
        search = ((rows["train"], rows["dev"]),)
        return [Round(search, rows["train"], rows["test"])], chosen.grid_dev
    return with_test(task, targets, rows["train"], rows["test"], chosen.cut, chosen.folds), chosen.grid_test


def _relatedness(
    task: Task, parts: dict[str, LabelledTexts], features: Features, training: relatedness.Training
) -> Predictions:
    at, of_split = 0, {}
    for split, part in parts.items():
        of_split[split] = features[at : at + len(part)]
        at += len(part)
    if sp.issparse(features):
        # weights of columns that no training item has would stay random
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
