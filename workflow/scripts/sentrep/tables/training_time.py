"""Training time in the tables of Logeswaran and Lee (2018): the column of Table 1, and Table 9."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sentrep.tables.costs import Cost
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.reported import Reported

# Sentences that the released code trains on; the paper says about 45 million.
SENTENCES = 45_786_400
# Appendix D, as the configuration names them.
TABLE9_TASKS = ["msrp", "trec", "mr", "cr", "subj", "mpqa"]
PROJECTION = f"ours, for {SENTENCES / 1e6:.1f} M sentences"
TRAINED, IMPORTED, REPRINTED = "trained here", "imported", "reprinted"
SAMPLE_NOTE = (
    "Small models trained on the small sample texts and scored on hand-written pairs: no number here can be compared "
    "with the paper's."
)


def number(value: float, digits: int = 3) -> str:
    """Write a number with three significant digits, never as a power of ten; nothing for NaN."""
    if math.isnan(value):
        return ""
    return np.format_float_positional(value, digits, unique=False, fractional=False, trim="-")


def plain(value: float) -> str:
    """Write a number for a CSV file, where four digits after the point would lose small ones; nothing for NaN."""
    return "" if math.isnan(value) else f"{value:.6g}"


def state_of(cost: Cost | None) -> str:
    """Return what stands behind a line: a model trained here, an imported one, or only the paper."""
    return REPRINTED if cost is None else IMPORTED if cost.imported else TRAINED


def build_time(
    costs: Mapping[str, Cost], paper: Reported, models: Sequence[Mapping[str, Any]], preset: str, sample: bool
) -> tuple[Table, pd.DataFrame]:
    """Build the columns Dim and Training time of Table 1.

    Args:
        costs: by model id.
        paper: the paper's values.
        models: entries of Table 1, see :func:`sentrep.config.systems.of_paper`; floors are left out.
        preset: name of the preset.
        sample: the models are those of the sample preset: no projection to the paper's corpus.
    """
    sections: dict[str, list[Row]] = {}
    records = []
    for model in (model for model in models if model["reported"]):
        column = model["reported"]["column"]
        cost = costs[model["id"]] if model["id"] else None
        dimension = paper.text(1, "Dim", column, "dimension") or ""
        hours = paper.text(1, "Training time", column, "hours") or ""
        mark = paper.text(1, "Training time", column, "mark") or ""
        cells = (
            Cell(str(cost.dimension) if cost else ""),
            Cell(dimension),
            *_time_cells(cost, sample),
            Cell(hours, mark=mark),
            *_run_cells(cost),
        )
        row = Row(Cell(model["label"], "" if cost else f"({REPRINTED})"), cells)
        heading = paper.text(1, "Section", column, "heading") or "Not trained on BookCorpus"
        sections.setdefault(heading, []).append(row)
        records.append(
            {
                "preset": preset,
                "printed": column,
                "model": model["id"] or "",
                "state": state_of(cost),
                "dimension": cost.dimension if cost else "",
                "reported dimension": dimension,
                **_time_record(cost, sample),
                "reported hours": hours,
                "mark": mark,
                **_run_record(cost),
            }
        )
    table = Table(
        title="Quick Thoughts, table 1: size of the vectors and training time",
        stub="Model",
        groups=(("Dimension", ("ours", "reported")), _time_group(sample), _RUN),
        sections=tuple(Section(heading, tuple(rows)) for heading, rows in sections.items()),
        notes=(
            *_notes(sample),
            "*: on a CPU. †: the concatenated parts are trained side by side. So are ours: a model built on others "
            "counts the slowest of them.",
        ),
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )
    return table, pd.DataFrame(records)


def mean_accuracy(scores: pd.DataFrame) -> float:
    """Return the quality that Table 9 prints, in percent; NaN if a task was not scored.

    Args:
        scores: one model's transfer scores with one seed: protocol, task, metric, value.
    """
    rows = scores[(scores["protocol"] == "kiros") & (scores["metric"] == "accuracy")].set_index("task")["value"]
    return float(rows.reindex(TABLE9_TASKS).mean(skipna=False))


def build_table9(
    points: Sequence[tuple[Cost, float]], paper: Reported, preset: str, sample: bool
) -> tuple[Table, pd.DataFrame]:
    """Build Table 9: sizes of the sentence vector, smallest first, training time and quality.

    Args:
        points: our models, each with its mean accuracy over the six classification tasks, in percent.
        paper: the paper's values.
        preset: name of the preset.
        sample: the models are those of the sample preset: no projection to the paper's corpus.
    """
    printed = {int(row): row for row in paper.rows(9)}
    lines: list[tuple[int, Cost | None, float]] = [(cost.dimension, cost, mean) for cost, mean in points]
    lines += [(size, None, math.nan) for size in printed if size not in {line[0] for line in lines}]
    rows, records = [], []
    for size, cost, mean in sorted(lines, key=lambda line: line[0]):
        hours, accuracy = (paper.text(9, printed.get(size, ""), "MC-QT", name) or "" for name in ("hours", "accuracy"))
        cells = (
            *_time_cells(cost, sample),
            Cell(hours),
            Cell("" if math.isnan(mean) else f"{mean:.2f}"),
            Cell(accuracy),
            Cell("" if math.isnan(mean) or not accuracy or sample else f"{mean - float(accuracy):+.2f}"),
            *_run_cells(cost),
        )
        rows.append(Row(Cell(str(size), "" if cost else f"({REPRINTED})"), cells))
        records.append(
            {
                "preset": preset,
                "size": size,
                "state": state_of(cost),
                **_time_record(cost, sample),
                "reported hours": hours,
                "mean accuracy": plain(mean),
                "reported accuracy": accuracy,
                **_run_record(cost),
            }
        )
    table = Table(
        title="Quick Thoughts, table 9: size of the vectors, training time and quality",
        stub="Size",
        groups=(_time_group(sample), ("Mean accuracy", ("ours", "reported", "difference")), _RUN),
        sections=(Section("", tuple(rows)),),
        notes=(
            *_notes(sample),
            "Mean accuracy (%) over MSRP, TREC, MR, CR, SUBJ and MPQA with the protocol of Kiros et al.",
            "The two parts of the model count as trained side by side.",
        ),
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )
    return table, pd.DataFrame(records)


_RUN = ("Our run", ("device", "sentences", "s per M sentences"))


def _time_group(sample: bool) -> tuple[str, tuple[str, ...]]:
    return ("Training time (h)", ("ours", *([] if sample else [PROJECTION]), "reported"))


def _time_cells(cost: Cost | None, sample: bool) -> tuple[Cell, ...]:
    hours = (math.nan, math.nan) if cost is None else (cost.hours(), cost.hours(SENTENCES))
    return tuple(Cell(number(value)) for value in hours[: 1 if sample else 2])


def _time_record(cost: Cost | None, sample: bool) -> dict[str, str]:
    return {
        "hours": plain(cost.hours() if cost else math.nan),
        "projected hours": plain(cost.hours(SENTENCES) if cost and not sample else math.nan),
    }


def _run_cells(cost: Cost | None) -> tuple[Cell, ...]:
    if cost is None:
        return (Cell(), Cell(), Cell())
    return Cell(cost.device), Cell(f"{cost.sentences:,}"), Cell(number(cost.seconds_per_million))


def _run_record(cost: Cost | None) -> dict[str, Any]:
    return {
        "device": cost.device if cost else "",
        "threads": cost.threads if cost else "",
        "sentences": cost.sentences if cost else "",
        "seconds per million sentences": plain(cost.seconds_per_million if cost else math.nan),
    }


def _notes(sample: bool) -> tuple[str, ...]:
    projection = f" {PROJECTION}, the paper's corpus: at the same time per sentence." if not sample else ""
    return (
        f"ours: wall time of the whole training, other models maybe beside it; none for a model that was imported."
        f"{projection} reported: one GTX Titan X unless marked; those of other papers' systems are theirs. reprinted: "
        "no model of this run stands beside it.",
    )
