"""Collect mean correlations over STS sets as a function of corpus size or of the number of words read in training.

Corpus size is the number of words in the corpus. Correlations as a function of corpus size are also extrapolated to the
size of the Toronto Book Corpus, on which Kenter et al. (2016) trained.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd
from scipy.stats import t as student

from sentrep.evaluation.statistics.ablation import COLUMNS
from sentrep.io.files import read_json
from sentrep.io.frames import groups_of, rows_where
from sentrep.tables.collect import reads, rows_of
from sentrep.tables.values import Value, described

PAPER_WORDS = 1_057_070_918  # Kenter et al. (2016), section 4.1
# A line is fitted to the largest corpora, if there are this many. With only three points, the prediction interval would
# be far wider than the range of correlations.
_FITTED = 4


class Extrapolation(NamedTuple):
    """The value of a fitted line at a new point, with its prediction interval.

    Attributes:
        value: value of the line at the new point.
        low: lower end of the 95% prediction interval.
        high: upper end of the 95% prediction interval.
    """

    value: float
    low: float
    high: float


@reads(
    table=rows_of(COLUMNS), stores=lambda paths: [int(read_json(Path(path) / "meta.json")["tokens"]) for path in paths]
)
def size_values(
    paper: str,
    item: str,
    table: pd.DataFrame,
    stores: Sequence[int],
    points: Sequence[Mapping[str, Any]],
    section: str,
    axis: Literal["words", "words read"] = "words",
) -> list[Value]:
    """Return mean correlations as a function of corpus size or of the number of words read in training.

    The row of a value is "mean", the column is the name of the curve, the protocol is the treatment of unknown words,
    and ``x`` is the number of words. Correlations as a function of corpus size are also extrapolated to
    :data:`PAPER_WORDS` words. Extrapolated values have the metric ``expected``; they come from a line that is fitted to
    the mean correlation as a function of the logarithm of the number of words.

    Args:
        paper: paper to which the values belong.
        item: name of the table or figure to which the values belong.
        table: comparisons of all models with the untrained baseline.
        stores: number of words in the corpus of each model in ``points``.
        points: for each model, a mapping with the keys id, label, epochs (None for a baseline) and fraction (the share
            of the full corpus that the model uses).
        section: title of the sweep, as in the column ``section`` of ``table``.
        axis: with "words", ``x`` is the number of words in the corpus, and there is a curve for each combination of a
            label and a number of epochs. With "words read", ``x`` is the number of words in the corpus times the number
            of epochs, there is a curve for each label, and no curve is extrapolated.
    """
    words = {point["id"]: count for point, count in zip(points, stores, strict=True)}
    about = {point["id"]: point for point in points}
    rows = rows_where(table, table["section"] == section)
    found: list[Value] = []
    for record in rows.to_dict("records"):
        point = about[record["model"]]
        x = float(words[record["model"]] * (point["epochs"] or 1 if axis == "words read" else 1))
        curve = point["label"] if axis == "words read" else _column(point)
        base = Value(paper, item, "mean", curve, "", record["convention"], x)
        base = replace(base, system=point["id"], label=point["label"], baseline=point["epochs"] is None)
        mean, sd, seeds = record["pearson"], record["sd"], int(record["seeds"])
        found.append(replace(base, metric="pearson", mean=mean, sd=sd, seeds=seeds))
        if not base.baseline:
            gain = {"mean": record["difference"], "low": record["low"], "high": record["high"]}
            found.append(replace(base, metric="difference", seeds=seeds, **gain))
        facts = {"sets": float(record["sets"]), "fraction": point["fraction"], "epochs": point["epochs"]}
        found += described(base, **{name: value for name, value in facts.items() if value is not None})
    return found if axis == "words read" else found + _expected(found)


def extrapolate(x: npt.ArrayLike, y: npt.ArrayLike, at: float) -> Extrapolation:
    """Fit a least-squares line, and return its value at a new point with a 95% prediction interval.

    The interval uses Student's t distribution.

    Args:
        x: (n,) points, n >= 3.
        y: (n,) observations at the points ``x``.
        at: the point to which the line is extrapolated.
    """
    places, observed = np.asarray(x, np.float64), np.asarray(y, np.float64)
    slope, intercept = np.polyfit(places, observed, 1)
    freedom = len(places) - 2
    variance = ((observed - intercept - slope * places) ** 2).sum() / freedom
    distance = (at - places.mean()) ** 2 / ((places - places.mean()) ** 2).sum()
    error = math.sqrt(variance * (1 + 1 / len(places) + distance)) * student.ppf(0.975, freedom)
    value = float(intercept + slope * at)
    return Extrapolation(value, float(value - error), float(value + error))


def _expected(values: Sequence[Value]) -> list[Value]:
    """Extrapolate each curve with at least four points below :data:`PAPER_WORDS` words to this number of words."""
    curves = pd.DataFrame([vars(value) for value in values if value.metric == "pearson" and value.x < PAPER_WORDS])
    found: list[Value] = []
    if curves.empty:
        return found
    for (column, protocol, label, baseline), curve in groups_of(curves, ["column", "protocol", "label", "baseline"]):
        last = curve.dropna(subset=["mean"]).sort_values("x").tail(_FITTED)
        if len(last) < _FITTED:
            continue
        value, low, high = extrapolate(np.log2(last["x"]), last["mean"], math.log2(PAPER_WORDS))
        place = Value(last["paper"].iloc[0], last["item"].iloc[0], "mean", str(column), "expected", str(protocol))
        place = replace(place, x=float(PAPER_WORDS), system=last["system"].iloc[-1], label=str(label))
        found.append(replace(place, baseline=bool(baseline), mean=value, low=low, high=high))
    return found


def _column(point: Mapping[str, Any]) -> str:
    if point["epochs"] is None:
        return point["label"]
    return f"{point['label']}, {point['epochs']} epoch{'' if point['epochs'] == 1 else 's'}"
