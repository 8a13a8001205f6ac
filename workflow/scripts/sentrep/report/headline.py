"""Summarise each system's mean correlation over the evaluation sets, as findings and as a dot plot."""

from __future__ import annotations

import math
from dataclasses import dataclass
from itertools import combinations
from typing import Any

from sentrep.sources.published import OURS
from sentrep.tables.numbers import fixed, signed
from sentrep.tables.values import Value, Values

CLOSE = 0.02
DIGITS = 4
MOST_TRAINED = 9  # maximum number of trained systems in the plot; the others are in a collapsed section
Finding = tuple[str, str]


@dataclass(frozen=True)
class Headline:
    """The main results of a run: each system's mean Pearson's r over the evaluation sets, under the paper's protocol.

    Attributes:
        sets: number of evaluation sets.
        sample: whether the sets are sample data.
        means: mean correlation of each system, in descending order.
    """

    sets: int
    sample: bool
    means: tuple[Value, ...]

    @property
    def trained(self) -> list[Value]:
        """The mean correlations of the trained systems."""
        return [value for value in self.means if not value.baseline]

    @property
    def baselines(self) -> list[Value]:
        """The mean correlations of the untrained baselines."""
        return [value for value in self.means if value.baseline]

    @property
    def compared(self) -> list[Value]:
        """The mean correlations for which there is a published mean over the same sets."""
        return [value for value in self.means if not math.isnan(value.difference)]


def headline(values: Values) -> Headline | None:
    """Return the main results of a run; None if the values of ``results/table1`` include no mean correlations."""
    table = values.select(paper=OURS, item="table1")
    measured = [
        value for value in table.select(metric="pearson", protocol="paper").rows() if not math.isnan(value.mean)
    ]
    means = [value for value in measured if value.row == "mean"]
    if not means:
        return None
    sets = {value.row for value in measured if value.row[:4].isdigit() and not value.row.endswith("average")}
    sample = any(fact.text == "True" for fact in table.select(row="", metric="sample").rows())
    return Headline(len(sets), sample, tuple(sorted(means, key=lambda value: -value.mean)))


def findings(found: Headline) -> list[Finding]:
    """Return findings about the mean correlations, each as a statement and a text with the underlying numbers."""
    said = []
    trained, baselines, compared = found.trained, found.baselines, [] if found.sample else found.compared
    if trained and baselines:
        above = sum(value.mean > baselines[0].mean for value in trained)
        number = f"{above} of {len(trained)} trained models" if above else "No trained model"
        details = (
            f"The best baseline, {baselines[0].label}, has a mean Pearson’s r of {_r(baselines[0].mean)} over "
            f"{found.sets} sets; the best trained model, {trained[0].label}, has {_r(trained[0].mean)}."
        )
        said.append((f"{number} reached a higher mean correlation than the best untrained baseline.", details))
    if compared:
        close = sum(abs(value.difference) <= CLOSE for value in compared)
        widest = max(compared, key=lambda value: abs(value.difference))
        within = fixed(CLOSE, 2, leading_zero=False)
        largest = _difference(widest.difference)
        details = f"The largest difference from a published mean is {largest}, for {widest.label}."
        if pairs := list(combinations(compared, 2)):
            kept = sum((a.mean - b.mean) * (a.published_value - b.published_value) > 0 for a, b in pairs)
            details += (
                f" For {kept} of {len(pairs)} pairs of systems with published means, our means are in the same order "
                "as the published ones."
            )
        statement = (
            f"For {close} of {len(compared)} systems with published means, our mean correlation is within {within} of "
            "the published one."
        )
        said.append((statement, details))
    return said


def dot_plot(found: Headline) -> dict[str, Any]:
    """Return the contents of the dot plot, with the positions of dots as percentages of the length of the axis.

    The entry ``rows`` lists all baselines and the trained systems with the highest means (no more than
    :data:`MOST_TRAINED` of them). The entry ``more`` lists the other trained systems.
    """
    compared = [] if found.sample else found.compared
    shown = [*(value.mean for value in found.means), *(value.published_value for value in compared)]
    low, high = min(0.0, math.floor(min(shown) * 10) / 10), math.ceil(max(*shown, 0.1) * 10) / 10

    def place(value: float) -> float:
        return round(100 * (value - low) / (high - low), 2)

    def row(value: Value) -> dict[str, Any]:
        ours, published = place(value.mean), place(value.published_value) if value in compared else None
        return {
            "label": value.label,
            "baseline": value.baseline,
            "ours": _r(value.mean),
            "published": _r(value.published_value),
            "place": ours,
            "published_place": published,
            "bar": None if published is None else (min(ours, published), round(abs(ours - published), 2)),
        }

    best = [*found.trained[:MOST_TRAINED], *found.baselines]
    return {
        "sets": found.sets,
        "compared": bool(compared),
        "rows": [row(value) for value in found.means if value in best],
        "more": [row(value) for value in found.means if value not in best],
        "low": _r(low, 1) if low else "0",
        "high": _r(high, 1),
        "baseline": (found.baselines[0].label, place(found.baselines[0].mean)) if found.baselines else None,
    }


def _r(value: float, digits: int = DIGITS) -> str:
    return fixed(value, digits, leading_zero=False).replace("-", "−")


def _difference(value: float) -> str:
    return signed(value, DIGITS, leading_zero=False).replace("-", "−")
