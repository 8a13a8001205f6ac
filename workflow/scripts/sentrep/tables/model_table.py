"""The table of all models: family, paper, size, training time, and whether they were trained here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sentrep.tables.costs import Cost
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.reported import Reported
from sentrep.tables.training_time import IMPORTED, REPRINTED, TRAINED, number, plain, state_of

UNTRAINED = "untrained"
SAMPLE_NOTE = "Small models trained on the small sample texts: sizes and times are not the papers'."


def build(
    costs: Mapping[str, Cost],
    models: Sequence[Mapping[str, Any]],
    unfilled: Sequence[Mapping[str, Any]],
    papers: Mapping[str, Reported],
    preset: str,
    sample: bool,
) -> tuple[Table, pd.DataFrame]:
    """Build the table.

    Args:
        costs: by model id.
        models: entries with id, label, floor, seeds and papers (names of those that print the model).
        unfilled: entries of what papers print and no model fills, see :func:`sentrep.config.systems.unfilled`.
        papers: reported values by paper.
        preset: name of the preset.
        sample: the models are those of the sample preset.
    """
    records = [_record(costs[model["id"]], model, preset) for model in models]
    records += [_reprinted(entry, papers, preset) for entry in unfilled]
    sections = []
    for state in (TRAINED, IMPORTED, UNTRAINED, REPRINTED):
        rows = tuple(_row(record) for record in records if record["state"] == state)
        sections += [Section(state, rows)] if rows else []
    table = Table(
        title=f"Models, preset {preset}",
        stub="Model",
        groups=tuple(
            ("", (name,))
            for name in ("family", "printed in", "parameters", "dimension", "sentences", "s per M sentences", "device")
        ),
        sections=tuple(sections),
        notes=(
            "parameters: numbers stored in the model; what only training needs, such as a decoder, is not counted. "
            "s per M sentences: wall time of the whole training, all epochs, per million sentences of the corpus, "
            "other models maybe trained beside it; a model built on others counts the slowest of them too.",
            "imported: vectors or weights that others published. untrained: learns nothing, or document frequencies "
            "only. reprinted: printed in a paper, no model of this run stands beside it.",
        ),
        sample=sample,
        sample_note=SAMPLE_NOTE,
    )
    # as text: a column with gaps would turn whole numbers into 18189.0
    texts = [{name: str(value) for name, value in record.items()} for record in records]
    return table, pd.DataFrame(texts)


def _record(cost: Cost, model: Mapping[str, Any], preset: str) -> dict[str, Any]:
    return {
        "preset": preset,
        "model": model["id"],
        "label": model["label"],
        "family": cost.family,
        "papers": "; ".join(model["papers"]),
        "state": UNTRAINED if model["floor"] else state_of(cost),
        "parameters": cost.parameters or "",
        "dimension": cost.dimension,
        "sentences": cost.sentences,
        "epochs": plain(cost.epochs),
        "seeds": len(model["seeds"]),
        "seconds": plain(cost.seconds),
        "seconds_per_million_sentences": plain(cost.seconds_per_million),
        "device": cost.device,
        "threads": cost.threads,
        "processor": cost.processor,
        "processor_share": plain(cost.processor_share),
    }


def _reprinted(entry: Mapping[str, Any], papers: Mapping[str, Reported], preset: str) -> dict[str, Any]:
    reported = entry["reported"]
    dimension = papers[reported["paper"]].text(reported["table"], "Dim", reported["column"], "dimension")
    known = {"preset": preset, "label": entry["label"], "papers": reported["paper"], "state": REPRINTED}
    return {**known, "dimension": dimension or ""}


def _row(record: Mapping[str, Any]) -> Row:
    def count(name: str) -> str:
        value = record.get(name, "")
        return f"{value:,}" if isinstance(value, int) else str(value)

    speed = record.get("seconds_per_million_sentences")
    cells = (
        record.get("family", ""),
        record["papers"],
        count("parameters"),
        count("dimension"),
        count("sentences"),
        number(float(speed)) if speed else "",
        record.get("device", ""),
    )
    return Row(Cell(record["label"]), tuple(Cell(text) for text in cells))
