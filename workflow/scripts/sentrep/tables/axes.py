"""Determine the lines and columns of a table from its declaration and from the available values."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sentrep.tables.grids import CellView, Grid, LinesView, SectionView
from sentrep.tables.places import SECTION, Place, PlacedValues, matches

BASELINES, OTHERS = "Baselines", "Not in this table of the paper"
KINDS = ("ours", "published", "difference")
STATES = {"ours": "ours", "published": "published", "difference": "both"}
"""For each kind of line, the required state of the line's system (see :meth:`PlacedValues.states`)."""


@dataclass(frozen=True)
class Line:
    """A line of a table, without its cells.

    Attributes:
        place: coordinates that all values in the line share, such as their row or system.
        kind: kind of value in the line: "ours", "published" or "difference"; empty if the table has no separate lines
            for these kinds.
        section: heading of the section that contains the line.
        allowed: kinds of values that the cells of the line may show.
        summary: whether the line summarises other lines, as a mean does.
    """

    place: Place
    kind: str
    section: str
    allowed: tuple[str, ...]
    summary: bool


@dataclass(frozen=True)
class Column:
    """A column of a table, without its cells.

    Attributes:
        place: coordinates that all values in the column share, such as their protocol or system.
        view: declaration of the column's cells.
        group: index of the column's group in the declaration of the table.
        heading: text above the column.
    """

    place: Place
    view: CellView
    group: int
    heading: str


def lines_of(view: LinesView, placed: PlacedValues) -> list[Line]:
    """Determine the lines of a table from their declaration and the available values, and order them by section."""
    if view.sections != "published":
        return list(_declared_lines(view, view.sections, placed))
    lines = [
        Line(place.including(view.at), kind, _published_section(placed, place), KINDS, False)
        for place in placed.places(view.by, view.where, {})
        for kind in _kinds(placed, place, view.show)
    ]
    order = [*dict.fromkeys(line.section for line in lines if line.section not in (OTHERS, BASELINES))]
    order += [OTHERS, BASELINES]
    return [*sorted(lines, key=lambda line: order.index(line.section)), *_declared_lines(view, view.more, placed)]


def _declared_lines(view: LinesView, sections: Sequence[SectionView], placed: PlacedValues) -> Iterator[Line]:
    for section in sections:
        for places in _section_places(view, section, placed):
            years = " and ".join(dict.fromkeys(str(place.at.get("row", "")).split(" ")[0] for place in places))
            for place in places:
                heading = place.fill(section.heading, years=years)
                for kind in _kinds(placed, place, section.show if view.show and section.show else view.show):
                    summary = matches(place.at.get("row", ""), view.summary)
                    yield Line(place.including(view.at, section.at), kind, heading, section.show or KINDS, summary)


def _section_places(view: LinesView, section: SectionView, placed: PlacedValues) -> list[list[Place]]:
    """Return the places of the lines in a section, in one list for each value of the coordinate ``section.by``.

    If ``section.by`` is None, all places are in a single list.
    """
    by = view.by if section.by is None or section.by in view.by else (section.by, *view.by)
    places = placed.places(by, {**view.where, **section.where}, {})
    if section.differing:
        places = [place for place in places if _differ(placed, place, section.differing)]
    found: dict[Any, list[Place]] = {}
    for place in places:
        found.setdefault(place.at[section.by] if section.by else "", []).append(place)
    return list(found.values())


def _published_section(placed: PlacedValues, place: Place) -> str:
    if "published" not in placed.states(place.at):
        return BASELINES if place.baseline else OTHERS
    heading = placed.get({"row": SECTION, "column": place.at["column"]}, "heading")
    return heading.published if heading else ""


def _differ(placed: PlacedValues, place: Place, metrics: tuple[str, str]) -> bool:
    first, second = (placed.get(place.at, metric) for metric in metrics)
    return first is not None and second is not None and first.mean != second.mean


def _kinds(placed: PlacedValues, place: Place, show: Sequence[str]) -> list[str]:
    if not show:
        return [""]
    states = placed.states(place.at)
    return [kind for kind in show if STATES[kind] in states and not (kind == "difference" and placed.sample)]


def columns_of(grid: Grid, placed: PlacedValues, drop_differences: bool = True) -> list[Column]:
    """Determine the columns of a table or CSV file from its declaration and the available values.

    Args:
        grid: declaration of the table or CSV file.
        placed: values of the table or CSV file.
        drop_differences: whether to omit columns that show differences from published values if our values are from
            sample data.
    """
    found = []
    for number, group in enumerate(grid.groups):
        places = placed.places(group.by, group.where, group.names) if group.by else [Place()]
        for place in sorted(places, key=lambda place: not matches(place.at.get("system", ""), group.first)):
            states = placed.states(place.at) | (set() if placed.sample else {"comparable"})
            for view in group.cells:
                dropped = drop_differences and view.show == "difference" and placed.sample
                if (view.only is None or view.only in states) and not dropped:
                    found.append(Column(place, view, number, place.fill(view.heading)))
    return found
