"""The headline: the mean correlation of every system over all evaluation sets, as sentences and as a dot plot."""

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


@dataclass(frozen=True)
class Headline:
    """Mean Pearson's r over the evaluation sets, under the papers' protocol.

    Attributes:
        sets: number of evaluation sets.
        sample: the sets are sample data.
        means: a value of each evaluated system, the highest first.
    """

    sets: int
    sample: bool
    means: tuple[Value, ...]

    @property
    def trained(self) -> list[Value]:
        """Means of trained systems."""
        return [value for value in self.means if not value.baseline]

    @property
    def baselines(self) -> list[Value]:
        """Means of untrained baselines."""
        return [value for value in self.means if value.baseline]

    @property
    def compared(self) -> list[Value]:
        """Means of systems whose values on the same sets are published."""
        return [value for value in self.means if not math.isnan(value.difference)]


def headline(values: Values) -> Headline | None:
    """Return the headline of a run; None if table 1 has no means."""
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


def sentences(found: Headline) -> list[str]:
    """Return what the means say."""
    said = []
    trained, baselines, compared = found.trained, found.baselines, found.compared
    if trained:
        number = "one model" if len(trained) == 1 else f"{len(trained)} models"
        said.append(
            f"The highest mean Pearson’s r over {found.sets} sets of the {number} trained here is "
            f"{_r(trained[0].mean)}: {trained[0].label} (paper’s protocol)."
        )
    if trained and baselines:
        above = sum(value.mean > baselines[0].mean for value in trained)
        said.append(
            f"The best untrained baseline is {baselines[0].label} with {_r(baselines[0].mean)}; "
            f"{_count(above, len(trained))} of the trained models {'is' if above == 1 else 'are'} above it."
        )
    if found.sample:
        return [*said, "These are sample data: no number can be compared with a paper’s."]
    if compared:
        close = sum(abs(value.difference) <= CLOSE for value in compared)
        widest = max(compared, key=lambda value: abs(value.difference))
        said.append(
            f"A paper publishes values on the same sets for {len(compared)} of these systems. Our mean is within "
            f"{fixed(CLOSE, 2, leading_zero=False)} of the published one for {_count(close, len(compared))} of them; "
            f"the largest difference is {_difference(widest.difference)}: {widest.label}."
        )
    if pairs := list(combinations(compared, 2)):
        kept = sum((a.mean - b.mean) * (a.published_value - b.published_value) > 0 for a, b in pairs)
        said.append(
            f"Of the {len(pairs)} pairs of these systems, {_count(kept, len(pairs))} {'is' if kept == 1 else 'are'} in "
            "the published order."
        )
    return said


def dot_plot(found: Headline) -> dict[str, Any]:
    """Return the rows of the headline's table, with the places of their dots in percent of the axis."""
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
            "sd": "" if math.isnan(value.sd) else f"±{_r(value.sd, 3)}",
            "published": _r(value.published_value),
            "difference": _difference(value.difference),
            "place": ours,
            "published_place": published,
            "bar": None if published is None else (min(ours, published), round(abs(ours - published), 2)),
        }

    return {
        "sets": found.sets,
        "sample": found.sample,
        "rows": [row(value) for value in found.means],
        "low": _r(low, 1) if low else "0",
        "high": _r(high, 1),
        "baseline": place(found.baselines[0].mean) if found.baselines else None,
    }


def _r(value: float, digits: int = DIGITS) -> str:
    return fixed(value, digits, leading_zero=False).replace("-", "−")


def _difference(value: float) -> str:
    return signed(value, DIGITS, leading_zero=False).replace("-", "−")


def _count(number: int, total: int) -> str:
    return "none" if number == 0 else "all" if number == total else str(number)
