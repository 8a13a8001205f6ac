"""Define collectors, which are functions that convert raw measurements to the values of tables and figures.

A value is a row of the table of values (:class:`sentrep.tables.values.Value`). A value with a published counterpart has
the row, column and metric of that counterpart. Properties of a measurement, such as the number of test items, a
dimension or the training time, are also values. Such a value describes a row, a system, or the whole table or figure
(and then has neither row nor column).

The parameters of a collector are named after the inputs and parameters of the Snakemake rule that calls it;
:func:`reads` declares how the files of an input are read. Some names have the same meaning in all collectors:

- ``reported``: the published values;
- ``systems`` or ``models``: the systems of the table, in order (:data:`sentrep.tables.systems.Entry`);
- ``points``: the models of a sweep;
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

NO_INTERVAL = "no interval, because the bootstrap needs the results for individual items"

Collector = TypeVar("Collector", bound=Callable[..., list[Value]])
Reader = Callable[[Any], Any]
_READERS: dict[Callable[..., list[Value]], dict[str, Reader]] = {}


def reads(**readers: Reader) -> Callable[[Collector], Collector]:
    """Return a decorator that declares how the inputs of a collector are read.

    Args:
        readers: for each input, a function that takes the path or paths of its files and returns their contents.
    """

    def declare(collector: Collector) -> Collector:
        _READERS[collector] = readers
        return collector

    return declare


def rows_of(columns: Sequence[str]) -> Reader:
    """Return a function that reads one csv file, which must have the given columns."""
    return partial(read_csv, columns=columns)


def joined_rows(columns: Sequence[str]) -> Reader:
    """Return a function that reads several csv files, which must have the given columns, into one data frame."""
    return partial(read_all_csv, columns=columns)


def each(columns: Sequence[str]) -> Reader:
    """Return a function that reads several csv files, which must have the given columns, into a list of data frames."""
    return lambda paths: [read_csv(path, columns) for path in paths]


def collect(name: str, inputs: Mapping[str, Any], params: Mapping[str, Any]) -> list[Value]:
    """Read the inputs of a collector, call the collector, and return its values.

    Args:
        name: the collector, as ``<module>.<function>`` in this package.
        inputs: path or paths of each input of the rule.
        params: parameters of the rule.
    """
    module, function = name.split(".")
    collector = getattr(import_module(f"{__name__}.{module}"), function)
    readers = _READERS[collector]
    given = {**params, **{name: readers[name](files) for name, files in inputs.items() if name in readers}}
    return collector(**{name: given[name] for name in signature(collector).parameters if name in given})
