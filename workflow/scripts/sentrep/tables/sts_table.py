"""Table 1: the paper's layout, bold and daggers by rule, our values beside the printed ones, and floors."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.wilcoxon import THRESHOLD
from sentrep.evaluation.sts.sets import LEE_DATASET, CUSTOM_YEAR
from sentrep.tables.comparison import (
    LABELS,
    NOTHING,
    Column,
    Line,
    SetKey,
    columns_of,
    lines_of,
    shown_name,
    wide_frame,
)
from sentrep.tables.layout import Cell, Row, Section, Table, best, correlation, difference, pair_cell
from sentrep.tables.reported import Reported

TITLE = "Pearson's r (Spearman's ρ) on 20 SemEval sets of semantic textual similarity"
SAMPLE_TITLE = "Pearson's r (Spearman's ρ) on 20 hand-written sets of sentence pairs"


def build(
    scores: pd.DataFrame,
    wilcoxon: pd.DataFrame | None,
    papers: dict[str, Reported],
    sets: Mapping[str, Any],
    models: Sequence[Mapping[str, Any]],
    preset: str,
    baseline: str | None = None,
    daggers: Sequence[str] | None = None,
    title: str | None = None,
    year_means: bool = False,
) -> tuple[Table, pd.DataFrame]:
    """Build the table and its CSV.

    Args:
        scores: the long table of scores.
        wilcoxon: tests between models; None: no daggers for our values.
        papers: reported values by paper.
        sets: the description of the evaluation sets, which says what is missing and whether they are samples.
        models: entries as in :func:`sentrep.tables.comparison.columns_of`, in the order of the columns.
        preset: name of the preset.
        baseline: id of the model that daggers compare with.
        daggers: ids of the models that may carry daggers; by default all trained ones but the baseline.
        title: of the table; by default it says what the sets are.
        year_means: after each year's sets, a line of their means.

    Raises:
        SentrepError: a model's scores are not all there, or a paper is unknown.
    """
    sample = bool(sets["sample"])
    columns = columns_of(scores, models, papers)
    missing = {(gap["year"], gap["dataset"]): gap["reason"] for gap in sets["missing"]}
    lines = lines_of(scores, columns, missing, sample, year_means)
    trained = [c.name for c in columns if not c.floor and c.scores is not None and c.name != baseline]
    significant = {name: differing_sets(wilcoxon, name, baseline) for name in (trained if daggers is None else daggers)}
    table = Table(
        title=title or (SAMPLE_TITLE if sample else TITLE),
        stub="Set",
        groups=groups_of(columns, sample),
        sections=sections_of(lines, columns, significant, sample),
        notes=notes_of(columns, sets, baseline, year_means),
        sample=sample,
    )
    return table, wide_frame(lines, columns, preset, sample)


def differing_sets(wilcoxon: pd.DataFrame | None, model: str, baseline: str | None) -> set[SetKey]:
    """Return the sets on which a model's similarities differ from the baseline's, p < 0.0001.

    Raises:
        SentrepError: the two were not compared; a missing dagger would say that they do not differ.
    """
    if wilcoxon is None or baseline is None:
        return set()
    tests = wilcoxon[
        ((wilcoxon["model_a"] == model) & (wilcoxon["model_b"] == baseline))
        | ((wilcoxon["model_a"] == baseline) & (wilcoxon["model_b"] == model))
    ]
    if tests.empty:
        raise SentrepError(
            "wilcoxon.csv",
            expected=f"tests of {model} against {baseline}",
            found="none",
            remedy="compare these models too",
        )
    found = tests[tests["p"] < THRESHOLD]
    return {(int(year), str(dataset)) for year, dataset in zip(found["year"], found["dataset"], strict=True)}


def row_of(line: Line, columns: Sequence[Column], significant: Mapping[str, set[SetKey]], sample: bool) -> Row:
    """Return a line as the paper lays it out: r (rho), bold best, daggers."""
    trained = {
        column.name: line.ours[column.name].pearson
        for column in columns
        if not column.floor and column.scores is not None
    }
    bold = best(trained)
    bold_printed = best({c.name: line.printed[c.name][0] for c in columns if c.reported is not None})
    cells = []
    for column in columns:
        score = line.ours[column.name]
        if column.scores is not None:
            mark = ""
            if column.floor and beats_all(score.pearson, trained):
                mark = "‡"
            elif line.protocol == "paper" and line.key in significant.get(column.name, set()):
                mark = "†"
            spread = score.sd if column.seeds > 1 else math.nan
            cells.append(pair_cell(score.pearson, score.spearman, column.name in bold, mark, spread))
        if column.reported is not None:
            mark = "†" if line.protocol == "paper" and line.key in column.daggers else ""
            shown = line.printed[column.name] if line.protocol == "paper" or line.comparable else NOTHING[:2]
            cells.append(pair_cell(*shown, column.name in bold_printed, mark))
            if column.scores is not None and not sample:
                cells.append(Cell(difference(line.difference(column.name))))
    heading = Cell(shown_name(line.label, line, sample), note=line.note)
    return Row(heading, tuple(cells), summary=line.key is None)


def beats_all(floor: float, trained: Mapping[str, float]) -> bool:
    """Return whether a floor's value, as printed, is above those of all trained models."""
    values = [float(correlation(value)) for value in trained.values() if not math.isnan(value)]
    return bool(values) and not math.isnan(floor) and float(correlation(floor)) > max(values)


