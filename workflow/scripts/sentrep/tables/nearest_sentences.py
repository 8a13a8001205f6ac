"""Table 5 of Logeswaran and Lee (2018): the nearest sentence of a pool to each query, models side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sentrep.errors import SentrepError
from sentrep.tables.layout import Cell, Row, Section, Table
from sentrep.tables.reported import Reported

TABLE = 5
QUERY = "Query"
SAMPLE_NOTE = (
    "A pool of the sample preset's few articles, small models: no sentence here can be compared with the paper's."
)


def build_table5(
    neighbours: pd.DataFrame,
    paper: Reported,
    models: Sequence[Mapping[str, Any]],
    pool: Mapping[str, Any],
    preset: str,
    sample: bool,
) -> tuple[Table, pd.DataFrame]:
    """Build Table 5.

    Args:
        neighbours: rows with :data:`NEIGHBOUR_COLUMNS` of all models, first seeds.
        paper: the paper's sentences.
        models: id, label and reported ({paper, table, column} or None), in order.
        pool: sentences, read, source and corpus of the pool.
        preset: name of the preset.
        sample: the pool is the sample preset's.

    Raises:
        SentrepError: a model has no neighbours.
    """
    printed = {text: row for row in paper.rows(TABLE) if (text := paper.text(TABLE, row, QUERY, "sentence"))}
    systems = [column for column in paper.columns(TABLE) if column != QUERY]
    best = neighbours[neighbours["rank"] == 1]
    sections, records = [], []
    for query in dict.fromkeys(neighbours["query"]):
        rows = []
        for model in models:
            own = best[(best["model"] == model["id"]) & (best["query"] == query)]
            if own.empty:
                raise SentrepError(
                    "nearest sentences", expected=f"neighbours of {model['id']}", found="none", remedy="run it again"
                )
            rows.append(_row(model["label"], "(ours)", own.iloc[0]["sentence"], own.iloc[0]["cosine"]))
        for column in systems:
            text = paper.text(TABLE, printed.get(query, ""), column, "sentence")
            if text:
                rows.append(Row(Cell(column, "(reported)"), (Cell(text), Cell())))
                records.append(
                    {
                        "preset": preset,
                        "query": query,
                        "system": column,
                        "kind": "reported",
                        "rank": 1,
                        "sentence": text,
                    }
                )
        sections.append(Section(query, tuple(rows)))
    ours = neighbours.assign(system=neighbours["model"], kind="ours").drop(columns=["model", "seed"])
    data = pd.concat([ours, pd.DataFrame(records)], ignore_index=True) if records else ours
    order = {query: place for place, query in enumerate(dict.fromkeys(neighbours["query"]))}
    data = data.sort_values("query", key=lambda column: column.map(order), kind="stable")
    table = Table(
        title="Quick Thoughts, table 5: the nearest sentence to each query",
        stub="Model",
        groups=(("", ("Nearest sentence",)), ("", ("Cosine",))),
        sections=tuple(sections),
        notes=_notes(neighbours, pool),
        sample=sample,
        sample_note=SAMPLE_NOTE,
        prose=True,
    )
    columns = ["preset", "query", "kind", "system", "rank", "cosine", "sentence", "pool", "zero_vectors"]
    return table, data[columns].astype({"pool": "Int64", "zero_vectors": "Int64"})


def _row(label: str, kind: str, sentence: Any, cosine: float) -> Row:
    if pd.isna(sentence) or not sentence:
        return Row(Cell(label, kind), (Cell(note="the query has no known word"), Cell()))
    return Row(Cell(label, kind), (Cell(str(sentence)), Cell(f"{cosine:.3f}")))


def _notes(neighbours: pd.DataFrame, pool: Mapping[str, Any]) -> tuple[str, ...]:
    zeros = neighbours.groupby("model", sort=False)["zero_vectors"].first()
    without = ", ".join(f"{model} {int(count):,}" for model, count in zeros.items() if count)
    notes = [
        f"Pool: {pool['sentences']:,} distinct sentences drawn from the {pool['read']:,} of {pool['source']} (corpus "
        f"{pool['corpus']}), none of them a query. The paper's: 1 M sentences of a Wikipedia dump, no more is said.",
        "Nearest by cosine, found exactly; of equally near sentences the first of the pool. reported: the paper's "
        "sentence for its query and its pool.",
    ]
    return (*notes, f"Sentences of the pool without a known word: {without}.") if without else tuple(notes)
