"""Find values by their coordinates, and list the coordinates of the lines and columns of a table."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatchcase
from typing import Any

from sentrep.tables.grids import Patterns
from sentrep.tables.numbers import compact
from sentrep.tables.values import WARNING, Value

SECTION = "Section"
"""Name of the row whose values are the headings of groups of systems in a paper's table. Our tables omit this row."""


@dataclass(frozen=True)
class Place:
    """The place of a line or column of a table, that is, the coordinates that all values in the line or column share.

    Attributes:
        at: mapping from the names of the shared coordinates (row, column, protocol, system, metric, x) to their values.
        name: short name, for headings and for the names of columns in CSV files.
        label: name of the system in our tables, or name of the row or column.
        baseline: whether the system is an untrained baseline.
    """

    at: Mapping[str, Any] = field(default_factory=dict)
    name: str = ""
    label: str = ""
    baseline: bool = False

    def fill(self, template: str, **more: Any) -> str:
        """Fill in ``{name}``, ``{label}``, coordinates such as ``{row}``, and entries of ``more`` in a template."""
        known: dict[str, Any] = {**self.at, "name": self.name, "label": self.label, **more}
        if isinstance(x := known.get("x"), float):
            known["x"] = compact(x)
        return template.format_map(known)

    def including(self, *coordinates: Mapping[str, Any]) -> Place:
        """Return a copy of this place with additional coordinates; the coordinates of this place take precedence."""
        return replace(self, at={**{k: v for more in coordinates for k, v in more.items()}, **self.at})


