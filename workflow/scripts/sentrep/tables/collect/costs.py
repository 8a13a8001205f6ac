"""Values of sizes and training times: all models, and tables 1 and 9 of Logeswaran and Lee (2018)."""

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
from sentrep.io.csv_files import read_csv
from sentrep.io.frames import as_float, rows_where
from sentrep.sources.published import OURS, Published, read_all, read_published
from sentrep.tables.collect.sweeps import sweep_values
from sentrep.tables.systems import Entry, names
from sentrep.tables.values import Value, with_published

SENTENCES = 45_786_400
"""Sentences that the released code of Quick Thoughts trains on; the paper says about 45 million."""
TABLE9_TASKS = ["msrp", "trec", "mr", "cr", "subj", "mpqa"]
"""Tasks of Appendix D, as the configuration names them."""
TRAINED, IMPORTED, UNTRAINED, PUBLISHED = "trained here", "imported", "untrained", "published"
_PAPER, _TIME = "quick_thoughts", "Training time"


def time_values(costs: Mapping[str, Cost], paper: Published, systems: Sequence[Entry], *, sample: bool) -> list[Value]:
    """Return the values of the columns Dim and Training time of Table 1.

    Args:
        costs: costs by model.
        paper: the paper's published values.
        systems: systems of Table 1 that the paper publishes.
        sample: whether the models are those of the sample preset: times are not projected to the paper's corpus.
    """
    values = []
    for entry in systems:
        if entry["id"]:
            about, cost = names(entry), costs[entry["id"]]
            value = Value(_PAPER, "training_time", _TIME, metric="hours", **about)
            values += [*_projection(value, cost, sample), *_run(value, cost)]
            values.append(replace(value, row="Dim", metric="dimension", mean=cost.dimension))
    shown = with_published(values, paper, "training_time", 1, lambda value: value.metric == "hours")
    return [value for value in shown if value.row in ("Section", "Dim", _TIME)]


def mean_accuracy(scores: pd.DataFrame) -> float:
    """Return the accuracy of Table 9, in percent: the mean over six tasks; NaN if one was not scored.

    Args:
        scores: transfer scores of one model and seed: protocol, task, metric, value.
    """
    chosen = rows_where(scores, (scores["protocol"] == "kiros") & (scores["metric"] == "accuracy"))
    rows = chosen.set_index("task")["value"]
    return as_float(rows.reindex(TABLE9_TASKS).mean(skipna=False))


def size_values(points: Sequence[tuple[str, Cost, float]], paper: Published, *, sample: bool) -> list[Value]:
    """Return the values of Table 9: training time and accuracy by the size of the vectors.

    Args:
        points: id, cost and mean accuracy, in percent, of each model.
        paper: the paper's published values.
        sample: whether the models are those of the sample preset.
    """
    values = []
    for system, cost, accuracy in points:
        value = Value(_PAPER, "table9", str(cost.dimension), "MC-QT", "", system=system, label="MC-QT", seeds=1)
        values += [*_projection(replace(value, metric="hours"), cost, sample), *_run(value, cost)]
        values.append(replace(value, metric="accuracy", mean=accuracy, unit="percent"))
    return sorted(with_published(values, paper, "table9", 9, not sample), key=lambda value: int(value.row))


def _projection(value: Value, cost: Cost, sample: bool) -> Iterator[Value]:
    """Yield the hours that training on the paper's corpus would take at the same speed."""
    if not sample and not math.isnan(cost.seconds):
        note = f"projected to the paper's corpus; {cost.device}, another device than the paper's"
        yield replace(value, mean=cost.hours(SENTENCES), seeds=1, unit="hours", note=note)


def _run(value: Value, cost: Cost) -> Iterator[Value]:
    """Yield what is known of the training itself."""
    missing = IMPORTED if cost.imported else ""
    yield replace(value, metric="measured hours", mean=cost.hours(), unit="hours", missing=missing)
    yield replace(value, metric="state", text=missing or TRAINED)
    yield replace(value, metric="device", text=cost.device)
    yield replace(value, metric="threads", mean=cost.threads)
    yield replace(value, metric="sentences", mean=cost.sentences)
    speed = {"metric": "seconds per million sentences", "mean": cost.seconds_per_million, "unit": "seconds"}
    yield replace(value, missing=missing, **speed)


