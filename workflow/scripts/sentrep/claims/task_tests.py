"""Tests over transfer tasks, retrieval, analogies and times."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pandas as pd

from sentrep.claims.outcome import PROTOCOL, Outcome, Untestable, counted, judged, seeds_of
from sentrep.evaluation.transfer.tasks import PAPER_PROTOCOLS

MEASURES = {"sick": "pearson"}
RANKS = ("annotation median rank", "search median rank")
POOL = "with query sentences"
_MOMENTS = 3  # of two curves, that say which is ahead


def better_on_most_tasks(transfer: pd.DataFrame, model: str, rivals: Sequence[str], tasks: Sequence[str]) -> Outcome:
    """On more than half of some tasks the model is above every rival."""
    table = _tasks(transfer, [model, *rivals], tasks)
    wins = [task for task in tasks if table.loc[task, model] > table.loc[task, list(rivals)].max()]
    sentence = f"best on {len(wins)} of {len(tasks)} tasks; {_by_task(table)}"
    return Outcome(2 * len(wins) > len(tasks), sentence, _floor(transfer, tasks), seeds_of(transfer, [model, *rivals]))


def better_on_all_tasks(transfer: pd.DataFrame, model: str, rivals: Sequence[str], tasks: Sequence[str]) -> Outcome:
    """On each of some tasks the model is above every rival."""
    table = _tasks(transfer, [model, *rivals], tasks)
    holds = all(table.loc[task, model] > table.loc[task, list(rivals)].max() for task in tasks)
    return Outcome(holds, _by_task(table), _floor(transfer, tasks), seeds_of(transfer, [model, *rivals]))


def worse_on_average(transfer: pd.DataFrame, model: str, rivals: Sequence[str], tasks: Sequence[str]) -> Outcome:
    """The model's mean accuracy over some tasks is below that of every rival."""
    means = _tasks(transfer, [model, *rivals], tasks).mean()
    sentence = f"mean of {len(tasks)} tasks: " + ", ".join(f"{name} {mean:.1f}" for name, mean in means.items())
    holds = judged(means[model] < means[list(rivals)].min())
    return Outcome(holds, sentence, _floor(transfer, tasks), seeds_of(transfer, [model, *rivals]))


def lower_median_ranks(retrieval: pd.DataFrame, model: str, rivals: Sequence[str]) -> Outcome:
    """The median rank is lower than every rival's, for captions of images and for images of captions."""
    rows = retrieval.set_index("model")[list(RANKS)].astype(float).loc[[model, *rivals]]
    if rows.isna().any(axis=None):
        raise Untestable("the run has no ranks for " + ", ".join(rows.index[rows.isna().any(axis=1)]))
    holds = all(rows.loc[model, rank] < rows.loc[list(rivals), rank].min() for rank in RANKS)
    sentence = "; ".join(f"{rank}: " + ", ".join(f"{n} {v:g}" for n, v in rows[rank].items()) for rank in RANKS)
    return Outcome(holds, sentence, seeds=counted(retrieval.loc[retrieval["model"] == model, "seeds"].dropna()))


def better_on_most_relations(
    analogies: pd.DataFrame, model: str, rivals: Sequence[str], relations: Sequence[str]
) -> Outcome:
    """On more than half of some relations more analogies are solved than by every rival."""
    table = _relations(analogies, [model, *rivals], relations)
    wins = [name for name in relations if table.loc[model, name] > table.loc[list(rivals), name].max()]
    shown = ", ".join(
        f"{name} {table.loc[model, name]:.2f} ({table.loc[list(rivals), name].max():.2f})" for name in relations
    )
    known = "random" in set(analogies["model"])
    untrained = _relations(analogies, ["random"], relations).loc["random"].items() if known else ()
    floor = ", ".join(f"{name} {value:.2f}" for name, value in untrained)
    sentence = f"better on {len(wins)} of {len(relations)} relations; {model} (best rival): {shown}"
    return Outcome(2 * len(wins) > len(relations), sentence, f"random: {floor}" if floor else "", "1")


def highest_relations(analogies: pd.DataFrame, model: str, relations: Sequence[str], best: Sequence[str]) -> Outcome:
    """The relations that the model solves most often are these."""
    row = _relations(analogies, [model], relations).loc[model].sort_values(ascending=False)
    sentence = ", ".join(f"{name} {value:.2f}" for name, value in row.items())
    return Outcome(set(row.index[: len(best)]) == set(best), sentence, seeds="1")


def faster(
    times: pd.DataFrame, model: str, rivals: Sequence[str], column: str, factor: float, dimension: int | None = None
) -> Outcome:
    """Every rival takes at least ``factor`` times as long, by one column of a table; for models of the paper's size."""
    if dimension is not None:
        _check_size(times, model, dimension)
    found = _column(times, [model, *rivals], column)
    ratios = {name: found[name] / found[model] for name in rivals}
    shown = ", ".join(f"{name} {value:.4g}" for name, value in found.items())
    sentence = f"{column}: {shown}; " + ", ".join(
        f"{name} takes {ratio:.2f} times as long" for name, ratio in ratios.items()
    )
    return Outcome(min(ratios.values()) >= factor, f"{sentence} (needed {factor:g})", seeds="1")


