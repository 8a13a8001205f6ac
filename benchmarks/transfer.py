"""Compare the speed of sentrep's solver for transfer tasks with that of scikit-learn's solvers, on one thread.

Each task has the same numbers of items, classes and folds as the real task under the protocol ``kiros``. Features are
random vectors, either dense with a decaying spectrum, like sentence vectors, or sparse, like tf-idf vectors. Speed is
the number of classifiers trained per second. A classifier is trained for each combination of a fold, a value of the
penalty parameter C and a class; tasks with two classes need only one classifier per fold and value of C. sentrep trains
all classifiers of a task, including the final classifiers with the chosen C. scikit-learn trains only the classifiers
of the first fold, either with lbfgs and warm starts from one value of C to the next, or with liblinear, which does not
support warm starts. All solvers minimise the same objective, which also penalises the intercept (the weight of a
constant feature).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import scipy.sparse as sp
from common import Contestant, Work, at_least
from inputs import Settings
from sklearn.linear_model import LogisticRegression

from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.evaluation.transfer.classification import classify
from sentrep.evaluation.transfer.folds import Round, make_rounds
from sentrep.evaluation.transfer.logistic import prepare
from sentrep.evaluation.transfer.predictions import accuracy
from sentrep.evaluation.transfer.protocols import PROTOCOLS
from sentrep.evaluation.transfer.tasks import Task

# For each task, the number of items in each split, and the number of classes.
TASKS: dict[str, tuple[dict[str, int], int]] = {
    "MR": ({"all": 10_662}, 2),
    "CR": ({"all": 3_775}, 2),
    "SUBJ": ({"all": 10_000}, 2),
    "MPQA": ({"all": 10_606}, 2),
    "SST": ({"train": 67_349, "dev": 872, "test": 1_821}, 2),
    "SST, 5 classes": ({"train": 8_544, "dev": 1_101, "test": 2_210}, 5),
    "TREC": ({"train": 5_452, "test": 500}, 6),
    "MSRP": ({"train": 4_076, "test": 1_725}, 2),
}
WIDTHS = {"MR": (300, 4800), "TREC": (300, 4800)}
SPARSE_WORDS, SPARSE_COLUMNS = 20, 20_000
# Maximum number of dimensions of dense features for liblinear; with 4,800, it takes minutes to train one classifier.
LIBLINEAR_UP_TO = 300


def dense_features(items: int, width: int, classes: int) -> tuple[np.ndarray, np.ndarray]:
    """Draw random unit vectors with a decaying spectrum, and classes that depend on these vectors."""
    rng = np.random.default_rng(0)
    features = rng.standard_normal((items, width), dtype=np.float32) / np.arange(1, width + 1, dtype=np.float32) ** 0.5
    features /= np.linalg.norm(features, axis=1, keepdims=True)
    signal = features @ rng.standard_normal((width, classes)) + 0.3 * rng.standard_normal((items, classes))
    return features, signal.argmax(axis=1)


def sparse_features(items: int, classes: int) -> tuple[sp.csr_array, np.ndarray]:
    """Draw sparse vectors whose features have Zipfian frequencies, and classes that depend on these vectors."""
    rng = np.random.default_rng(0)
    columns = np.minimum(rng.zipf(1.3, (items, SPARSE_WORDS)), SPARSE_COLUMNS) - 1
    rows = np.repeat(np.arange(items), SPARSE_WORDS)
    values = np.full(len(rows), SPARSE_WORDS**-0.5)
    features = sp.csr_array((values, (rows, columns.ravel())), shape=(items, SPARSE_COLUMNS))
    signal = features @ rng.standard_normal((SPARSE_COLUMNS, classes)) + 0.3 * rng.standard_normal((items, classes))
    return features, signal.argmax(axis=1)


def rounds_of(name: str, parts: dict[str, int], classes: int, targets: np.ndarray) -> list[Round]:
    """Return the rounds of training, validation and testing of a task under the protocol ``kiros``.

    Args:
        name: name of the task.
        parts: number of items in each split.
        classes: number of classes.
        targets: class indices of all items, in the order of the splits.
    """
    items = dict(zip(parts, np.split(targets, np.cumsum(list(parts.values()))[:-1]), strict=True))
    labelled = {split: LabelledTexts([""] * len(of), None, of) for split, of in items.items()}
    task = Task(name, name, "accuracy", tuple(map(str, range(classes))), (0, 0), labelled)
    return make_rounds(task, labelled, PROTOCOLS["kiros"].splitter)


def first_fold(features: Any, targets: np.ndarray, classes: int, fold: Round, solver: str) -> list[float]:
    """Train scikit-learn's classifiers for the first fold of a round, and return the accuracy for each value of C."""
    train, validation = fold.search[0]
    labels = [1] if classes == 2 else range(classes)
    constant = np.ones((features.shape[0], 1), dtype=np.float32)
    if sp.issparse(features):
        rows = sp.csr_array(sp.hstack([features, constant], format="csr"))
    else:
        rows = np.hstack([features, constant])
    models = [
        LogisticRegression(solver=solver, fit_intercept=False, warm_start=solver == "lbfgs", max_iter=1000)
        for _ in labels
    ]
    found = []
    for penalty in PROTOCOLS["kiros"].grid:
        decisions = []
        for model, label in zip(models, labels, strict=True):
            model.set_params(C=penalty).fit(rows[train], targets[train] == label)
            decisions.append(model.decision_function(rows[validation]))
        winners = (decisions[0] > 0).astype(int) if classes == 2 else np.argmax(decisions, axis=0)
        found.append(accuracy(winners, targets[validation]))
    return found


