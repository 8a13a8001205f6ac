"""Our correlations on the sentence-pair sets beside a paper's: values and means, before any layout."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from sentrep.evaluation.sts.scoring import PROTOCOLS
from sentrep.evaluation.sts.sets import STANDARD, YEARS
from sentrep.tables.reported import Reported, paper_of
from sentrep.tables.scores import Score, in_paper_order, seed_means

LABELS = {(standard.year, standard.dataset): standard.label for standard in STANDARD}
SetKey = tuple[int, str]
AVERAGE = "average"
ROUNDING = 0.001  # printed averages have two to five digits
NOTHING = Score(math.nan, math.nan, math.nan)


@dataclass(frozen=True)
class Column:
    """One model of the table.

    Attributes:
        name: heads its CSV columns.
        label: heads its columns elsewhere.
        floor: untrained; never bold.
        seeds: number of seeds.
        scores: by (protocol, year, dataset); None for a model known from the paper only.
        reported: printed (r, rho) by set; None for a model the paper has not.
        daggers: sets whose reported r carries a dagger.
        averages: printed mean r by year, where the paper prints one.
    """

    name: str
    label: str
    floor: bool
    seeds: int
    scores: Mapping[tuple[str, int, str], Score] | None
    reported: Mapping[SetKey, tuple[float, float]] | None
    daggers: frozenset[SetKey]
    averages: Mapping[int, float] = field(default_factory=dict)

    def score(self, protocol: str, key: SetKey) -> Score:
        """Return our correlations, NaN if there are none."""
        return (self.scores or {}).get((protocol, *key), NOTHING)

    def printed(self, key: SetKey) -> tuple[float, float]:
        """Return the paper's correlations, NaN if there are none."""
        return (self.reported or {}).get(key, (math.nan, math.nan))


@dataclass(frozen=True)
class Line:
    """One row: what every column shows in it.

    Attributes:
        protocol: "paper" or "official".
        key: the set; None for a mean.
        year: of the set, or that a mean is over; None for the mean of all sets.
        label: of the set or the mean.
        pairs: number of pairs.
        scored_pairs: number of scored pairs.
        ours: by column name.
        printed: by column name, (r, rho).
        comparable: the paper's values are of the same pairs and protocol.
        note: why cells are empty.
    """

    protocol: str
    key: SetKey | None
    year: int | None
    label: str
    pairs: int
    scored_pairs: int
    ours: dict[str, Score]
    printed: dict[str, tuple[float, float]]
    comparable: bool
    note: str = ""

    def difference(self, name: str) -> float:
        """Return our r minus the paper's; NaN where they are not comparable."""
        return self.ours[name].pearson - self.printed[name][0] if self.comparable else math.nan


def columns_of(scores: pd.DataFrame, models: Sequence[Mapping[str, Any]], papers: dict[str, Reported]) -> list[Column]:
    """Look each model's values up.

    Args:
        scores: the long table.
        models: entries with id (null: known from the paper only), label, floor, seeds, and reported, which is
            null or {paper, table, column}.
        papers: reported values by paper.
    """
    columns = []
    for model in models:
        printed, daggers, averages = None, set(), {}
        if model.get("reported"):
            source = model["reported"]
            paper = paper_of(papers, source["paper"])
            at = {key: (source["table"], f"{key[0]} {label}", source["column"]) for key, label in LABELS.items()}
            printed = {
                key: (paper.number(*place, "pearson"), paper.number(*place, "spearman")) for key, place in at.items()
            }
            daggers = {key for key, place in at.items() if paper.text(*place, "dagger")}
            averages = {
                year: paper.number(source["table"], f"{year} {AVERAGE}", source["column"], "pearson") for year in YEARS
            }
        columns.append(
            Column(
                name=model.get("id") or model["label"],
                label=model["label"],
                floor=model.get("floor", False),
                seeds=len(model.get("seeds") or []),
                scores=seed_means(scores, model) if model.get("id") else None,
                reported=printed,
                daggers=frozenset(daggers),
                averages=averages,
            )
        )
    return columns


