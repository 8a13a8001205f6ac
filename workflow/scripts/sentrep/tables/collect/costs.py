"""Collect model sizes, training times and scores for tables 1 and 9 and figure 2 of Logeswaran and Lee (2018)."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from statistics import fmean
from typing import Any

import numpy as np
import pandas as pd

from sentrep.errors import SentrepError
from sentrep.evaluation.sts.scoring import SCORE_COLUMNS as STS_COLUMNS
from sentrep.evaluation.training_costs import Cost, read_costs, read_history, seconds_at
from sentrep.evaluation.transfer.tasks import SIZE_PROTOCOL, SIZE_TASKS, SNAPSHOT_COLUMNS
from sentrep.io.frames import as_float, groups_of, rows_where
from sentrep.sources.published import OURS, Published, read_all, read_published
from sentrep.tables.collect import each, reads
from sentrep.tables.collect.sweeps import sweep_values
from sentrep.tables.systems import Entry, mean_over_seeds, names
from sentrep.tables.values import Value, described, with_published

SENTENCES = 45_786_400
"""Number of sentences that the released code of Quick Thoughts trains on; the paper says about 45 million."""
TRAINED, IMPORTED, UNTRAINED, PUBLISHED = "trained here", "imported", "untrained", "published"
_PAPER, _TIME = "quick_thoughts", "Training time"


@reads(models=read_costs, reported=read_published)
def time_values(models: Mapping[str, Cost], reported: Published, systems: Sequence[Entry], sample: bool) -> list[Value]:
    """Return the values of the columns Dim and Training time in table 1 of Logeswaran and Lee (2018).

    The values include measured training times and, except for sample data and imported models, training times projected
    to the size of the paper's corpus.
    """
    values = []
    for entry in systems:
        if entry["id"]:
            about, cost = names(entry), models[entry["id"]]
            value = Value(_PAPER, "training_time", _TIME, metric="hours", **about)
            values += [*_projection(value, cost, sample), *_run(value, cost)]
            values.append(replace(value, row="Dim", metric="dimension", mean=cost.dimension))
    shown = with_published(values, reported, "training_time", 1, lambda value: value.metric == "hours")
    return [value for value in shown if value.row in ("Section", "Dim", _TIME)]


def mean_accuracy(scores: pd.DataFrame) -> float:
    """Return the mean accuracy in percent over the six tasks of table 9 of Logeswaran and Lee (2018).

    Args:
        scores: transfer scores of one model and seed, with the columns protocol, task, metric and value.

    Returns:
        The mean accuracy, or NaN if a task was not scored.
    """
    chosen = rows_where(scores, (scores["protocol"] == SIZE_PROTOCOL) & (scores["metric"] == "accuracy"))
    rows = chosen.set_index("task")["value"]
    return as_float(rows.reindex(list(SIZE_TASKS)).mean(skipna=False))


@reads(models=list, scores=each(["protocol", "task", "metric", "value"]), reported=read_published)
def size_values(
    models: Sequence[str | Path], scores: Sequence[pd.DataFrame], reported: Published, sample: bool
) -> list[Value]:
    """Return training times and accuracies by vector dimension, as in table 9 of Logeswaran and Lee (2018).

    Args:
        models: model folders, one for each model and seed.
        scores: transfer scores, in one table for each model folder.
        reported: published values.
        sample: whether the models were trained on sample data.
    """
    values, accuracies = [], dict[str, list[float]]()
    for folder, table in zip(models, scores, strict=True):
        accuracies.setdefault(Path(folder).parent.name, []).append(mean_accuracy(table))
    for system, cost in read_costs(models).items():
        value = Value(_PAPER, "table9", str(cost.dimension), "MC-QT", "", system=system, label="MC-QT")
        value = replace(value, seeds=len(accuracies[system]))
        values += [*_projection(replace(value, metric="hours"), cost, sample), *_run(value, cost)]
        values.append(replace(value, metric="accuracy", mean=fmean(accuracies[system]), unit="percent"))
    return sorted(with_published(values, reported, "table9", 9, not sample), key=lambda value: int(value.row))


def _projection(value: Value, cost: Cost, sample: bool) -> Iterator[Value]:
    """Yield the hours that training on the paper's corpus would take at the measured speed.

    Nothing is yielded for sample data or for imported models.
    """
    if not sample and not math.isnan(cost.seconds):
        note = (
            "projected to the size of the paper's corpus; "
            f"the speed was measured on {cost.device}, not on the paper's hardware"
        )
        yield replace(value, mean=cost.hours(SENTENCES), seeds=1, unit="hours", note=note)


def _run(value: Value, cost: Cost) -> Iterator[Value]:
    """Yield values that describe the training of a model, such as the duration, the device and the speed."""
    missing = IMPORTED if cost.imported else ""
    timed = replace(value, missing=missing)
    yield replace(timed, metric="measured hours", mean=cost.hours(), sd=cost.seconds_sd / 3600, unit="hours")
    yield from described(value, state=missing or TRAINED, device=cost.device, threads=cost.threads)
    yield from described(value, sentences=cost.sentences)
    yield replace(timed, metric="seconds per million sentences", mean=cost.seconds_per_million, unit="seconds")


@reads(models=read_costs, reported=read_all)
def model_values(
    models: Mapping[str, Cost],
    rows: Sequence[Mapping[str, Any]],
    published_only: Sequence[Entry],
    reported: Mapping[str, Published],
) -> list[Value]:
    """Return the size, training time and origin (trained here, imported, untrained or published) of each model.

    The row of a value is the id of the model, or the label of a published system that has no model.

    Args:
        models: training costs, keyed by model id.
        rows: for each model, a mapping with the keys id, label, baseline, seeds and papers (the papers that report
            values for the model).
        published_only: published systems without a model in the run.
        reported: published values, keyed by paper.
    """
    values = []
    for model in rows:
        cost, seeds = models[model["id"]], len(model["seeds"])
        about: dict[str, Any] = {"system": model["id"], "label": model["label"], "baseline": bool(model["baseline"])}
        value = Value(OURS, "models", model["id"], "", "", seeds=seeds, **about)
        values += described(
            value,
            family=cost.family,
            papers="; ".join(model["papers"]),
            state=UNTRAINED if model["baseline"] else IMPORTED if cost.imported else TRAINED,
            device=cost.device,
            processor=cost.processor,
            parameters=math.nan if cost.parameters is None else cost.parameters,
            dimension=cost.dimension,
            sentences=cost.sentences,
            epochs=cost.epochs,
            seconds=cost.seconds,
            seeds=seeds,
            threads=cost.threads,
            processor_share=cost.processor_share,
        )
        speed = replace(value, metric="seconds per million sentences", mean=cost.seconds_per_million)
        values.append(replace(speed, sd=cost.seconds_sd / cost.sentences * 1e6))
    for entry in published_only:
        paper, table, column = (entry["reported"][name] for name in ("paper", "table", "column"))
        value = Value(OURS, "models", entry["label"], "", "", label=entry["label"])
        dimension = reported[paper].text(table, "Dim", column, "dimension") or ""
        values += described(value, papers=paper, state=PUBLISHED)
        values.append(replace(value, metric="dimension", published=dimension))
    return values


def _read_histories(folders: Sequence[str | Path]) -> list[pd.DataFrame]:
    return [read_history(folder) for folder in folders]


@reads(scores=each(STS_COLUMNS), accuracies=each(SNAPSHOT_COLUMNS), models=_read_histories, reported=read_published)
def curve_values(
    scores: Sequence[pd.DataFrame],
    accuracies: Sequence[pd.DataFrame],
    models: Sequence[pd.DataFrame],
    points: Sequence[Mapping[str, Any]],
    tasks: Mapping[str, Mapping[str, Any]],
    reported: Published,
) -> list[Value]:
    """Return accuracies, correlations and training times by epoch, as in figure 2 of Logeswaran and Lee (2018).

    Args:
        scores: scores on sentence pairs, including the scores of snapshots, in one table for each model and seed.
        accuracies: scores of the snapshots on transfer tasks, for the same models and seeds.
        models: training histories (``training.csv``) of the same models and seeds.
        points: for each model and seed, a mapping as described in :func:`sentrep.tables.collect.sweeps.sweep_values`.
        tasks: mapping from the key of each task in the configuration to the label and the measure of the task.
        reported: published values.

    Raises:
        SentrepError: a table in ``scores`` contains no scores of snapshots, or a training history ends before the last
            snapshot.
    """
    for table, point in zip(scores, points, strict=True):
        if table["epochs"].isna().to_numpy().all():
            raise SentrepError(
                f"models.{point['id']}.parameters",
                expected="snapshots that were saved during training",
                found="none",
                remedy="set `snapshots_per_epoch` to 1 or more",
            )
    values = sweep_values(_PAPER, "figure2", scores, points, "epochs")
    values += _accuracies(accuracies, points, tasks)
    for system in dict.fromkeys(point["id"] for point in points):
        seeds = [place for place, point in enumerate(points) if point["id"] == system]
        epochs = np.unique([value.x for value in values if value.system == system and not math.isnan(value.x)])
        seconds = np.mean([seconds_at(models[place], epochs) for place in seeds], axis=0)
        label = points[seeds[0]]["label"]
        value = Value(_PAPER, "figure2", "", label, "seconds", system=system, label=label, unit="seconds")
        value = replace(value, seeds=len(seeds))
        values += [replace(value, x=x, mean=mean) for x, mean in zip(epochs, seconds, strict=True)]
    speed_up = reported.text("appendix C", "Training speedup", "Ours", "times") or ""
    return [*values, Value(_PAPER, "figure2", "", "", "speed-up", published=speed_up)]


def _accuracies(
    frames: Sequence[pd.DataFrame], points: Sequence[Mapping[str, Any]], tasks: Mapping[str, Mapping[str, Any]]
) -> Iterator[Value]:
    """Yield the mean accuracy over seeds for each model, protocol, transfer task and number of epochs."""
    named = [frame.assign(id=point["id"], label=point["label"]) for frame, point in zip(frames, points, strict=True)]
    scores = pd.concat(named, ignore_index=True)
    shown = rows_where(scores, scores["metric"] == "accuracy")
    keys = ["id", "label", "protocol", "task", "epochs"]
    for (system, label, protocol, task, epochs), group in groups_of(shown.sort_values([*keys, "seed"]), keys):
        row, x = tasks[str(task)]["label"], as_float(epochs)
        value = Value(_PAPER, "figure2", row, label, "accuracy", protocol, x, system=system, label=label)
        yield replace(value, unit="percent", **mean_over_seeds(group["value"].tolist())._asdict())