def times_alike(times: pd.DataFrame, model: str, rivals: Sequence[str], column: str, within: float) -> Outcome:
    """The model's time differs from every rival's by at most this part."""
    found = _column(times, [model, *rivals], column)
    holds = all(abs(found[model] / found[name] - 1) <= within for name in rivals)
    sentence = f"{column}: " + ", ".join(f"{name} {value:.4g}" for name, value in found.items())
    return Outcome(holds, sentence, seeds="1")


def number_near(table: pd.DataFrame, model: str, column: str, value: float, within: float, dimension: int) -> Outcome:
    """A number of the table of models is the paper's, but for this part of it; for a model of the paper's size."""
    _check_size(table, model, dimension)
    found = _column(table, [model], column)[model]
    return Outcome(abs(found / value - 1) <= within, f"{column} of {model}: {found:,.0f}; the paper {value:,.0f}")


def larger_is_better(table: pd.DataFrame, size: str, value: str, cost: str) -> Outcome:
    """From each size that was trained to the next larger one a value rises, and so does its cost."""
    rows = table.reindex(columns=[size, value, cost]).astype(float).dropna().sort_values(size)
    if len(rows) < 2:
        raise Untestable(f"the run has {len(rows)} sizes with {value} and {cost}")
    holds = rows[value].is_monotonic_increasing and rows[cost].is_monotonic_increasing
    points = ", ".join(f"{row[size]:g}: {row[value]:.2f} ({row[cost]:.3g} h)" for _, row in rows.iterrows())
    return Outcome(judged(holds), f"{value} by {size}: {points}", seeds="1")


def ahead_at_equal_time(curves: pd.DataFrame, model: str, rivals: Sequence[str]) -> Outcome:
    """At each moment at which a rival was scored, the model's mean correlation over all sets is above the rival's.

    Between its own scores the model's curve is interpolated; moments outside its curve do not count.

    Raises:
        Untestable: they have fewer than three moments in common.
    """
    rows = curves[curves["protocol"] == PROTOCOL]
    means = rows.groupby(["model", "seconds"])["pearson"].mean()
    ours, parts, holds = means[model], [], True
    for rival in rivals:
        theirs = means[rival]
        inside = theirs[(theirs.index >= ours.index.min()) & (theirs.index <= ours.index.max())]
        if len(inside) < _MOMENTS:
            raise Untestable(
                f"the curves of {model} and {rival} have {len(inside)} moments in common, which is less than {_MOMENTS}"
            )
        ahead = int((np.interp(inside.index, ours.index, ours.to_numpy()) > inside.to_numpy()).sum())
        holds = holds and ahead == len(inside)
        ends = f"{ours.iloc[-1]:.3f}, {theirs.iloc[-1]:.3f}"
        parts.append(f"{model} above {rival} at {ahead} of {len(inside)} moments; ends: {ends}")
    return Outcome(holds, "; ".join(parts), seeds="1")


def _check_size(table: pd.DataFrame, model: str, dimension: int) -> None:
    size = _column(table, [model], "dimension")[model]
    if size != dimension:
        raise Untestable(f"{model} has {size:g} dimensions here; the paper's has {dimension:,}")


def _tasks(transfer: pd.DataFrame, models: Sequence[str], tasks: Sequence[str]) -> pd.DataFrame:
    measure = transfer["task"].map(lambda task: MEASURES.get(task, "accuracy"))
    rows = transfer[
        (transfer["metric"] == measure) & transfer["protocol"].isin(PAPER_PROTOCOLS) & transfer["model"].isin(models)
    ]
    table = rows.pivot_table(index="task", columns="model", values="value", aggfunc="mean")
    absent = [task for task in tasks if task not in table.index or table.loc[task].isna().any()]
    if absent:
        raise Untestable(f"the run has not all scores on {', '.join(absent)}")
    return table.loc[list(tasks), list(models)]


def _by_task(table: pd.DataFrame) -> str:
    return "; ".join(
        f"{task}: " + ", ".join(f"{name} {value:.3g}" for name, value in row.items()) for task, row in table.iterrows()
    )


def _floor(transfer: pd.DataFrame, tasks: Sequence[str]) -> str:
    if "random" not in set(transfer["model"]):
        return ""
    row = _tasks(transfer, ["random"], tasks)["random"]
    return "random: " + ", ".join(f"{task} {value:.3g}" for task, value in row.items())


def _relations(analogies: pd.DataFrame, models: Sequence[str], relations: Sequence[str]) -> pd.DataFrame:
    rows = analogies[(analogies["pool"] == POOL) & analogies["model"].isin(models)].set_index("model")
    table = rows.reindex(columns=list(relations)).astype(float)
    if set(models) - set(table.index) or table.isna().any(axis=None):
        raise Untestable("the run has not solved all relations with all models")
    return table


def _column(table: pd.DataFrame, models: Sequence[str], column: str) -> dict[str, float]:
    values = table.drop_duplicates("model").set_index("model")[column].astype(float)
    found = {name: float(values.get(name, float("nan"))) for name in models}
    absent = [name for name, value in found.items() if np.isnan(value)]
    if absent:
        raise Untestable(f"the run has no {column} for {', '.join(absent)}")
    return found
