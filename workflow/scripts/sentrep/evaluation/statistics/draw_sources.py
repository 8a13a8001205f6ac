"""Compute how the values in the tables and figures of a run vary over bootstrap draws of the test items and seeds.

The test items are sentence pairs (STS), test examples of transfer tasks, analogy questions, and pairs of texts
(weighted aggregation). The four analogy questions that are formed from one tuple of sentences are drawn together.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.evaluation.analogies.scoring import ANSWER_COLUMNS
from sentrep.evaluation.statistics.bootstrap import DRAWS, SET_SEED, Floats, correlation_draws, draw_weights
from sentrep.evaluation.statistics.draws import BOTH, Drawn, Key, axis, write_draws
from sentrep.evaluation.sts.scoring import PROTOCOLS, SIMILARITY_COLUMNS, SNAPSHOT
from sentrep.evaluation.sts.sets import STANDARD, gold_scores, load_sets
from sentrep.evaluation.transfer.predictions import (
    Predictions,
    read_predictions,
    read_snapshot_predictions,
)
from sentrep.evaluation.transfer.relatedness import expected_scores
from sentrep.evaluation.transfer.tasks import SIZE_PROTOCOL, SIZE_TASKS
from sentrep.io.csv_files import read_csv
from sentrep.io.frames import groups_of

Point = Mapping[str, Any]
"""The ``system`` and ``seed`` of a file of results; in a sweep, also ``item`` (the figure) and ``x`` (the position on
the figure's horizontal axis). If the axis shows numbers of epochs, ``x`` is absent, because the file covers all
snapshots. If ``only_mean`` is true, draws are computed only for the mean over all sets, not for each set."""
Found = Iterator[tuple[Key, Drawn]]
WITH_QUERY = "with query sentences"
ERROR = "split error"
_CELLS = 20_000_000  # maximum number of elements in an array of weights


def run_draws(
    *,
    similarities: Sequence[str],
    points: Sequence[Point],
    pairs: str,
    description: str,
    npz: str,
    predictions: Sequence[str] = (),
    predicted: Sequence[Point] = (),
    tasks: Mapping[str, Mapping[str, str]] | None = None,
    answers: Sequence[str] = (),
    mistakes: Sequence[str] = (),
    columns: Sequence[str] = (),
) -> None:
    """Write the bootstrap draws of the values in the tables and figures of a run.

    Args:
        similarities: files of similarities.
        points: system and seed of each file of similarities, in the same order; in a sweep, also item and x (see
            :data:`Point`).
        pairs: file of the sentence-pair sets.
        description: file that describes the sentence-pair sets.
        npz: file to write; :mod:`sentrep.evaluation.statistics.draws` describes its format.
        predictions: files of predictions for transfer tasks.
        predicted: system and seed for each file of predictions, in the same order; if ``item`` is also given, the
            predictions of the model's snapshots are used.
        tasks: label and measure of each transfer task.
        answers: files of answers to analogy questions.
        mistakes: files that state which pairs of texts each method misclassifies.
        columns: table column of each file of mistakes; files for the same column belong to different seeds.
    """
    frames = [read_csv(path, SIMILARITY_COLUMNS) for path in similarities]
    gold = gold_scores(load_sets(pairs, description)[0])
    tables = [read_csv(path, ANSWER_COLUMNS) for path in answers]
    found = chain(
        similarity_draws(frames, points, gold),
        transfer_draws(*_results(predictions, predicted), tasks or {}),
        analogy_draws(pd.concat(tables, ignore_index=True)) if tables else (),
        mistake_draws([dict(np.load(path)) for path in mistakes], columns),
    )
    write_draws(npz, found)


def _results(
    files: Sequence[str], points: Sequence[Point]
) -> tuple[list[Mapping[tuple[str, str], Predictions]], list[Point]]:
    """Read the predictions of each model or snapshot from the files, and return them with a :data:`Point` for each."""
    results: list[Mapping[tuple[str, str], Predictions]] = []
    places: list[Point] = []
    for path, point in zip(files, points, strict=True):
        found = read_snapshot_predictions(path) if "item" in point else {np.nan: read_predictions(path)}
        results += found.values()
        places += [{**point, "x": epochs} for epochs in found]
    return results, places


def similarity_draws(frames: Sequence[pd.DataFrame], points: Sequence[Point], gold: pd.DataFrame) -> Found:
    """Yield the bootstrap draws of Pearson's r for each system, set and protocol.

    Combinations for which r is undefined in any draw are omitted. For systems with ``only_mean``, the draws of the mean
    over all sets under the protocol ``paper`` are yielded instead, with a key whose row is empty.

    Args:
        frames: similarities for each model and seed, possibly with additional columns for snapshots.
        points: system and seed of each frame; in a sweep, also item and x; possibly also only_mean (see
            :data:`Point`).
        gold: human scores, with the columns year, dataset, pair and gold.
    """
    means: dict[str, list[Drawn]] = {point["system"]: [] for point in points if point.get("only_mean")}
    sets = 0
    columns: list[Floats] = []
    of_value: dict[tuple[str, str, float], dict[int, int]] = {}
    for frame, point in zip(frames, points, strict=True):
        aligned = frame.set_index(SIMILARITY_COLUMNS[:3]).reindex(pd.MultiIndex.from_frame(gold.iloc[:, :3]))
        item = str(point.get("item", ""))
        names = {"similarity": float(point.get("x", np.nan))}
        if item and "x" not in point:
            names = {name: float(name.removeprefix(SNAPSHOT)) for name in frame if name.startswith(SNAPSHOT)}
        for name, x in names.items():
            of_value.setdefault((point["system"], item, x), {})[point["seed"]] = len(columns)
            columns.append(aligned[name].to_numpy(np.float64))
    values = np.stack(columns, axis=1) if columns else np.zeros((len(gold), 0))
    scores, unscored = gold["gold"].to_numpy(np.float64), gold["gold"].isna().to_numpy()
    for place, standard in enumerate(STANDARD):
        of_set = ((gold["year"] == standard.year) & (gold["dataset"] == standard.dataset)).to_numpy()
        both = not (of_set & unscored).any()
        choices = {BOTH.join(PROTOCOLS): of_set} if both else {"paper": of_set, "official": of_set & ~unscored}
        sets += bool(of_set.any())
        for protocol, rows in choices.items() if of_set.any() else ():
            measured, draws = correlation_draws(values[rows], np.nan_to_num(scores[rows]), SET_SEED + place)
            for (system, item, x), of_seed in of_value.items():
                chosen = [of_seed[seed] for seed in sorted(of_seed)]
                if not np.isfinite(draws[:, chosen]).all():
                    continue
                drawn = Drawn.of(int(rows.sum()), measured[chosen], draws[:, chosen])
                if system not in means:
                    key = Key(system, f"{standard.year} {standard.label}", "pearson", protocol, **axis(item, x))
                    yield key, drawn
                elif protocol != "official":
                    means[system].append(drawn)
    for system, of_sets in means.items():
        if of_sets and len(of_sets) == sets:
            yield Key(system, "", "pearson", "paper"), mean_of(of_sets)


def transfer_draws(
    results: Sequence[Mapping[tuple[str, str], Predictions]],
    points: Sequence[Point],
    tasks: Mapping[str, Mapping[str, str]],
) -> Found:
    """Yield the bootstrap draws of the accuracy in percent, or of Pearson's r, for each system, task and protocol.

    If a system does not belong to a sweep and has predictions for all tasks in table 9 of Logeswaran and Lee (2018),
    the draws of its mean accuracy over these tasks are also yielded, with a key whose row and protocol are empty.

    Args:
        results: mappings from (protocol, task) to predictions, each for one model and seed or for one snapshot.
        points: system and seed for each entry of ``results``; for a snapshot, also item and x.
        tasks: label and measure of each task.
    """
    of_system: dict[tuple[str, str, str], dict[int, Mapping[tuple[str, str], Predictions]]] = {}
    for result, point in zip(results, points, strict=True):
        place = axis(str(point.get("item", "")), float(point.get("x", np.nan)))
        known = of_system.setdefault((point["system"], place["x"], place["item"]), {})
        known[point["seed"]] = {**known.get(point["seed"], {}), **result}  # Kim's CNN has one file for each task
    for (system, x, item), of_seed in of_system.items():
        seeds = [of_seed[seed] for seed in sorted(of_seed)]
        of_size: list[Drawn] = []
        for protocol, task in seeds[0]:
            related = tasks[task]["measure"] == "relatedness"
            drawn = _predicted(task, related, [seed[protocol, task] for seed in seeds])
            if drawn and protocol == SIZE_PROTOCOL and task in SIZE_TASKS:
                of_size.append(drawn)
            if drawn:
                metric = "pearson" if related else "accuracy"
                yield Key(system, tasks[task]["label"], metric, protocol, x, item), drawn
        if len(of_size) == len(SIZE_TASKS) and not item:
            yield Key(system, "", "accuracy"), mean_of(of_size)


def mean_of(found: Sequence[Drawn]) -> Drawn:
    """Return the variation of the mean of several values that have the same seeds and different test items."""
    deviations = np.mean([drawn.deviations for drawn in found], axis=0)
    return Drawn(sum(drawn.items for drawn in found), found[0].seeds, deviations)


def _predicted(task: str, related: bool, of_seeds: Sequence[Predictions]) -> Drawn | None:
    """Return the bootstrap draws of a system's result on one task: its accuracy in percent, or Pearson's r.

    The drawn test items depend only on the task and its number of items, so they are the same for all systems.

    Args:
        task: key of the task.
        related: whether the task is a relatedness task; if so, the measure is Pearson's r instead of the accuracy.
        of_seeds: predictions for each seed.

    Returns:
        The draws, or None if Pearson's r is undefined in one of the draws.
    """
    targets = of_seeds[0].targets
    number = zlib.crc32(task.encode())
    if related:
        scores = np.stack([expected_scores(seed.log_probabilities, 0) for seed in of_seeds], axis=1)
        measured, draws = correlation_draws(scores, targets.astype(np.float64), number)
        return Drawn.of(len(targets), measured, draws) if np.isfinite(draws).all() else None
    right = np.stack([seed.log_probabilities.argmax(axis=1) == seed.targets for seed in of_seeds], axis=1)
    return Drawn.of(len(targets), 100 * right.mean(axis=0), 100 * mean_draws(right, number))


def analogy_draws(answers: pd.DataFrame) -> Found:
    """Yield the bootstrap draws of the accuracy (from 0 to 1) on analogy questions for each model and relation.

    Each draw samples tuples of four sentences with replacement, and uses the four questions of each sampled tuple.
    """
    for (model, relation), group in groups_of(answers, ["model", "relation"]):
        shares = group.assign(correct=group["correct"].astype(float)).pivot_table("correct", "tuple", "seed")
        right = shares.sort_index(axis=1).to_numpy(np.float64)
        draws = mean_draws(right, zlib.crc32(str(relation).encode()))
        drawn = Drawn.of(len(group) // right.shape[1], right.mean(axis=0), draws)
        yield Key(str(model), str(relation), "retrieval", WITH_QUERY), drawn


def mistake_draws(files: Sequence[Mapping[str, npt.NDArray[Any]]], columns: Sequence[str]) -> Found:
    """Yield the bootstrap draws of the split error in percent for each table column and method.

    The split error is the mean of two error rates, one on related pairs and one on non-related pairs. The two kinds of
    pairs are drawn separately.

    Args:
        files: for each file, the arrays ``methods`` (k,), ``mistakes`` (n, k) and ``related`` (n,), as described under
            ``mistakes`` in :class:`sentrep.aggregation.evaluation.Evaluation`.
        columns: table column of each file; files with the same column belong to different seeds.
    """
    for column in dict.fromkeys(columns):
        own = [found for found, name in zip(files, columns, strict=True) if name == column]
        errors, draws = [], []
        for found in own:
            kinds = [found["mistakes"][found["related"] == related] for related in (True, False)]
            errors.append(50 * sum(kind.mean(axis=0) for kind in kinds))
            draws.append(50 * sum(mean_draws(kind, number) for number, kind in enumerate(kinds)))
        for place, method in enumerate(own[0]["methods"].tolist()):
            measured = np.array([error[place] for error in errors])
            drawn = np.stack([draw[:, place] for draw in draws], axis=1)
            yield Key(column, method, ERROR), Drawn.of(len(own[0]["related"]), measured, drawn)


def mean_draws(values: npt.NDArray[Any], seed: int) -> Floats:
    """Return the mean of each column over the rows drawn in each bootstrap draw, (DRAWS, k).

    If there are many rows, the draws are computed in several parts to limit memory use.

    Args:
        values: (n, k) values, one row per test item.
        seed: seed of the draws.
    """
    n, numbers = len(values), values.astype(np.float64)
    size = min(DRAWS, max(1, _CELLS // n))
    starts = range(0, DRAWS, size)
    parts = (draw_weights(n, seed + start, min(size, DRAWS - start)) @ numbers for start in starts)
    return np.concatenate(list(parts)) / n
