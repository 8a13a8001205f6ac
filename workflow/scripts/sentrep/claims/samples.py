"""Read the bootstrap draws of measured values from a run's file of draws, or generate them.

In a run's file of draws, each draw uses the same resampled test items for all systems, so the draws of different
systems are paired. If a value is not in this file, or if the run has no such file, the draws of the value are generated
from its confidence interval over test items and its standard deviation over seeds. Generated draws of different values
are independent, so intervals of differences are usually wider than necessary. If a value has only one seed and no
interval, its draws are NaN.
"""

from __future__ import annotations

import math
import zlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from sentrep.evaluation.statistics.bootstrap import DRAWS, Floats, seed_coefficients
from sentrep.evaluation.statistics.draws import Drawn, Draws, Key, axis
from sentrep.tables.values import Value

_WIDTH = 2 * 1.959964  # width of a 95% interval in standard errors
_COUNTED = ("pairs", "items", "questions")  # metrics whose values are numbers of test items


class Samples:
    """The bootstrap draws of all values of a run.

    Args:
        draws: contents of the run's file of draws; None if the run has no such file.
        items: mapping from (row, column) to the number of test items; the key is (row, "") if the number is the same in
            all columns. The mapping is used for values that are not in the file of draws.
    """

    def __init__(self, draws: Draws | None = None, items: Mapping[tuple[str, str], int] | None = None) -> None:
        self._draws: Draws = draws or {}
        self._items = items or {}
        self._numbers: dict[Value, Floats] = {}

    def of(self, value: Value) -> Floats:
        """Return an array of shape (1 + DRAWS,): the measured value, followed by the value in each bootstrap draw."""
        if value not in self._numbers:
            drawn = self._drawn(value)
            deviations = drawn.deviations if drawn else own_deviations(value)
            self._numbers[value] = np.concatenate([[value.mean], value.mean + deviations])
        return self._numbers[value]

    @staticmethod
    def of_seeds(values: Sequence[float], whole: bool = False) -> Floats:
        """Return an array of shape (1 + DRAWS,): the mean over seeds, followed by random draws of this mean.

        The draws have a t-distribution. With a single seed, they are NaN.

        Args:
            values: the value for each seed.
            whole: whether the values are whole numbers. If so, the variance between seeds is increased by 1/12 (the
                variance of a uniform distribution between -0.5 and 0.5), because a few seeds can give the same whole
                number by chance.
        """
        seeds = len(values)
        if seeds < 2:
            return np.concatenate([list(values), np.full(DRAWS, np.nan)])
        found = np.asarray(values, np.float64)
        deviations = seed_coefficients(seeds) @ (found - found.mean())
        if whole:
            generator = np.random.default_rng(zlib.crc32(found.tobytes()))
            deviations += math.sqrt(1 / 12 / seeds) * generator.standard_t(seeds - 1, DRAWS)
        return found.mean() + np.concatenate([[0.0], deviations])

    def support(self, values: Sequence[tuple[str, Value]]) -> tuple[int, str]:
        """Return the total number of test items of the given cases, and a phrase that names the resampled units.

        Args:
            values: pairs, each of which consists of the name of a case and a value that was measured on this case.

        Returns:
            The number of test items, summed over cases, and a phrase such as "items and seeds, paired".
        """
        items, kinds = dict[str, int](), dict[str, None]()
        for case, value in values:
            drawn, spread = self._drawn(value), math.isfinite(value.low) and math.isfinite(value.high)
            facts = self._items.get((value.row, value.column)) or self._items.get((value.row, "")) or 0
            items[case] = max(items.get(case, 0), drawn.items if drawn else facts if spread else 0)
            if drawn or spread:
                kinds["items and seeds" if value.seeds > 1 else "items"] = None
            elif math.isfinite(value.sd):
                kinds["seeds"] = None
            else:
                kinds["nothing: one seed"] = None
        if "items and seeds" in kinds:
            kinds.pop("items", None)
        paired = any(self._drawn(value) for _, value in values)
        basis = "; ".join(kinds)
        return sum(items.values()), f"{basis}, paired" if paired else basis

    def _drawn(self, value: Value) -> Drawn | None:
        where = axis(f"{value.paper}/{value.item}", value.x)
        key = Key(value.system or value.column, value.row, value.metric, value.protocol, **where)
        return self._draws.get(key) or self._draws.get(key._replace(row="", protocol=""))


def items_of(values: Iterable[Value]) -> dict[tuple[str, str], int]:
    """Return the numbers of test items, keyed by (row, column).

    These numbers are the values whose metric is ``pairs``, ``items`` or ``questions``.
    """
    return {
        (value.row, value.column): int(value.mean)
        for value in values
        if value.metric in _COUNTED and value.row and not value.system and math.isfinite(value.mean)
    }


def own_deviations(value: Value) -> Floats:
    """Return (DRAWS,) random deviations from a value, based on its interval and its standard deviation over seeds.

    Each deviation is the sum of two random numbers. The first is normally distributed and represents the variation over
    test items; it is omitted if the value has no interval. The second is t-distributed and represents the variation
    over seeds; it is omitted if there is only one seed. If both are omitted, the deviations are NaN.
    """
    items = (value.high - value.low) / _WIDTH
    seeds = value.sd / math.sqrt(value.seeds) if value.seeds > 1 else math.nan
    if math.isnan(items) and math.isnan(seeds):
        return np.full(DRAWS, np.nan)
    place = (value.paper, value.item, value.row, value.column, value.metric, value.protocol, value.system, value.x)
    generator = np.random.default_rng(zlib.crc32("\t".join(map(str, place)).encode()))
    deviations = np.zeros(DRAWS)
    if not math.isnan(items):
        deviations += items * generator.standard_normal(DRAWS)
    if not math.isnan(seeds):
        deviations += seeds * generator.standard_t(value.seeds - 1, DRAWS)
    return deviations
