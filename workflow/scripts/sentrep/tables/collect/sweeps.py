"""Collect the values of sweeps: correlations as a function of training progress or of a parameter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import pandas as pd

from sentrep.evaluation.sts.scoring import PROTOCOLS, SCORE_COLUMNS
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.io.frames import groups_of, rows_where
from sentrep.tables.collect import each, reads
from sentrep.tables.systems import mean_over_seeds
from sentrep.tables.values import Value, described

_PLACES = {(standard.year, standard.dataset): place for place, standard in enumerate(STANDARD)}
_METRICS = ("pearson", "spearman")


@reads(scores=each(SCORE_COLUMNS))
def sweep_values(
    paper: str,
    item: str,
    scores: Sequence[pd.DataFrame],
    points: Sequence[Mapping[str, Any]],
    parameter: str,
    years: Sequence[int] = (),
) -> list[Value]:
    """Return the correlations on every STS set as a function of a parameter.

    The correlations are averaged over seeds. The ``x`` of a correlation is the value of the parameter.

    Args:
        paper: paper to which the values belong.
        item: name of the table or figure to which the values belong.
        scores: one table of scores for each entry of ``points``.
        points: one mapping for each combination of model, parameter values and seed, with the keys id, label, baseline,
            seed and values (parameter values by name). If ``values`` lacks the parameter, the parameter must be
            "epochs"; the scores of the model's snapshots are then returned, and ``x`` is the number of epochs after
            which a snapshot was saved.
        parameter: name of the parameter.
        years: years of the sets to include; all by default.
    """
    frames = []
    for part, point in zip(scores, points, strict=True):
        chosen = part["epochs"].isna() if parameter in point["values"] else part["epochs"].notna()
        x = point["values"].get(parameter, part.loc[chosen, "epochs"].to_numpy())
        names = {name: point[name] for name in ("id", "label", "seed")}
        frames.append(part[chosen].assign(x=x, baseline=bool(point.get("baseline", False)), **names))
    frame = _standard(pd.concat(frames, ignore_index=True))
    if years:
        frame = rows_where(frame, frame["year"].isin(years))
    place = [_PLACES[key] for key in zip(frame["year"], frame["dataset"], strict=True)]
    frame = frame.assign(place=place, official=frame["protocol"] != PROTOCOLS[0])
    found = [
        value for s in STANDARD if not years or s.year in years for value in _set_facts(paper, item, s.year, s.dataset)
    ]
    keys = ["official", "place", "id", "x"]
    for (_, row, _, x), group in groups_of(frame.sort_values([*keys, "seed"], kind="stable"), keys):
        first = group.iloc[0]
        about: dict[str, Any] = {
            "system": str(first["id"]),
            "label": str(first["label"]),
            "baseline": bool(first["baseline"]),
        }
        name = f"{STANDARD[row].year} {STANDARD[row].label}"
        value = Value(paper, item, name, about["label"], "", str(first["protocol"]), float(x), **about)
        found += [
            replace(value, metric=metric, **mean_over_seeds(group[metric].tolist())._asdict()) for metric in _METRICS
        ]
    return found


def _standard(frame: pd.DataFrame) -> pd.DataFrame:
    return rows_where(frame, [key in _PLACES for key in zip(frame["year"], frame["dataset"], strict=True)])


def _set_facts(paper: str, item: str, year: int, dataset: str) -> Iterator[Value]:
    row = f"{year} {STANDARD[_PLACES[year, dataset]].label}"
    yield from described(Value(paper, item, row, "", ""), year=year, dataset=dataset)
