"""Count, for each column of a published table, the values that each model of each run reproduces within a tolerance."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from sentrep.io.frames import columns_of, groups_of, rows_where
from sentrep.tables.deltas import PROTOCOLS
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.render import write_table
from sentrep.tables.values import Values

DISTANCE = {"pearson": 0.03, "spearman": 0.03, "accuracy": 3.0, "f1": 3.0, "split error": 3.0}
"""For each metric, the largest difference from our value at which a published value counts as reproduced. Differences
between percentages are in percentage points."""
COLUMNS = [
    *("paper", "item", "row", "column", "metric", "run", "system", "label"),
    *("published", "ours", "seeds", "low", "high", "difference", "within"),
]
_SHOWN = ("pearson", "accuracy", "split error")  # metrics that the Markdown and HTML tables show
_SUMMARIES = r"^mean$|^Overall$| average\b"  # rows of a table that summarise its other rows
_HEADINGS = ("trained model", "run", "within .03", "values", "mean difference", "seeds")


def write_reproduced(folders: Sequence[str | Path], stem: str | Path) -> str:
    """Compare published values with the values of several runs, and write the results as CSV, Markdown and HTML files.

    Each row of the CSV file compares a published value with the value of one model in one run. The other files
    summarise these rows by table column, run and model, but only for Pearson's r, accuracies and split errors.

    Args:
        folders: folders of published runs, each with a ``values.csv``.
        stem: common path of the output files, without their suffixes, such as ``results/published/reproduced``.

    Returns:
        A sentence with the number of published values that at least one model reproduces.

    Raises:
        SentrepError: a folder has no valid ``values.csv``.
    """
    frame = pd.concat([compare(Values.read(Path(folder) / "values.csv"), Path(folder).name) for folder in folders])
    found = [group["within"].to_numpy(bool).any() for _, group in groups_of(frame, COLUMNS[:5])]
    told = (
        f"{sum(found)} of the {len(found)} published values that were compared are reproduced within .03 "
        "(percentages: within 3 percentage points) by at least one model"
    )
    write_table(_build(frame, told), frame, {kind: f"{stem}.{kind}" for kind in ("csv", "md", "html")})
    return told


def compare(values: Values, run: str) -> pd.DataFrame:
    """Compare the values of a run with published values, and return a table with the columns :data:`COLUMNS`.

    Only values in tables of the papers are compared, and only for the metrics in :data:`DISTANCE`. Values in rows that
    summarise other rows, and values under protocols that the papers do not use, are left out.

    Args:
        values: values of the run.
        run: name of the run.
    """
    frame = values.frame
    known = frame["difference"].notna() & frame["metric"].isin(list(DISTANCE)) & frame["protocol"].isin(list(PROTOCOLS))
    summary = frame["row"].str.contains(_SUMMARIES)
    chosen = rows_where(frame, known & ~summary & (frame["paper"] != "sentrep") & frame["item"].str.startswith("table"))
    distance = np.array([DISTANCE[metric] for metric in chosen["metric"]])
    within = np.abs(chosen["difference"].to_numpy(float)).round(6) <= distance
    return columns_of(chosen.assign(run=run, ours=chosen["mean"], within=within), COLUMNS)


def _build(frame: pd.DataFrame, told: str) -> Table:
    sections: dict[str, list[Row]] = {}
    shown = rows_where(frame, frame["metric"].isin(_SHOWN))
    for (paper, item, column, metric), of_column in groups_of(shown, ["paper", "item", "column", "metric"]):
        for (run, system), group in groups_of(of_column, ["run", "system"]):
            texts = [
                str(system) or "all methods",
                str(run),
                str(group["within"].to_numpy(bool).sum()),
                str(len(group)),
                f"{group['difference'].mean():+.3g}",
                str(group["seeds"].to_numpy(int).max()),
            ]
            heading = f"{paper}, {str(item).replace('table', 'table ')}"
            row = Row(Cell(f"{column}, {metric}"), tuple(map(Cell, texts)))
            sections.setdefault(heading, []).append(row)
    return Table(
        title=f"Published values and ours: {told}",
        stub="Published column",
        groups=tuple(("", (name,)) for name in _HEADINGS),
        sections=tuple(Section(heading, tuple(rows)) for heading, rows in sections.items()),
        notes=(
            "Each row compares one column of a published table with one model of one run. Means in the published "
            "tables are not counted. The CSV file lists every value. The number of reproduced values in the title is "
            "optimistic, because it includes every value that any of the models reproduces.",
        ),
    )
