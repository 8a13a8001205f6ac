"""Collectors, which convert the raw measurements of a table or figure to values.

A value with a published counterpart has the row, column and metric of the publication. Properties of a measurement (the
number of test items, a dimension, the seconds of training) are values as well: of the item as a whole (no row, no
column), of a row, or of a system.

A collector is a function whose parameters are inputs and parameters of the rule of its item; :func:`reads` declares how
the files of an input are read. The same names have the same meaning everywhere: ``reported`` contains the published
values, ``systems`` and ``models`` are entries of the item, in order (:data:`sentrep.tables.systems.Entry`), ``points``
are the models of a sweep, and ``sample`` marks sample data, which are not compared with published values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any, TypeVar

from sentrep.io.csv_files import read_all_csv, read_csv
from sentrep.tables.values import Value

NO_INTERVAL = "no interval: the bootstrap needs what single items gave"

Collector = TypeVar("Collector", bound=Callable[..., list[Value]])
Reader = Callable[[Any], Any]
_READERS: dict[Callable[..., list[Value]], dict[str, Reader]] = {}


def reads(**readers: Reader) -> Callable[[Collector], Collector]:
    """Declare how the inputs of a collector are read: by name of the input, a function of its path or paths."""

    def declare(collector: Collector) -> Collector:
        _READERS[collector] = readers
        return collector

    return declare


def rows_of(columns: Sequence[str]) -> Reader:
    """Return a reader of one csv file that must have these columns."""
    return partial(read_csv, columns=columns)


def joined_rows(columns: Sequence[str]) -> Reader:
    """Return a reader of several csv files as one table."""
    return partial(read_all_csv, columns=columns)


def each(columns: Sequence[str]) -> Reader:
    """Return a reader of several csv files as a list of tables."""
    return lambda paths: [read_csv(path, columns) for path in paths]


def collect(name: str, inputs: Mapping[str, Any], params: Mapping[str, Any]) -> list[Value]:
    """Call a collector.

    Args:
        name: ``<module>.<function>`` below this package.
        inputs: files of its rule by name.
        params: parameters of the rule.
    """
    module, function = name.split(".")
    collector = getattr(import_module(f"{__name__}.{module}"), function)
    readers = _READERS[collector]
    given = {**params, **{name: readers[name](files) for name, files in inputs.items() if name in readers}}
    return collector(**{name: given[name] for name in signature(collector).parameters if name in given})