def model_values(
    costs: Mapping[str, Cost],
    models: Sequence[Mapping[str, Any]],
    published_only: Sequence[Entry],
    papers: Mapping[str, Published],
) -> list[Value]:
    """Return size, training time and origin of all models; a row is a model, or the name of a published system.

    Args:
        costs: costs by model.
        models: entries with id, label, baseline, seeds and papers (which publish values of the model).
        published_only: systems that papers publish and no model of the run stands for.
        papers: published values by paper.
    """
    values = []
    for model in models:
        cost = costs[model["id"]]
        state = UNTRAINED if model["baseline"] else IMPORTED if cost.imported else TRAINED
        about: dict[str, Any] = {"system": model["id"], "label": model["label"], "baseline": bool(model["baseline"])}
        value = Value(OURS, "models", model["id"], "", "", seeds=len(model["seeds"]), **about)
        texts = {
            "family": cost.family,
            "papers": "; ".join(model["papers"]),
            "state": state,
            "device": cost.device,
            "processor": cost.processor,
        }
        numbers = {
            "parameters": math.nan if cost.parameters is None else cost.parameters,
            "dimension": cost.dimension,
            "sentences": cost.sentences,
            "epochs": cost.epochs,
            "seconds": cost.seconds,
            "seconds per million sentences": cost.seconds_per_million,
            "seeds": len(model["seeds"]),
            "threads": cost.threads,
            "processor share": cost.processor_share,
        }
        values += [replace(value, metric=metric, text=text) for metric, text in texts.items()]
        values += [replace(value, metric=metric, mean=number) for metric, number in numbers.items()]
    for entry in published_only:
        paper, table, column = (entry["reported"][name] for name in ("paper", "table", "column"))
        value = Value(OURS, "models", entry["label"], "", "", label=entry["label"])
        dimension = papers[paper].text(table, "Dim", column, "dimension") or ""
        values.append(replace(value, metric="papers", text=paper))
        values.append(replace(value, metric="state", text=PUBLISHED))
        values.append(replace(value, metric="dimension", published=dimension))
    return values


def curve_values(
    scores: Sequence[pd.DataFrame],
    histories: Sequence[pd.DataFrame],
    points: Sequence[Mapping[str, Any]],
    paper: Published,
) -> list[Value]:
    """Return the values of Figure 2: correlations by epochs of training, and the seconds that they took.

    Args:
        scores: score tables with rows of snapshots, one for each model and seed.
        histories: ``training.csv`` of the same models.
        points: id, label, seed and values of each.
        paper: the paper's published values.

    Raises:
        SentrepError: a model was not scored while it trained.
    """
    for table, point in zip(scores, points, strict=True):
        if table["epochs"].isna().to_numpy().all():
            raise SentrepError(
                f"models.{point['id']}.parameters",
                expected="intermediate models to draw",
                found="none",
                remedy="set snapshots_per_epoch",
            )
    values = sweep_values(_PAPER, "figure2", scores, points, "epochs")
    for system in dict.fromkeys(point["id"] for point in points):
        seeds = [place for place, point in enumerate(points) if point["id"] == system]
        epochs = np.unique([value.x for value in values if value.system == system and not math.isnan(value.x)])
        seconds = np.mean([seconds_at(histories[place], epochs) for place in seeds], axis=0)
        about: dict[str, Any] = {
            "column": points[seeds[0]]["label"],
            "system": system,
            "label": points[seeds[0]]["label"],
        }
        about |= {"metric": "seconds", "unit": "seconds", "seeds": len(seeds)}
        values += [
            Value(_PAPER, "figure2", "", x=x, mean=mean, **about) for x, mean in zip(epochs, seconds, strict=True)
        ]
    speed_up = paper.text("appendix C", "Training speedup", "Ours", "times") or ""
    return [*values, Value(_PAPER, "figure2", "", "", "speed-up", published=speed_up)]


def collect_times(source: Any, params: Any) -> list[Value]:
    """Return the values of the training times from the inputs and parameters of their rule."""
    return time_values(read_costs(source.models), read_published(source.reported), params.systems, sample=params.sample)


def collect_sizes(source: Any, params: Any) -> list[Value]:
    """Return the values of Table 9 from the inputs and parameters of its rule: a folder and a score file by seed."""
    accuracies: dict[str, list[float]] = {}
    for folder, path in zip(source.models, source.scores, strict=True):
        scores = read_csv(path, ["protocol", "task", "metric", "value"])
        accuracies.setdefault(Path(folder).parent.name, []).append(mean_accuracy(scores))
    points = [(name, cost, fmean(accuracies[name])) for name, cost in read_costs(source.models).items()]
    return size_values(points, read_published(source.reported), sample=params.sample)


def collect_models(source: Any, params: Any) -> list[Value]:
    """Return the values of all models from the inputs and parameters of their rule."""
    costs, papers = read_costs(source.models), read_all(source.reported)
    return model_values(costs, params.models, params.published_only, papers)


def collect_curves(source: Any, params: Any) -> list[Value]:
    """Return the values of Figure 2 from the inputs and parameters of its rule."""
    scores = [read_csv(path, STS_COLUMNS) for path in source.scores]
    histories = [read_history(folder) for folder in source.models]
    return curve_values(scores, histories, params.points, read_published(source.reported))