def lines_of(
    scores: pd.DataFrame,
    columns: Sequence[Column],
    missing: Mapping[SetKey, str],
    sample: bool,
    year_means: bool = False,
) -> list[Line]:
    """Return a line per protocol and set, and after each protocol's SemEval sets a line of means.

    Args:
        scores: the long table.
        columns: what stands in the lines.
        missing: sets without text -> why.
        sample: the sets are samples; nothing is comparable with a paper.
        year_means: after each year's sets a line of their means, too.
    """
    sizes = in_paper_order(scores.drop_duplicates(["protocol", "year", "dataset"]))
    lines = []
    for protocol in PROTOCOLS:
        rows = sizes[sizes["protocol"] == protocol]
        of_protocol = []
        for row in rows.itertuples():
            key = (int(row.year), str(row.dataset))
            same_pairs = protocol == "paper" or row.pairs == row.scored_pairs
            printed = {column.name: column.printed(key) for column in columns}
            note = missing.get(key, "")
            if not (note or sample or same_pairs) and any(not math.isnan(r) for r, _ in printed.values()):
                note = "the paper's values count pairs without a score as 0, so there is no difference"
            of_protocol.append(
                Line(
                    protocol,
                    key,
                    key[0],
                    LABELS.get(key, key[1]),
                    int(row.pairs),
                    int(row.scored_pairs),
                    {column.name: column.score(protocol, key) for column in columns},
                    printed,
                    not sample and same_pairs,
                    note,
                )
            )
        standard = [line for line in of_protocol if line.key in LABELS]
        for year in dict.fromkeys(line.year for line in standard):
            of_year = [line for line in standard if line.year == year]
            lines += of_year + (mean_line(protocol, of_year, columns, year) if year_means else [])
        lines += mean_line(protocol, standard, columns)
        lines += [line for line in of_protocol if line.key not in LABELS]
    return lines


def mean_line(protocol: str, lines: Sequence[Line], columns: Sequence[Column], year: int | None = None) -> list[Line]:
    """Return a list of one line, the unweighted mean over the sets that every scored model has, or of none."""
    scored = [column.name for column in columns if column.scores is not None]
    complete = [line for line in lines if not any(math.isnan(line.ours[name].pearson) for name in scored)]
    if not complete or not scored:
        return []
    label = f"mean of {len(complete)} sets"
    if year is not None:
        label = AVERAGE if len(complete) == len(lines) else f"{AVERAGE} of {len(complete)} sets"
    printed = {
        column.name: tuple(np.mean([line.printed[column.name] for line in complete], axis=0)) for column in columns
    }
    notes: list[str] = []
    if label == AVERAGE:
        printed, notes = _printed_averages(printed, columns, year)
    left_out = [f"{line.key[0]} {line.label}" for line in lines if line not in complete and line.key]
    return [
        Line(
            protocol,
            None,
            year,
            label,
            sum(line.pairs for line in complete),
            sum(line.scored_pairs for line in complete),
            {column.name: _mean_score([line.ours[column.name] for line in complete]) for column in columns},
            printed,
            # under the official protocol the published 2015 values are of other pairs
            all(line.comparable for line in complete),
            "; ".join([*notes, *([f"not in the mean: {', '.join(left_out)}"] if left_out else [])]),
        )
    ]


def _printed_averages(
    means: Mapping[str, tuple[float, float]], columns: Sequence[Column], year: int | None
) -> tuple[dict[str, tuple[float, float]], list[str]]:
    """Put a year's printed averages in the place of the means of the printed rows; say where the two differ."""
    printed, wrong = dict(means), []
    for column in columns:
        average = column.averages.get(year, math.nan) if year else math.nan
        if not math.isnan(average):
            mean, rho = means[column.name]
            printed[column.name] = (average, rho)
            if abs(average - mean) > ROUNDING:
                wrong.append(f"{column.label} {mean:.4f}")
    return printed, [f"the means of the printed rows are others: {', '.join(wrong)}"] if wrong else []


def _mean_score(scores: Sequence[Score]) -> Score:
    return Score(float(np.mean([s.pearson for s in scores])), float(np.mean([s.spearman for s in scores])), math.nan)


def wide_frame(lines: Sequence[Line], columns: Sequence[Column], preset: str, sample: bool) -> pd.DataFrame:
    """Return the CSV: a row per protocol and set, all models side by side."""
    records = []
    for line in lines:
        dataset = line.key[1] if line.key else line.label
        record: dict[str, Any] = {
            "preset": preset,
            "protocol": line.protocol,
            "year": line.year or "",
            "dataset": shown_name(dataset, line, sample),
            "pairs": line.pairs,
            "scored_pairs": line.scored_pairs,
        }
        for column in columns:
            score, (r, rho) = line.ours[column.name], line.printed[column.name]
            if column.scores is not None:
                record[f"{column.name} pearson"] = score.pearson
                record[f"{column.name} spearman"] = score.spearman
                if column.seeds > 1:
                    record[f"{column.name} sd"] = score.sd
            if column.reported is not None:
                record[f"{column.name} reported pearson"] = r
                record[f"{column.name} reported spearman"] = rho
                if column.scores is not None:
                    record[f"{column.name} difference"] = line.difference(column.name)
        record["note"] = line.note
        records.append(record)
    return pd.DataFrame(records)


def shown_name(name: str, line: Line, sample: bool) -> str:
    """Mark a set of the sample data; the Lee judgements and sets of the user's own are real."""
    return f"{name} (sample)" if sample and (line.key is None or line.key in LABELS) else name
