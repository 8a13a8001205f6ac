"""Table 8 of Logeswaran and Lee (2018), and the overall correlation on the sets of SemEval 2014."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from sentrep.errors import SentrepError
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables.comparison import NOTHING
from sentrep.tables.layout import Cell, Row, Section, Table, best, difference, pair_cell
from sentrep.tables.reported import Reported
from sentrep.tables.scores import Score, seed_means
from sentrep.tables.sts_table import beats_all

YEAR, TABLE, OVERALL = 2014, 8, "Overall"

# The paper's names of the sets, in its order.
SETS = {
    "deft-news": "News",
    "deft-forum": "Forum",
    "OnWN": "WordNet",
    "tweet-news": "Tweets",
    "images": "Images",
    "headlines": "Headlines",
}
PAIRS = {standard.dataset: standard.pairs for standard in STANDARD if standard.year == YEAR}
FLOORS = "Floors"


def weighted_mean(values: Mapping[str, float], pairs: Mapping[str, float]) -> float:
    """Return the mean of correlations by set, weighted by the sets' numbers of pairs; NaN if one is missing.

    This is Table 8's Overall: it gives the printed value of six of its eight rows exactly, and of skip-gram's within
    rounding; the SDAE's is another (see :func:`build_table8`).
    """
    return sum(values[name] * pairs[name] for name in SETS) / sum(pairs[name] for name in SETS)


def overall_of(scores: pd.DataFrame) -> tuple[float, float]:
    """Return the overall Pearson and Spearman correlation of one model with one seed.

    Args:
        scores: its rows of the final model or of one snapshot, with protocol, year, dataset, pearson, spearman and
            pairs.

    Raises:
        SentrepError: a set of 2014 has no row, or several.
    """
    rows = scores[(scores["protocol"] == "paper") & (scores["year"] == YEAR) & scores["dataset"].isin(SETS)]
    if sorted(rows["dataset"]) != sorted(SETS):
        raise SentrepError(
            "scores",
            expected=f"one row for each of the {len(SETS)} sets of {YEAR}",
            found=f"{len(rows)} rows",
            remedy="score the model again",
        )
    by_set = rows.set_index("dataset")
    pairs = by_set["pairs"].to_dict()
    if not all(pairs.values()):
        return math.nan, math.nan
    return weighted_mean(by_set["pearson"], pairs), weighted_mean(by_set["spearman"], pairs)


def overall(scores: pd.DataFrame, model: Mapping[str, Any]) -> Score:
    """Return one model's overall correlations, mean over its seeds.

    Args:
        scores: the long table of scores.
        model: an entry with ``id`` and ``seeds``.
    """
    own = scores[scores["model"] == model["id"]]
    values = np.array([overall_of(own[own["seed"] == seed]) for seed in model["seeds"]])
    sd = float(np.std(values[:, 0], ddof=1)) if len(values) > 1 else math.nan
    return Score(*(float(mean) for mean in values.mean(axis=0)), sd)


def build_table8(
    scores: pd.DataFrame,
    paper: Reported,
    sets: Mapping[str, Any],
    models: Sequence[Mapping[str, Any]],
    preset: str,
) -> tuple[Table, pd.DataFrame]:
    """Build Table 8: systems by sets of SemEval 2014, and the pair-weighted mean over them.

    Args:
        scores: the long table of scores.
        paper: the paper's values.
        sets: the description of the evaluation sets.
        models: entries of the table, floors last, see :func:`sentrep.config.systems.of_paper`.
        preset: name of the preset.

    Raises:
        SentrepError: a model's scores are not all there.
    """
    sample = bool(sets["sample"])
    ours = {model["id"]: _own(scores, model) for model in models if model["id"]}
    trained = [model["id"] for model in models if model["id"] and not model["floor"]]
    names = [*SETS, OVERALL]
    bold = {name: best({model: ours[model][name].pearson for model in trained}) for name in names}
    printed = {m["reported"]["column"]: _printed(paper, m["reported"]["column"]) for m in models if m["reported"]}
    bold_printed = {name: best({c: float(v[name]) for c, v in printed.items() if v[name]}) for name in names}
    sections: dict[str, list[Row]] = {}
    records = []
    for model in models:
        column = model["reported"]["column"] if model["reported"] else ""
        own, values = ours.get(model["id"], {}), printed.get(column, {})
        record: dict[str, Any] = {
            "preset": preset,
            "printed": column,
            "model": model["id"] or "",
            "state": "reprinted" if model["id"] is None else "floor" if model["floor"] else "trained",
        }
        cells = []
        for name in names:
            score, text = own.get(name, NOTHING), values.get(name, "")
            gap = score.pearson - float(text or "nan") if not sample else math.nan
            rivals = {other: ours[other][name].pearson for other in trained} if model["floor"] else {}
            mark = "‡" if beats_all(score.pearson, rivals) else ""
            cells.append(pair_cell(score.pearson, score.spearman, model["id"] in bold[name], mark, score.sd))
            note = _disagreement(values) if name == OVERALL else ""
            cells.append(Cell(text, bold=column in bold_printed[name], note=note))
            cells += [] if sample else [Cell(difference(gap, 2))]
            heading = SETS.get(name, name)
            record |= {f"{heading} pearson": score.pearson, f"{heading} spearman": score.spearman}
            record |= {f"{heading} sd": score.sd, f"{heading} reported": text, f"{heading} difference": gap}
        section = FLOORS if model["floor"] else paper.text(TABLE, "Section", column, "heading") or ""
        heading = Cell(model["label"], "" if model["id"] else "(reprinted)")
        sections.setdefault(section, []).append(Row(heading, tuple(cells)))
        records.append(record)
    table = Table(
        title=f"Quick Thoughts, table 8: {'hand-written sets of sentence pairs' if sample else 'STS14'}",
        stub="Model",
        groups=tuple((SETS.get(name, name), ("r (ρ)", "reported", *([] if sample else ["diff."]))) for name in names),
        sections=tuple(Section(heading, tuple(rows)) for heading, rows in sections.items()),
        notes=_notes(sets),
        sample=sample,
    )
    return table, pd.DataFrame(records)


def _own(scores: pd.DataFrame, model: Mapping[str, Any]) -> dict[str, Score]:
    means = seed_means(scores, model)
    return {**{name: means.get(("paper", YEAR, name), NOTHING) for name in SETS}, OVERALL: overall(scores, model)}


def _printed(paper: Reported, column: str) -> dict[str, str]:
    rows = {**{name: f"{YEAR} {name}" for name in SETS}, OVERALL: OVERALL}
    return {name: paper.text(TABLE, row, column, "pearson") or "" for name, row in rows.items()}


def _disagreement(values: Mapping[str, str]) -> str:
    """Return a note where a printed Overall is not the mean of the six printed values, whatever their rounding."""
    if not values or not all(values.values()):
        return ""
    mean = weighted_mean({name: float(values[name]) for name in SETS}, PAIRS)
    if abs(mean - float(values[OVERALL])) < 0.0101:  # both are rounded to two digits
        return ""
    return f"the mean of the six printed values, weighted by pairs, is {mean:.2f}"


def _notes(sets: Mapping[str, Any]) -> tuple[str, ...]:
    known = "" if sets["sample"] else "; diff.: our r minus the reported one"
    reasons = [f"No data: {gap['dataset']}: {gap['reason']}." for gap in sets["missing"] if gap["year"] == YEAR]
    return (
        f"Pearson's r (Spearman's ρ). reported: Pearson's r as the paper prints it{known}. Bold: the highest r of the "
        "trained models, and the highest reported one.",
        "Overall: mean over the sets, weighted by their numbers of pairs.",
        "reprinted: no model of this run stands beside the row. Floors have learnt nothing; ‡: above every trained "
        "model of the column.",
        *reasons,
    )
