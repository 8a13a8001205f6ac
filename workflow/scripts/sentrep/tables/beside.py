"""Systems beside a paper's, for tables of several measures: what is ours, what is printed, the difference."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, NamedTuple

import numpy as np
import pandas as pd

from sentrep.errors import SentrepError
from sentrep.tables.layout import Cell, Row, Section

FLOORS, OTHERS = "Floors", "Not in this table of the paper"


class Mean(NamedTuple):
    """A value averaged over seeds; ``sd`` over seeds (n - 1) is NaN for one seed."""

    mean: float
    sd: float


@dataclass(frozen=True)
class Measure:
    """One column.

    Attributes:
        key: under which values are kept.
        digits: after the point.
        lowest: the lowest value is the best.
    """

    key: Hashable
    digits: int = 1
    lowest: bool = False


@dataclass(frozen=True)
class Beside:
    """One system.

    Attributes:
        entry: id (None: reprinted), label, floor, seeds, reported ({paper, table, column} or None).
        ours: values by the measures' keys; empty for what is only reprinted.
        printed: the paper's texts by the measures' keys.
        section: heading that it stands under.
    """

    entry: Mapping[str, Any]
    ours: Mapping[Hashable, Mean]
    printed: Mapping[Hashable, str]
    section: str

    def difference(self, measure: Measure) -> float:
        """Return ours minus the paper's; NaN where either is missing."""
        return self.mean(measure) - float(self.printed.get(measure.key) or "nan")

    def mean(self, measure: Measure) -> float:
        """Return our value, NaN where there is none."""
        return self.ours.get(measure.key, Mean(math.nan, math.nan)).mean


def seed_means(
    frame: pd.DataFrame, entry: Mapping[str, Any], keys: Sequence[str], value: str, where: str
) -> dict[Hashable, Mean]:
    """Average one model's values over its seeds.

    Args:
        frame: rows with model, seed, ``keys`` and ``value``, one for each seed and key.
        entry: id and seeds; nothing is found for ``id`` None.
        keys: columns whose values tell measures apart.
        value: column.
        where: name of the table, for errors.

    Raises:
        SentrepError: a seed is missing; a mean of fewer would be another number.
    """
    if entry["id"] is None:
        return {}
    rows = frame[(frame["model"] == entry["id"]) & frame["seed"].isin(entry["seeds"])]
    found: dict[Hashable, Mean] = {}
    for key, group in rows.groupby(list(keys), sort=False):
        values = group[value].to_numpy(dtype=float)
        if sorted(group["seed"]) != sorted(entry["seeds"]):
            raise _incomplete(where, entry, f"seeds {', '.join(map(str, sorted(group['seed'])))} for {key}")
        sd = float(np.std(values, ddof=1)) if len(values) > 1 else math.nan
        found[key if len(keys) > 1 else key[0]] = Mean(float(values.mean()), sd)
    if not found and len(frame):
        raise _incomplete(where, entry, "none")
    return found


def sections(
    systems: Sequence[Beside], measures: Sequence[Measure], sample: bool, last: Callable[[Beside], tuple[Cell, ...]]
) -> list[Section]:
    """Return the systems under their headings, floors and what the paper has not at the end.

    Bold are the best of the trained systems, and under each heading the best printed value, as printed.

    Args:
        systems: in order.
        measures: the columns.
        sample: the data are a sample: no differences.
        last: further cells of our line.
    """
    ours = {i: s for i, s in enumerate(systems) if s.ours and not s.entry["floor"]}
    best_ours = _best(measures, {i: [_fixed_of(s, m) for m in measures] for i, s in ours.items()})
    best_printed: set[tuple[int, Measure]] = set()
    for heading in dict.fromkeys(s.section for s in systems):
        shown = {i: s for i, s in enumerate(systems) if s.section == heading}
        best_printed |= _best(measures, {i: [s.printed.get(m.key, "") for m in measures] for i, s in shown.items()})
    rows: dict[str, list[Row]] = {}
    for i, system in enumerate(systems):
        found = rows.setdefault(system.section, [])
        width = len(last(system))
        if system.ours:
            cells = [_our_cell(system, measure, (i, measure) in best_ours) for measure in measures]
            found.append(Row(Cell(system.entry["label"], "(ours)"), (*cells, *last(system))))
        if system.entry["reported"]:
            texts = [Cell(system.printed.get(m.key, ""), bold=(i, m) in best_printed) for m in measures]
            kind = "(reported)" if system.ours else "(reprinted)"
            found.append(Row(Cell(system.entry["reported"]["column"], kind), (*texts, *[Cell()] * width)))
        if system.entry["reported"] and system.ours and not sample:
            gaps = [Cell(signed(system.difference(m), m.digits)) for m in measures]
            found.append(Row(Cell("", "difference"), (*gaps, *[Cell()] * width)))
    order = [heading for heading in rows if heading not in (OTHERS, FLOORS)]
    return [Section(h, tuple(rows[h])) for h in [*order, *(h for h in (OTHERS, FLOORS) if h in rows)]]


def section_of(entry: Mapping[str, Any], heading: str | None) -> str:
    """Return the heading a system stands under: the paper's, or one of ours."""
    if entry["reported"]:
        return heading or ""
    return FLOORS if entry["floor"] else OTHERS


def fixed(value: float, digits: int) -> str:
    """Write a number with so many digits, rounded half up, away from zero; nothing for NaN."""
    if math.isnan(value):
        return ""
    # round() first: a mean such as 2.35 is stored as 2.3499999...
    return f"{Decimal(repr(round(float(value), 10))).quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP):f}"


def signed(value: float, digits: int) -> str:
    """Write a difference with its sign; nothing for NaN, and none for zero."""
    text = fixed(value, digits)
    if not text.strip("-0."):
        return text.removeprefix("-")
    return text if text.startswith("-") else f"+{text}"


def _our_cell(system: Beside, measure: Measure, bold: bool) -> Cell:
    value = system.ours.get(measure.key, Mean(math.nan, math.nan))
    spread = "" if math.isnan(value.sd) else f" ±{fixed(value.sd, measure.digits)}"
    text = fixed(value.mean, measure.digits)
    return Cell(text + spread if text else "", bold=bold)


def _fixed_of(system: Beside, measure: Measure) -> str:
    return fixed(system.mean(measure), measure.digits)


def _best(measures: Sequence[Measure], texts: Mapping[int, Sequence[str]]) -> set[tuple[int, Measure]]:
    """Return (system, measure) of the best values as printed, where at least two systems have one."""
    found = set()
    for place, measure in enumerate(measures):
        shown = {i: float(values[place]) for i, values in texts.items() if values[place]}
        if len(shown) > 1:
            best = min(shown.values()) if measure.lowest else max(shown.values())
            found |= {(i, measure) for i, value in shown.items() if value == best}
    return found


def _incomplete(where: str, entry: Mapping[str, Any], found: str) -> SentrepError:
    return SentrepError(
        where,
        expected=f"scores of {entry['id']} for seeds {', '.join(map(str, entry['seeds']))}",
        found=found,
        remedy="score that model again",
    )