class PlacedValues:
    """The values of one or more tables or figures, indexed by their coordinates.

    Args:
        values: the values, in the order in which tables show rows and systems.

    Attributes:
        facts: texts and numbers that describe the whole table or figure, by metric.
        sentences: notes to show below the table.
        warned: values that contain training warnings, by system id.
        metrics: the metrics of all values.
        sample: whether the values were computed from sample data.
    """

    def __init__(self, values: Iterable[Value]) -> None:
        self.values = list(values)
        self._at: dict[tuple[Any, ...], Value] = {}
        self._of_any: dict[tuple[Any, ...], Value] = {}
        self._protocols: dict[tuple[str, str], set[str]] = {}
        self._states: dict[tuple[str, str], set[str]] = {}
        self._seeds: dict[tuple[str, str], int] = {}
        self.facts: dict[str, str | int | float] = {}
        self.sentences: list[str] = []
        self.warned: dict[str, Value] = {}
        self.metrics = {value.metric for value in self.values}
        for value in self.values:
            self._add(value)
        self.sample = self.facts.get("sample") == "True"

    def _add(self, value: Value) -> None:
        if value.metric == WARNING:
            self.warned[value.system] = value
            return
        key = (value.row, value.column, value.protocol, value.system, _x(value.x), value.metric)
        self._at.setdefault(key, value)
        self._of_any.setdefault(key[:3] + key[4:], value)
        if not value.row and not value.column:
            if value.metric == "note":
                self.sentences.append(value.text)
            elif value.text or not math.isnan(value.mean):
                self.facts[value.metric] = value.text or _plain(value.mean)
        if value.column:
            system = (value.column, value.system)
            states = self._states.setdefault(system, set())
            if value.system:
                self._protocols.setdefault((value.system, value.metric), set()).add(value.protocol)
                self._seeds[system] = max(self._seeds.get(system, 0), value.seeds)
                states.add("ours")
            if value.published or not math.isnan(value.published_value):
                states.add("published")

    def get(self, at: Mapping[str, Any], metric: str) -> Value | None:
        """Return the value of a metric at the given coordinates or a substitute, or None if there is neither.

        If no value has exactly these coordinates, the substitute is the first of the following values that exists:

        - the system's value under another protocol, if this is the only protocol under which the system has the metric;
        - the system's value without a protocol;
        - a value without a system, such as a published value, under the given protocol or without a protocol;
        - if the given coordinates do not include a system, the first value of any system under the given protocol.
        """
        system, protocol = at.get("system", ""), at.get("protocol", "")
        own = self._protocols.get((system, metric), set())
        only = next(iter(own)) if len(own) == 1 else protocol
        for wanted in ((system, protocol), (system, only), (system, ""), ("", protocol), ("", "")):
            key = (at.get("row", ""), at.get("column", ""), wanted[1], wanted[0], _x(at.get("x", math.nan)), metric)
            if key in self._at:
                return self._at[key]
        key = (at.get("row", ""), at.get("column", ""), protocol, _x(at.get("x", math.nan)), metric)
        return None if "system" in at else self._of_any.get(key)

    def states(self, at: Mapping[str, Any]) -> set[str]:
        """Return the states of the system at the given coordinates.

        The states are "ours" (we have values of the system), "published" (the system has published values), "both"
        (the system has values of both kinds) and "seeds" (the system has several seeds). Coordinates without a column
        do not identify a system, so all four states are returned for them.
        """
        if "column" not in at:
            return {"ours", "published", "both", "seeds"}
        system = (at["column"], at.get("system", ""))
        found = self._states.get(system, set()) | (self._states.get((at["column"], ""), set()) & {"published"})
        return (
            found
            | ({"both"} if {"ours", "published"} <= found else set())
            | ({"seeds"} if self.seeds(at) > 1 else set())
        )

    def seeds(self, at: Mapping[str, Any]) -> int:
        """Return the number of seeds of the system at the given coordinates; 0 if we have no values of the system."""
        return self._seeds.get((at.get("column", ""), at.get("system", "")), 0)

    def places(self, by: Sequence[str], where: Patterns, names: Mapping[str, str]) -> list[Place]:
        """Return the distinct places of the lines or columns of a table, in the order of the values.

        Values that are only published have an empty system. A place with an empty system is omitted if there is a place
        with a non-empty system whose other coordinates are the same.

        Args:
            by: names of the coordinates that distinguish the places.
            where: patterns that the fields of a value must match; ``!`` negates a pattern.
            names: display names, keyed by the first coordinate in ``by``; if given, values whose first coordinate has
                no display name are not used. If ``by`` has one coordinate, there is a place for each entry of
                ``names``, in the same order.
        """
        fixed = {name: patterns[0] for name, patterns in where.items() if len(patterns) == 1 and _is_exact(patterns[0])}
        fixed = {name: _coordinate(name, value) for name, value in fixed.items() if name not in ("metric", "baseline")}
        found: dict[tuple[Any, ...], Place] = {}
        for value in self._placed(by, where):
            key = tuple(_x(value.x) if name == "x" else getattr(value, name) for name in by)
            if key not in found and (not names or key[0] in names):
                at = {**fixed, **dict(zip(by, key, strict=True))}
                label = value.label if "column" in by or ("system" in by and value.system) else value.row
                short = names.get(str(key[0])) or (value.system or label if "system" in by else str(key[0]))
                found[key] = Place(at, short, label or value.column, value.baseline)
        if names and len(by) == 1:
            return [found.get((key,), Place({**fixed, by[0]: key}, name, name)) for key, name in names.items()]
        if "system" not in by:
            return list(found.values())
        place = by.index("system")
        ours = {(*key[:place], *key[place + 1 :]) for key in found if key[place]}
        return [p for key, p in found.items() if key[place] or (*key[:place], *key[place + 1 :]) not in ours]

    def _placed(self, by: Sequence[str], where: Patterns) -> Iterator[Value]:
        for value in self.values:
            if (
                value.metric == WARNING
                or value.row == SECTION
                or any(name in ("row", "column") and not getattr(value, name) for name in by)
            ):
                continue
            if all(matches(_text(value, name), patterns) for name, patterns in where.items()):
                yield value


def matches(value: Any, patterns: Sequence[str]) -> bool:
    """Return whether a value matches at least one pattern but no negated pattern; negated patterns begin with ``!``.

    If all patterns are negated, it is enough that the value matches none of them.
    """
    wanted = [pattern for pattern in patterns if not pattern.startswith("!")]
    refused = [pattern[1:] for pattern in patterns if pattern.startswith("!")]
    if any(fnmatchcase(str(value), pattern) for pattern in refused):
        return False
    return (not wanted and bool(refused)) or any(fnmatchcase(str(value), pattern) for pattern in wanted)


def _text(value: Value, name: str) -> str:
    return compact(value.x) if name == "x" else str(getattr(value, name))


def _is_exact(pattern: str) -> bool:
    return not any(character in pattern for character in "*?[!")


def _coordinate(name: str, text: str) -> Any:
    return float(text) if name == "x" else text


def _x(x: float | None) -> float | None:
    return None if x is None or math.isnan(x) else x


def _plain(number: float) -> int | float:
    return int(number) if float(number).is_integer() else number
