"""Plan a paper's ablation table, which compares the models in the paper's sweeps with untrained baselines."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

from sentrep.config.models import Sweep
from sentrep.config.planned import Point
from sentrep.config.sweeps import FRACTION
from sentrep.errors import SentrepError


@dataclass(frozen=True)
class AblationPlan:
    """The plan of a paper's ablation table, which shows the sweeps of the paper that have a title.

    The table has one row for each point of these sweeps; a point is a model with one combination of parameter values.

    Attributes:
        paper: name of the paper to which the table belongs.
        settings: settings of all configured sweeps, including those that the table does not show, by name.
        points: points of each of these sweeps, by name of the sweep.
    """

    paper: str
    settings: Mapping[str, Sweep]
    points: Mapping[str, list[Point]]

    @cached_property
    def systems(self) -> list[dict[str, Any]]:
        """Rows of the table: section, label, id and seeds of each point, and the id of its baseline.

        The baseline of a point is the first baseline of its sweep that has the same corpus as the point.

        Raises:
            SentrepError: a sweep has no baseline with the corpus of one of its points.
        """
        systems: list[dict[str, Any]] = []
        for name, points in self.points.items():
            sweep = self.settings[name]
            if sweep.paper != self.paper or not sweep.title:
                continue
            untrained = [point.model for point in points if point.of in sweep.baselines]
            baselines = {model.corpus: model.id for model in reversed(untrained)}  # the first baseline on each corpus
            for point in points:
                if point.model.corpus not in baselines:
                    others = f"only baselines with the corpus {' or '.join(baselines)} ({', '.join(sweep.baselines)})"
                    raise SentrepError(
                        f"config.sweeps.{name}.baselines",
                        expected=f"a baseline with the corpus {point.model.corpus}, which {point.model.id} uses",
                        found=others if baselines else "no baselines",
                        remedy=f"add an untrained model with the corpus {point.model.corpus} to `baselines`",
                    )
            systems += [
                {
                    "section": sweep.title,
                    "label": _label(point),
                    "id": point.model.id,
                    "seeds": list(point.model.seeds),
                    "baseline": baselines[point.model.corpus],
                }
                for point in points
            ]
        return systems

    @property
    def runs(self) -> list[tuple[str, int]]:
        """Distinct pairs (model id, seed): the model and baseline of each row, paired with every seed of the row."""
        pairs = ((s[role], seed) for s in self.systems for role in ("id", "baseline") for seed in s["seeds"])
        return list(dict.fromkeys(pairs))

    def files(self, pattern: str) -> list[str]:
        """Fill in a path pattern for each model and seed in :attr:`runs`, and return the paths."""
        return [pattern.format(model=name, seed=seed) for name, seed in self.runs]


def _label(point: Point) -> str:
    """Return the label of a point: the label of its variant or model, followed by its parameter values."""
    return ", ".join([point.variant or point.model.label, *(_value(*value) for value in point.values.items())])


def _value(key: str, value: Any) -> str:
    if key == FRACTION:
        return "all of the text" if value == 1 else f"{Fraction(value).limit_denominator(1024)} of the text"
    return f"{key} {value}"