def work(name: str, label: str, features: Any, targets: np.ndarray, solvers: dict[str, float]) -> Work:
    """Return the benchmark that measures how fast the classifiers of a transfer task are trained.

    Args:
        name: name of the transfer task.
        label: description of the features.
        features: (n, d) features of the items.
        targets: (n,) class indices of the items.
        solvers: dictionary that maps the names of scikit-learn's solvers to performance goals, that is, minimum ratios
            of sentrep's speed to the speed of the solver.
    """
    parts, classes = TASKS[name]
    share = len(targets) / sum(parts.values())
    sizes = {split: int(items * share) for split, items in parts.items()}
    sizes[next(iter(sizes))] += len(targets) - sum(sizes.values())
    rounds, grid = rounds_of(name, sizes, classes, targets), PROTOCOLS["kiros"].grid
    labels = 1 if classes == 2 else classes
    everything = sum(len(fold.search) * len(grid) + 1 for fold in rounds) * labels

    def ours() -> object:
        return classify(prepare(features), targets, classes, rounds, grid, accuracy)

    def peer(solver: str) -> Callable[[], object]:
        return lambda: first_fold(features, targets, classes, rounds[0], solver)

    contestants = [Contestant("sentrep", ours, everything)]
    for solver, times in solvers.items():
        goal = at_least(times)
        contestants.append(Contestant(f"scikit-learn, {solver}", peer(solver), len(grid) * labels, goal))
    return Work(f"classifiers of {name}, {label}", "classifiers/s", contestants)


def works(settings: Settings) -> Iterator[Work]:
    """Yield the tasks that ``run.py`` measures."""
    for name, (parts, classes) in TASKS.items():
        items = int(sum(parts.values()) * settings.size(100, 5) / 100)
        for width in WIDTHS.get(name, (300,)):
            solvers = {"lbfgs": 1.0} | ({"liblinear": 1.0} if width <= LIBLINEAR_UP_TO else {})
            dense = dense_features(items, settings.size(width, width // 10), classes)
            yield work(name, f"{dense[0].shape[1]} dimensions", *dense, solvers)
    parts, classes = TASKS["MR"]
    sparse = sparse_features(int(sum(parts.values()) * settings.size(100, 5) / 100), classes)
    yield work("MR", "sparse", *sparse, {"lbfgs": 1.0, "liblinear": 1.0})