def sections_of(
    lines: Sequence[Line], columns: Sequence[Column], significant: Mapping[str, set[SetKey]], sample: bool
) -> tuple[Section, ...]:
    """Return the sections: years under the paper's protocol, what the official one changes, other sets."""

    def rows(chosen: Sequence[Line]) -> tuple[Row, ...]:
        return tuple(row_of(line, columns, significant, sample) for line in chosen)

    paper = [line for line in lines if line.protocol == "paper"]
    official = [line for line in lines if line.protocol == "official"]
    standard = [line for line in paper if line.year and (line.key is None or line.key in LABELS)]
    sections = [
        Section(str(year), rows([line for line in standard if line.year == year]))
        for year in dict.fromkeys(line.year for line in standard)
    ]
    sections.append(Section("All, paper's protocol", rows([line for line in paper if line.year is None])))
    changed = [line for line in official if line.scored_pairs < line.pairs and line.year]
    if changed:
        years = " and ".join(str(year) for year in dict.fromkeys(line.year for line in changed))
        sections.append(Section(f"{years}, official protocol", rows(changed)))
        means = [line for line in official if line.year is None]
        sections.append(Section("All, official protocol", rows(means)))
    others = [line for line in paper if line.key and line.key not in LABELS]
    if others:
        sections.append(Section("Other human judgements", rows(others)))
    return tuple(section for section in sections if section.rows)


def groups_of(columns: Sequence[Column], sample: bool) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the heading of each model and of its columns; samples have no differences from the paper."""
    groups = []
    for column in columns:
        names = ["r (ρ)"] if column.scores is not None else []
        if column.reported is not None:
            names += ["reprinted"] if column.scores is None else ["reported"] if sample else ["reported", "difference"]
        groups.append((column.label, tuple(names)))
    return tuple(groups)


def notes_of(
    columns: Sequence[Column], sets: Mapping[str, Any], baseline: str | None, year_means: bool = False
) -> tuple[str, ...]:
    """Return the sentences below the table."""
    label = {column.name: column.label for column in columns}
    notes = [
        "Pearson's r of the cosines of sentence vectors with human scores (Spearman's ρ in parentheses). "
        "Bold: the highest r of the trained models in a row, and the highest reported r.",
        "Paper's protocol: a pair without a human score counts as score 0. Official protocol: such pairs are "
        f"left out, which leaves {sets['scored_pairs']:,} of {sets['pairs']:,} pairs.",
    ]
    if any(column.reported is not None for column in columns):
        notes.append(
            "reported: as the paper prints it."
            if sets["sample"]
            else "reported: as the paper prints it; difference: our r minus the reported one, where both are "
            "of the same pairs."
        )
    if any(column.scores is None for column in columns):
        notes.append("reprinted: as the paper prints it; no model of this run stands beside it.")
    if year_means:
        notes.append("average: the unweighted mean of the year's rows above it; reported ones as printed.")
    if baseline in label:
        notes.append(
            f"†: similarities differ from those of {label[baseline]}, over all pairs of the set (Wilcoxon "
            f"signed-rank test, two-sided, p < {THRESHOLD:.4f}); it does not say which are better."
        )
    if floors := [column.label for column in columns if column.floor]:
        notes.append(
            f"Floors, which have learnt nothing and are never bold: {', '.join(floors)}. ‡: a floor above "
            "every trained model of the row."
        )
    if several := [f"{column.label} ({column.seeds})" for column in columns if column.seeds > 1]:
        notes.append(f"Means over seeds, ± standard deviation of r: {', '.join(several)}.")
    if any(entry["dataset"] == LEE_DATASET for entry in sets["sets"]):
        notes.append(
            "Lee: all pairs of 50 news texts with human similarity (Lee, Pincombe and Welsh 2005); real "
            "data, in no mean and not in the paper."
        )
    if own := [entry["dataset"] for entry in sets["sets"] if entry["year"] == CUSTOM_YEAR]:
        notes.append(f"{', '.join(own)}: sets of your own (evaluation.own), in no mean and not in the paper.")
    return (*notes, *[f"{note}." for note in sets.get("notes", [])])
