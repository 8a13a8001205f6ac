"""Select and format the values that the test of a claim reads.

A test compares systems, methods or values of a parameter on cases such as evaluation sets, tasks or relations. Each
test has a view, which is declared in ``workflow/reported/claims.yaml``. The view defines which part of the table of
values the test reads, which columns contain the names of the compared systems and of the cases, and how values are
formatted. Each value is represented by a :data:`Number`: an array of the measured value and the corresponding value in
each bootstrap draw (:mod:`sentrep.claims.outcome`).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

import numpy as np

from sentrep.claims.outcome import Support, Untestable, average, constant, seed_range
from sentrep.claims.samples import Samples
from sentrep.evaluation.statistics.bootstrap import Floats
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.runtime.settings import Section
from sentrep.tables.numbers import fixed, signed
from sentrep.tables.values import Value

SETS = {f"{standard.year} {standard.label}": standard for standard in STANDARD}
CORRELATION = "correlation"
_DIGITS = 4  # number of decimals in formatted correlations
_LISTED = 4  # with more rival methods than this, sentences give the value of only the best or the worst of them

Names = Sequence[str]
Number = Floats
"""Array of shape (1 + DRAWS,): the measured value, followed by the value in each bootstrap draw."""
Row = Mapping[str, Number]
Grid = dict[str, dict[str, Number]]
"""Mapping from cases to rows. A row maps each system, method or parameter value to a :data:`Number`."""


class View(Section):
    """Declaration of the part of the table of values that a test reads.

    Attributes:
        items: tables and figures to read, each as ``<paper>/<item>``.
        metrics: names of the metrics to read, such as ``pearson``.
        rows: prefixes of row names. A row is read if its name starts with one of these prefixes; by default, all rows
            are read.
        cases: column of the table of values that contains the names of the cases.
        compared: column of the table of values that contains the compared systems, methods or parameter values.
        protocols: evaluation protocols to read; all if empty.
        other_protocol: a second evaluation protocol. Depending on the test, the results under this protocol are part of
            the margin, are only reported, or are not used.
        noun: plural noun for the cases. If it is "sets", only the 20 evaluation sets are read, in the papers' order.
        parameter: name of the parameter whose values are compared; empty if systems or methods are compared.
        style: format of values: ``correlation`` for four decimals without a zero before the decimal point, or a format
            specification such as ``.2f``.
        lowest: whether lower values are better, as with errors.
        baselines: systems that are reported as untrained baselines.
        published: whether to read the published values instead of ours.
        exact: whether the values are independent of test items and seeds, like numbers of parameters.
    """

    items: tuple[str, ...]
    metrics: tuple[str, ...]
    rows: tuple[str, ...] = ("",)
    cases: Literal["row", "column", "metric"] = "row"
    compared: Literal["system", "x", "row", "column"] = "system"
    protocols: tuple[str, ...] = ()
    other_protocol: str = ""
    noun: str = "rows"
    parameter: str = ""
    style: str = CORRELATION
    lowest: bool = False
    baselines: tuple[str, ...] = ()
    published: bool = False
    exact: bool = False


class Data:
    """The values of the tables and figures that a view names, with methods that select and format values for tests.

    Args:
        cells: all values in the tables and figures that the view names.
        view: declaration of the values to select.
        samples: bootstrap draws of the values. If None, draws are generated from each value's own confidence interval
            and from its standard deviation over seeds.
    """

    def __init__(self, cells: Sequence[Value], view: View, samples: Samples | None = None) -> None:
        self.cells = cells
        self.view = view
        self.samples = samples or Samples()

    def grid(self, metrics: Sequence[str] = (), protocols: Sequence[str] = (), published: bool = False) -> Grid:
        """Return the values that the view selects, keyed by case and then by system, method or parameter value.

        Args:
            metrics: metrics to read instead of the metrics of the view.
            protocols: protocols to read instead of the protocols of the view.
            published: whether to return published values instead of ours; no effect if the view itself selects
                published values.

        Returns:
            A grid. Its cases are in the order of the table of values or, if they are the 20 evaluation sets, in the
            papers' order. Missing values are omitted. Values with the same two keys, such as values for several seeds,
            are averaged.
        """
        metrics, protocols = metrics or self.view.metrics, protocols or self.view.protocols
        published = published or self.view.published
        found: dict[str, dict[str, list[Value]]] = {}
        for value in self.cells:
            name, number = self._name(value), value.published_value if published else value.mean
            wanted = value.metric in metrics and (not protocols or value.protocol in protocols)
            if wanted and name and math.isfinite(number) and value.row.startswith(self.view.rows):
                found.setdefault(str(getattr(value, self.view.cases)), {}).setdefault(name, []).append(value)
        cases = SETS if self.view.noun == "sets" else found
        return {
            case: {name: self._number(values, published) for name, values in found[case].items()}
            for case in cases
            if case in found
        }

    def _number(self, values: Sequence[Value], published: bool) -> Number:
        """Return the mean of values that have the same case and name.

        If there are several measured values, each is assumed to come from a different seed. Published values and exact
        values are the same in all bootstrap draws.
        """
        if published:
            return average([constant(value.published_value) for value in values])
        if self.view.exact:
            return average([constant(value.mean) for value in values])
        return self.samples.of(values[0]) if len(values) == 1 else self.samples.of_seeds([v.mean for v in values])

    def row(self, case: str, needed: Iterable[str] = ()) -> dict[str, Number]:
        """Return the values of one case, keyed by system, method or parameter value.

        Raises:
            Untestable: the run has no values for this case, or no value for one of the ``needed`` names.
        """
        grid = self.grid()
        if case not in grid:
            raise Untestable(f"this run has no values for {case}")
        self.check(grid[case], needed, f" on {case}")
        return grid[case]

    def check(self, known: Iterable[str], needed: Iterable[str], where: str = "") -> None:
        """Check that all ``needed`` names are in ``known``, which lists the names that have values.

        Raises:
            Untestable: a needed name has no value; the message ends with ``where``.
        """
        present = set(known)
        absent = [name for name in needed if name not in present]
        if absent:
            what = f"at {self.view.parameter}" if self.view.parameter else f"of {' or '.join(self.view.metrics)} for"
            raise Untestable(f"this run has no values {what} {', '.join(absent)}{where}")

    def support(self, names: Iterable[str] = (), cases: Iterable[str] = ()) -> Support:
        """Describe the data behind the confidence interval of a margin: seeds, test items and resampled units.

        Args:
            names: systems, methods or parameter values to consider; all if empty.
            cases: cases to consider; all if empty.
        """
        wanted, within = set(names), set(cases)
        if self.view.published or self.view.exact:
            return Support(basis="nothing varies")
        used, most = list[tuple[str, Value]](), dict[str, int]()
        for value in self.cells:
            name, case = self._name(value), str(getattr(value, self.view.cases))
            chosen = (
                value.metric in self.view.metrics and (not wanted or name in wanted) and (not within or case in within)
            )
            if chosen and value.seeds and (not self.view.protocols or value.protocol in self.view.protocols):
                used.append((case, value))
                most[name] = max(most.get(name, 0), value.seeds)
        items, basis = self.samples.support(used)
        return Support(seed_range(most.values()), items, basis)

    def show(self, value: Number | float) -> str:
        """Format a measured value as the ``style`` of the view specifies."""
        number = measured(value)
        return fixed(number, _DIGITS, False) if self.view.style == CORRELATION else format(number, self.view.style)

    def show_signed(self, value: Number | float) -> str:
        """Format a measured difference with its sign, as the ``style`` of the view specifies."""
        number = measured(value)
        if self.view.style == CORRELATION:
            return signed(number, _DIGITS, False)
        return format(number, f"+{self.view.style}")

    def listed(self, row: Row, names: Iterable[str] = ()) -> str:
        """Format the values with the given names, or all values in the row if no names are given.

        The text has the form ``a .4379, b .3740``. If the names are values on the horizontal axis of a figure, it has
        the form ``1: .4379, 2: .3740``.
        """
        colon = ":" if self.view.compared == "x" else ""
        return ", ".join(f"{name}{colon} {self.show(row[name])}" for name in names or row)

    def best_of(self, row: Row, names: Iterable[str], worst: bool = False) -> str:
        """Return the element of ``names`` whose measured value is best, or worst if ``worst`` is true."""
        return (min if self.view.lowest != worst else max)(names, key=lambda name: measured(row[name]))

    def compared_in(self, row: Row, subjects: Sequence[str], rivals: Sequence[str], worst: bool) -> str:
        """Format the values that a row contains for the subjects and rivals of a test.

        If the subjects and rivals are points on the horizontal axis of a figure, the text contains all values of the
        row. If they are methods, and there are more than four rivals, the text contains the values of all subjects and
        of one rival: the best or, if ``worst`` is true, the worst. Otherwise, it contains the values of all subjects
        and rivals.
        """
        if self.view.compared == "x":
            return self.listed(row)
        if self.view.compared == "system" or len(rivals) <= _LISTED:
            return self.listed(row, [*subjects, *rivals])
        best = self.best_of(row, rivals, worst)
        return f"{self.listed(row, subjects)}; {'worst' if worst else 'best'} other method: {self.listed(row, [best])}"

    def baselines_in(self, grid: Grid) -> str:
        """Format the values of the untrained baselines for each case."""
        parts = {case: [name for name in self.view.baselines if name in row] for case, row in grid.items()}
        texts = {case: self.listed(grid[case], names) for case, names in parts.items() if names}
        return "; ".join(texts.values() if len(grid) == 1 else (f"{case}: {text}" for case, text in texts.items()))

    def baselines_against(self, grid: Grid, subject: str) -> str:
        """Format each untrained baseline's mean and the number of cases on which this baseline is above ``subject``.

        Only cases for which both the baseline and the subject have values are used.
        """
        texts: list[str] = []
        for name in self.view.baselines:
            rows = [row for row in grid.values() if name in row and subject in row]
            if rows and name != subject:
                above = sum(measured(row[name]) > measured(row[subject]) for row in rows)
                mean = self.show(average(row[name] for row in rows))
                where = f"{above} of {len(rows)} {self.view.noun}"
                texts.append(f"{name} has a mean of {mean} and is above {subject} on {where}")
        return "; ".join(texts)

    def _name(self, value: Value) -> str:
        if self.view.compared == "x":
            return "" if math.isnan(value.x) else f"{value.x:g}"
        return str(getattr(value, self.view.compared))


def measured(number: Number | float) -> float:
    """Return the measured value, which is the first entry of a :data:`Number`; return a float unchanged."""
    return float(np.atleast_1d(number)[0])


def averaged(grid: Grid, noun: str, mean: str, year: int = 0) -> Grid:
    """Average values over cases.

    Args:
        grid: values by case.
        noun: plural noun for the cases, such as "sets"; used in messages and in the name of the mean.
        mean: "cases" (unweighted mean), "pairs" (mean over sets, weighted by their numbers of sentence pairs) or
            "years" (one unweighted mean for each year).
        year: if not 0, average only over the sets of this year; ignored if ``mean`` is "years".

    Returns:
        A grid that contains the mean of each system. It has a single case, whose name describes the mean, or, if
        ``mean`` is "years", one case per year, whose name is the year. Systems that lack a value for any of the
        averaged cases are omitted.

    Raises:
        Untestable: there are no cases to average, and ``mean`` is not "years".
    """
    if mean == "years":
        years = dict.fromkeys(case.split()[0] for case in grid)
        return {name: next(iter(averaged(grid, noun, "cases", int(name)).values())) for name in years}
    rows = {case: row for case, row in grid.items() if not year or case.startswith(f"{year} ")}
    if not rows:
        raise Untestable(f"this run has no {noun} of {year}" if year else f"this run has no {noun}")
    weights = {case: float(SETS[case].pairs) if mean == "pairs" else 1.0 for case in rows}
    total = sum(weights.values())
    common = [name for name in next(iter(rows.values())) if all(name in row for row in rows.values())]
    means = {name: np.sum([weights[case] * row[name] for case, row in rows.items()], axis=0) / total for name in common}
    kind = "pair-weighted mean" if mean == "pairs" else "mean"
    return {f"{kind} over {len(rows)} {noun}{f' of {year}' if year else ''}": means}
