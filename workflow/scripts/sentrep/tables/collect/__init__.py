"""Define and call collectors: functions that convert raw measurements into the values of tables and figures.

A value is a row of the table of values (:class:`sentrep.tables.values.Value`). A value with a published counterpart has
the row, column and metric of that counterpart. Properties of a measurement, such as the number of test items, the
dimension of the vectors or the training time, are also values. Such a value describes a row, a system, or the whole
table or figure. A value that describes the whole table or figure has neither row nor column.

The plan contains the input files and the settings of each collector (:class:`sentrep.config.plan_values.Collector`).
The settings are passed to the collector unchanged. The input files are first read by the functions that the collector
declares with :func:`reads`. Some arguments have the same meaning in all collectors:

- ``paper`` and ``item``: the paper and the name of the table or figure to which the values belong;
- ``reported``: the published values of one or more papers;
- ``systems``: the systems of the table, in order (:data:`sentrep.tables.systems.Entry`);
- ``points``: mappings that describe the trained models of a sweep (:func:`sentrep.tables.collect.sweeps.sweep_values`);
- ``sample``: whether the values come from sample data and are therefore not compared with published values.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from importlib import import_module
from inspect import signature
from typing import Any, TypeVar

from sentrep.io.csv_files import read_all_csv, read_csv
from sentrep.tables.values import Value

NO_INTERVAL = "no interval was computed for this metric"

Collector = TypeVar("Collector", bound=Callable[..., list[Value]])
Reader = Callable[[Any], Any]
_READERS: dict[Callable[..., list[Value]], dict[str, Reader]] = {}


def reads(**readers: Reader) -> Callable[[Collector], Collector]:
    """Return a decorator that declares how the inputs of a collector are read.

    Args:
        readers: a function for each input, keyed by the name of the input. The function takes the path or paths of the
            input's files and returns the argument that is passed to the collector.
    """

    def declare(collector: Collector) -> Collector:
        _READERS[collector] = readers
        return collector

    return declare


def rows_of(columns: Sequence[str]) -> Reader:
    """Return a function that reads one CSV file, which must have the given columns, into a data frame."""
    return partial(read_csv, columns=columns)


def joined_rows(columns: Sequence[str]) -> Reader:
    """Return a function that reads several CSV files, which must have the given columns, into one data frame."""
    return partial(read_all_csv, columns=columns)


def each(columns: Sequence[str]) -> Reader:
    """Return a function that reads several CSV files, which must have the given columns, into a list of data frames."""
    return lambda paths: [read_csv(path, columns) for path in paths]


def collect(name: str, inputs: Mapping[str, Any], params: Mapping[str, Any]) -> list[Value]:
    """Read the inputs of a collector, call the collector, and return its values.

    Args:
        name: name of the collector, as ``<module>.<function>`` in this package.
        inputs: path or paths of each input's files, keyed by the name of the input. Inputs that the collector does not
            declare with :func:`reads` are ignored.
        params: other arguments, keyed by name. Arguments that the collector does not accept are ignored.
    """
    module, function = name.split(".")
    collector = getattr(import_module(f"{__name__}.{module}"), function)
    readers = _READERS[collector]
    given = {**params, **{name: readers[name](files) for name, files in inputs.items() if name in readers}}
    return collector(**{name: given[name] for name in signature(collector).parameters if name in given})
