"""Table 4 of Logeswaran and Lee (2018): image-caption retrieval, ours beside the printed numbers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sentrep.evaluation.retrieval.ranking import ANNOTATION, MEDIAN, RECALLS, SEARCH
from sentrep.tables.beside import Beside, Measure, fixed, section_of, sections, seed_means
from sentrep.tables.layout import Cell, Table
from sentrep.tables.reported import Reported

TABLE = 4
SAMPLE_NOTE = "Made-up scenes, not COCO: no number here can be compared with the paper's."
_ROWS = {ANNOTATION: "Image Annotation", SEARCH: "Image Search"}
_NAMES = {"r@1": "R@1", "r@5": "R@5", "r@10": "R@10", MEDIAN: "Med r"}
MEASURES = tuple(
    Measure((direction, metric), lowest=metric == MEDIAN) for direction in _ROWS for metric in (*RECALLS, MEDIAN)
)


def build_table4(
    scores: pd.DataFrame,
    paper: Reported,
    entries: Sequence[Mapping[str, Any]],
    settings: Mapping[str, Any],
    preset: str,
) -> tuple[Table, pd.DataFrame]:
    """Build Table 4.

    Args:
        scores: rows with :data:`sentrep.evaluation.retrieval.ranking.SCORE_COLUMNS` of all models and seeds.
        paper: the paper's values.
        entries: systems, see :func:`sentrep.config.transfer.systems`.
        settings: of learning the maps, for the notes.
        preset: name of the preset.

    Raises:
        SentrepError: a system's scores are not all there.
    """
    sample = bool(scores["sample"].any())
    systems = [_system(entry, scores, paper) for entry in entries]

    def dimension(system: Beside) -> tuple[Cell, ...]:
        return (Cell(_text(scores, system, "dimension")),)

    table = Table(
        title="Quick Thoughts, table 4: image-caption retrieval",
        stub="Model",
        groups=(*((row, tuple(_NAMES.values())) for row in _ROWS.values()), ("", ("Dim",))),
        sections=tuple(sections(systems, MEASURES, sample, dimension)),
        notes=_notes(scores, settings, sample),
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )
    return table, _frame(systems, scores, preset, sample)


def _system(entry: Mapping[str, Any], scores: pd.DataFrame, paper: Reported) -> Beside:
    name = entry["reported"]["column"] if entry["reported"] else ""
    printed = {m.key: paper.text(TABLE, _ROWS[m.key[0]], name, m.key[1]) or "" for m in MEASURES}
    ours = seed_means(scores, entry, ["direction", "metric"], "value", "retrieval scores")
    return Beside(entry, ours, printed, section_of(entry, paper.text(TABLE, "Section", name, "heading")))


def _text(scores: pd.DataFrame, system: Beside, column: str) -> str:
    own = scores.loc[scores["model"] == system.entry["id"], column]
    return str(int(own.iloc[0])) if len(own) else ""


def _notes(scores: pd.DataFrame, settings: Mapping[str, Any], sample: bool) -> tuple[str, ...]:
    notes = [
        "R@k: queries, in percent, whose answer is among the first k; of an image's captions the best one counts. "
        f"Med r: median rank{'' if sample else '; difference: ours minus the reported value'}. Bold: the best trained "
        "model, and the best printed value of each section.",
        "reprinted: no model of this run stands beside the row.",
    ]
    if len(scores):
        folds, images = int(scores["folds"].iloc[0]), int(scores["fold_images"].iloc[0])
        notes.insert(
            1,
            f"Mean over {folds} folds of {images} test images. Linear maps of dimension {settings['dimension']}, "
            f"scoring {settings['scoring'].replace('_', ' ')}, margin {settings['margin']}, {settings['contrasts']} "
            f"wrong images and captions drawn for each {settings['drawn_for']}; vectors of length one.",
        )
    return tuple(notes)


def _frame(systems: Sequence[Beside], scores: pd.DataFrame, preset: str, sample: bool) -> pd.DataFrame:
    records = []
    for system in systems:
        record: dict[str, Any] = {
            "preset": preset,
            "system": system.entry["reported"]["column"] if system.entry["reported"] else "",
            "model": system.entry["id"] or "",
            "seeds": len(system.entry["seeds"]),
            "dimension": _text(scores, system, "dimension"),
            "sample": sample,
        }
        for measure in MEASURES:
            name = " ".join(measure.key)
            value = system.ours.get(measure.key)
            # as text: the table's four digits are for correlations
            record[name] = fixed(value.mean, 2) if value else ""
            record[f"{name} sd"] = fixed(value.sd, 2) if value else ""
            record[f"{name} reported"] = system.printed[measure.key]
            record[f"{name} difference"] = "" if sample else fixed(system.difference(measure), 2)
        records.append(record)
    return pd.DataFrame(records)
