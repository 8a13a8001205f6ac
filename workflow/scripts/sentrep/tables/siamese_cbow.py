"""Tables 2 and 3 of Kenter et al. (2016)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sentrep.tables.comparison import LABELS, NOTHING
from sentrep.tables.layout import Cell, Row, Section, Table, best, difference, pair_cell
from sentrep.tables.reported import Reported
from sentrep.tables.scores import Score, seed_means

FASTSENT, SIAMESE = "FastSent", "Siamese CBOW"

# What Table 3 calls the models that are columns of Table 1; it does not say which word2vec was timed.
TIMED_AS = {
    "Siamese CBOW": "Siamese CBOW (300d)",
    "w2v CBOW": "word2vec (300d)",
    "w2v skipgram": "word2vec (300d)",
    "skip-thought": "skip-thought (1200d)",
}


def build_table2(
    scores: pd.DataFrame,
    paper: Reported,
    sets: Mapping[str, Any],
    models: Sequence[Mapping[str, Any]],
    preset: str,
) -> tuple[Table, pd.DataFrame]:
    """Build Table 2: the SemEval 2014 sets beside the numbers of FastSent (Hill et al. 2016).

    The paper prints FastSent's two numbers as r (rho). In Hill et al. they most likely stand the other way
    round, as the r that another paper gives for FastSent is the number in parentheses; both readings are
    shown.

    Args:
        scores: the long table of scores.
        paper: the paper's values.
        sets: the description of the evaluation sets.
        models: entries with id, label, seeds, and reported: null or {paper, table, column}.
        preset: name of the preset.
    """
    sample = bool(sets["sample"])
    reasons = {(gap["year"], gap["dataset"]): gap["reason"] for gap in sets["missing"]}
    sizes = {(entry["year"], entry["dataset"]): entry for entry in sets["sets"]}
    ours = {model["id"]: seed_means(scores, model) for model in models}
    compared = {model["id"] for model in models if _printed_column(model) in (FASTSENT, SIAMESE)}
    rows, records, wins = [], [], [0, 0]
    for key in [key for key in LABELS if key[0] == 2014]:
        fastsent, siamese = (_texts(paper, f"2014 {LABELS[key]}", column) for column in (FASTSENT, SIAMESE))
        own = {name: values.get(("paper", *key), NOTHING) for name, values in ours.items()}
        gaps = {
            model["id"]: math.nan if sample else own[model["id"]].pearson - _compared(model, fastsent, siamese)
            for model in models
        }
        for reading in range(2):
            wins[reading] += float(siamese[0]) > float(fastsent[reading])
        size, mark, reason = sizes.get(key, {}), " (sample)" if sample else "", reasons.get(key, "")
        cells = _table2_cells(fastsent, siamese, models, own, {name: gaps[name] for name in compared})
        rows.append(Row(Cell(LABELS[key] + mark, note=reason), cells))
        record: dict[str, Any] = {
            "preset": preset,
            "protocol": "paper",
            "year": key[0],
            "dataset": key[1] + mark,
            "pairs": size.get("pairs", 0),
            "scored_pairs": size.get("scored_pairs", 0),
            f"{FASTSENT} reported pearson": float(fastsent[0]),
            f"{FASTSENT} reported spearman": float(fastsent[1]),
            f"{FASTSENT} un-swapped pearson": float(fastsent[1]),
            f"{FASTSENT} un-swapped spearman": float(fastsent[0]),
            f"{SIAMESE} reported pearson": float(siamese[0]),
            f"{SIAMESE} reported spearman": float(siamese[1]),
        }
        for name, score in own.items():
            record[f"{name} pearson"], record[f"{name} spearman"] = score.pearson, score.spearman
            if not math.isnan(score.sd):
                record[f"{name} sd"] = score.sd
            if name in compared:
                record[f"{name} difference"] = gaps[name]
        records.append({**record, "note": reason})
    notes = [
        "Pearson's r (Spearman's ρ). Bold: the highest r of a comparison.",
        "FastSent's numbers are Hill et al.'s, with two digits. The paper prints them as r (ρ); most likely "
        "they are ρ (r), which the column un-swapped shows.",
        f"The reported Siamese CBOW has the higher r on {wins[0]} of {len(rows)} sets as printed, "
        f"and on {wins[1]} of {len(rows)} against the un-swapped numbers.",
        "difference: our r minus the reported one; for FastSent, minus the un-swapped one.",
    ]
    table = Table(
        title="FastSent and Siamese CBOW on the SemEval 2014 sets" + (", ours on sample sets" if sample else ""),
        stub="Set",
        groups=(
            ("As printed", (FASTSENT, SIAMESE)),
            ("Un-swapped", (FASTSENT,)),
            *[
                (
                    f"{model['label']}, ours",
                    ("r (ρ)", "difference") if model["id"] in compared else ("r (ρ)",),
                )
                for model in models
            ],
        ),
        sections=(Section("2014", tuple(rows)),),
        notes=tuple(notes),
        sample=sample,
    )
    return table, pd.DataFrame(records)


def _texts(paper: Reported, row: str, column: str) -> tuple[str, str]:
    """Return a cell of Table 2 as printed: r and rho."""
    return paper.text(2, row, column, "pearson") or "", paper.text(2, row, column, "spearman") or ""


def _compared(model: Mapping[str, Any], fastsent: tuple[str, str], siamese: tuple[str, str]) -> float:
    """Return the printed r that a model's own is compared with; FastSent's is the second number."""
    return float({FASTSENT: fastsent[1], SIAMESE: siamese[0]}.get(_printed_column(model), "nan"))


def _printed_column(model: Mapping[str, Any]) -> str:
    return str((model.get("reported") or {}).get("column"))


def _table2_cells(
    fastsent: tuple[str, str],
    siamese: tuple[str, str],
    models: Sequence[Mapping[str, Any]],
    own: Mapping[str, Score],
    gaps: Mapping[str, float],
) -> tuple[Cell, ...]:
    """Return a line of Table 2: as printed, un-swapped, and r (rho) and difference of each of our models."""
    highest = best({FASTSENT: float(fastsent[0]), SIAMESE: float(siamese[0])})
    cells = [
        Cell(fastsent[0], f"({fastsent[1]})", FASTSENT in highest),
        Cell(siamese[0], f"({siamese[1]})", SIAMESE in highest),
        Cell(fastsent[1], f"({fastsent[0]})", float(fastsent[1]) > float(siamese[0])),
    ]
    trained = [model["id"] for model in models if not model.get("floor", False)]
    # a single model of ours has nothing to be compared with
    bold = best({name: own[name].pearson for name in trained}) if len(trained) > 1 else set()
    for name, score in own.items():
        cells.append(pair_cell(score.pearson, score.spearman, name in bold, spread=score.sd))
        if name in gaps:
            cells.append(Cell(difference(gaps[name])))
    return tuple(cells)


def build_table3(
    timings: Mapping[str, pd.DataFrame],
    paper: Reported,
    sets: Mapping[str, Any],
    models: Sequence[Mapping[str, Any]],
    preset: str,
) -> tuple[Table, pd.DataFrame]:
    """Build Table 3, seconds to encode and compare all pairs.

    Args:
        timings: what :func:`sentrep.evaluation.sts.timing.time_encoder` measured, by model id.
        paper: the paper's values.
        sets: the description of the evaluation sets.
        models: entries with id, label, and reported: null or {paper, table, column}, its column of Table 1.
        preset: name of the preset.
    """
    row_of = {model["id"]: TIMED_AS.get(_printed_column(model)) for model in models}
    # the paper's rows first, then models the paper has not
    entries: list[tuple[str | None, Mapping[str, Any] | None]] = []
    for row in paper.rows(3):
        entries += [(row, model) for model in models if row_of[model["id"]] == row] or [(row, None)]
    entries += [(None, model) for model in models if row_of[model["id"]] is None]
    rows, records = [], []
    for printed_row, model in entries:
        printed = [paper.text(3, printed_row or "", column, "seconds") or "" for column in ("20 sets", "1 pair")]
        cells = [Cell(text) for text in printed]
        label = model["label"] if model else str(printed_row)
        record: dict[str, Any] = {
            "preset": preset,
            "model": model["id"] if model else printed_row,
            "reported seconds": printed[0].replace(",", ""),
            "reported seconds per pair": printed[1],
        }
        for presentation in ("one by one", "batched"):
            measured = {"seconds": math.nan, "seconds_per_pair": math.nan, "pairs": ""}
            if model:
                timing = timings[model["id"]].set_index("presentation").loc[presentation]
                measured = timing[["seconds", "seconds_per_pair", "pairs"]].to_dict()
            cells += [Cell(seconds(measured["seconds"])), Cell(seconds(measured["seconds_per_pair"]))]
            record[f"{presentation} seconds"] = measured["seconds"]
            record[f"{presentation} seconds per pair"] = measured["seconds_per_pair"]
            record["pairs"] = measured["pairs"]
        rows.append(Row(Cell(label), tuple(cells)))
        records.append(record)
    table = Table(
        title="Seconds to encode and compare all sentence pairs, on one processor core",
        stub="Model",
        groups=tuple((group, ("all pairs", "1 pair")) for group in ("Reported", "Ours, one by one", "Ours, batched")),
        sections=(Section("", tuple(rows)),),
        notes=_timing_notes(timings, sets),
        sample=bool(sets["sample"]),
    )
    frame = pd.DataFrame(records)
    return table, frame.assign(**{c: frame[c].map(_plain) for c in frame if str(c).endswith(("seconds", "pair"))})


def _timing_notes(timings: Mapping[str, pd.DataFrame], sets: Mapping[str, Any]) -> tuple[str, ...]:
    repeats = sorted({int(n) for timing in timings.values() for n in timing["repeats"]})
    processors = sorted({name for timing in timings.values() for name in timing["processor"]})
    return (
        f"Reported: 17,608 pairs one by one on the authors' machine. Ours: {sets['pairs']:,} pairs, median "
        f"of {' or '.join(map(str, repeats))} runs on {' and '.join(processors)}. Tokenising counts, loading "
        "does not.",
        "batched: set by set, each distinct sentence encoded once.",
    )


def seconds(value: float) -> str:
    """Write seconds as the paper does: one decimal, or more for a short time."""
    if math.isnan(value):
        return ""
    return f"{value:,.1f}" if value >= 1 else f"{value:.2f}" if value >= 0.01 else f"{value:.6f}"


def _plain(value: float | str) -> str:
    """Write seconds for the CSV; four digits would lose a single pair's."""
    return value if isinstance(value, str) else "" if math.isnan(value) else f"{value:.7g}"
