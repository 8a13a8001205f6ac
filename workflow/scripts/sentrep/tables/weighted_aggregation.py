"""Tables 1 and 2 of De Boom et al. (2016): how well each way of comparing texts finds related pairs.

The reported split errors are in percent. ``workflow/reported/weighted_aggregation.csv`` also holds the weights that
stand in the authors' released code, as table "released weights": Figure 3 shows them without numbers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import pandas as pd

from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.reported import Reported

ERROR, DIVERGENCE = "split error", "js divergence"
NAMES = ("error %", "reported", "diff.", "JS", "reported", "diff.", "JS, unbiased")
BEYOND = "Beyond the paper"
LEARNT_CONTRASTIVE, LEARNT_MEDIAN = "Learned weights, contrastive", "Learned weights, median"
SAMPLE_NOTE = (
    "Made from the small sample texts, not from the paper's data: no number here can be compared with the paper's."
)


@dataclass(frozen=True)
class Column:
    """One data set with one set of word vectors.

    Attributes:
        label: its heading; says which vectors.
        reported: the paper's column beside which it stands.
        metrics: from :func:`sentrep.aggregation.evaluation.evaluate`; None if the preset has no such data.
        binomial: tests between the ways, from the same; None as well.
    """

    label: str
    reported: str
    metrics: pd.DataFrame | None
    binomial: pd.DataFrame | None


def build_table(
    number: int, title: str, columns: Sequence[Column], paper: Reported, preset: str, sample: bool
) -> tuple[Table, pd.DataFrame]:
    """Build Table 1 or 2.

    Args:
        number: of the table in the paper.
        title: one sentence.
        columns: in the paper's order.
        paper: its values.
        preset: name of the preset.
        sample: made from the sample texts: no differences.

    Returns:
        the table as shown, and its numbers: a line per column and way, errors in percent.
    """
    methods = paper.rows(number)
    extra = [
        method
        for method in dict.fromkeys(
            m for column in columns if column.metrics is not None for m in column.metrics["method"]
        )
        if method not in methods
    ]
    records = [
        _record(number, column, method, paper, preset, sample) for column in columns for method in methods + extra
    ]
    frame = pd.DataFrame(records)
    by_key = {(record["column"], record["method"]): record for record in records}
    best = {column.label: _best([by_key[column.label, method] for method in methods]) for column in columns}

    def rows(names: Sequence[str]) -> tuple[Row, ...]:
        return tuple(
            Row(Cell(name), tuple(cell for c in columns for cell in _cells(by_key[c.label, name], best[c.label])))
            for name in names
        )

    table = Table(
        title=title,
        stub="Method",
        groups=tuple((column.label, NAMES) for column in columns),
        sections=(Section("", rows(methods)), *([Section(BEYOND, rows(extra))] if extra else [])),
        notes=_notes(columns, sample),
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )
    return table, frame


def _record(number: int, column: Column, method: str, paper: Reported, preset: str, sample: bool) -> dict[str, Any]:
    """Return one line of the CSV; what there is not is NaN."""
    reported_error = paper.number(number, method, column.reported, ERROR)
    reported_js = paper.number(number, method, column.reported, DIVERGENCE)
    found = None
    if column.metrics is not None:
        rows = column.metrics[column.metrics["method"] == method]
        found = rows.iloc[0] if len(rows) else None

    def ours(name: str, factor: float = 1.0) -> float:
        return math.nan if found is None else factor * float(found[name])

    record: dict[str, Any] = {
        "preset": preset,
        "column": column.label,
        "method": method,
        "error": ours("error", 100),
        "error_low": ours("error_low", 100),
        "error_high": ours("error_high", 100),
        "reported_error": reported_error,
        "error_difference": math.nan if sample else ours("error", 100) - reported_error,
        "js": ours("js_authors"),
        "js_unbiased": ours("js_unbiased"),
        "reported_js": reported_js,
        "js_difference": math.nan if sample else ours("js_authors") - reported_js,
        "split": ours("split"),
        "pairs": "" if found is None else str(int(found["pairs"])),
    }
    return record


def _best(records: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Return what the best values of a column are printed as; a lone or missing value is no best."""
    values = {name: [r[name] for r in records if not math.isnan(r[name])] for name in ("error", "js", "js_unbiased")}
    return {
        name: _number(min(found) if name == "error" else max(found), _digits(name)) if len(found) > 1 else ""
        for name, found in values.items()
    }


def _digits(name: str) -> int:
    return 2 if "error" in name else 4


def _number(value: float, digits: int) -> str:
    return "" if math.isnan(value) else f"{value:.{digits}f}"


def _signed(value: float, digits: int) -> str:
    text = _number(value, digits)
    plain = text.lstrip("-")
    return plain if not plain.strip("0.") else text if text.startswith("-") else f"+{text}"


def _cells(record: Mapping[str, Any], best: Mapping[str, str]) -> tuple[Cell, ...]:
    def ours(name: str, tail: str = "") -> Cell:
        text = _number(record[name], _digits(name))
        return Cell(text, tail, bold=bool(text) and text == best[name])

    interval = "" if math.isnan(record["error"]) else f"[{record['error_low']:.1f}, {record['error_high']:.1f}]"
    return (
        ours("error", interval),
        Cell(_number(record["reported_error"], 2)),
        Cell(_signed(record["error_difference"], 2)),
        ours("js"),
        Cell(_number(record["reported_js"], 4)),
        Cell(_signed(record["js_difference"], 4)),
        ours("js_unbiased"),
    )


def _notes(columns: Sequence[Column], sample: bool) -> tuple[str, ...]:
    notes = [
        "Error: split point from the validation pairs, mean of both kinds' error on the test pairs, with a 95% "
        "bootstrap interval over test pairs. JS: Jensen-Shannon divergence in bits, binned as the authors did, which "
        "is too low where pairs are few, and without that bias. Bold: the best of ours among the paper's rows.",
    ]
    if not sample:
        notes.append("diff.: ours minus the reported value; JS as the authors binned it.")
    for column in columns:
        if column.metrics is None:
            notes.append(f"{column.label}: not in this preset.")
            continue
        first = column.metrics.iloc[0]
        empty = int(first["pairs_with_empty_text"])
        known = f"; {empty:,} with a text without a known word" if empty else ""
        tests = _tests(column)
        notes.append(f"{column.label}: {int(first['pairs']):,} test pairs{known}. {tests}".strip())
    return tuple(notes)


def _tests(column: Column) -> str:
    """Say what the binomial tests find: the median-based weights against the best baseline and the contrastive ones."""
    if column.metrics is None or column.binomial is None:
        return ""
    errors = column.metrics.set_index("method")["error"]
    if LEARNT_MEDIAN not in errors:
        return ""
    baselines = errors[[name for name in errors.index if not name.startswith("Learned weights")]]
    rivals = [str(baselines.idxmin()), *([LEARNT_CONTRASTIVE] if LEARNT_CONTRASTIVE in errors else [])]
    tests = column.binomial.set_index(["reference", "method"])["p"]
    parts = [f"{rival} {_p(float(tests[rival, LEARNT_MEDIAN]))}" for rival in rivals]
    return f"Two-tailed binomial test of {LEARNT_MEDIAN} against the error rate of {', and of '.join(parts)}."


def _p(p: float) -> str:
    return "(p < .001)" if p < 0.001 else f"(p = {p:.3f})".replace("0.", ".")
