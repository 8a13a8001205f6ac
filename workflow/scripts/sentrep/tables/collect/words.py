"""Values of section 4.4 of Kenter et al. (2016): words with extreme norms, and the nearest words of some words."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pandas as pd

from sentrep.evaluation.neighbours import COLUMNS
from sentrep.io.csv_files import read_csv
from sentrep.tables.values import Value


def word_values(table: pd.DataFrame, labels: dict[str, str]) -> list[Value]:
    """Return the words of each list by rank: the row is the list or the query, the protocol the words considered.

    Metric ``norm`` or ``cosine`` has the word as text and its rank as x; ``words found`` is the number of words above
    the cosine, listed or not.

    Args:
        table: ``results/neighbours.csv``.
        labels: labels of the models by id.
    """
    found = []
    for record in table.to_dict("records"):
        row = record["query"] if record["list"] == "nearest" else record["list"]
        label = labels[record["model"]]
        empty = Value("siamese_cbow", "neighbours", row, label, "", record["scope"])
        empty = replace(empty, system=record["model"], label=label)
        if not math.isnan(record["rank"]):
            metric = "cosine" if record["list"] == "nearest" else "norm"
            word = replace(empty, metric=metric, x=float(record["rank"]), text=str(record["word"]), seeds=1)
            found.append(replace(word, mean=float(record[metric])))
        if not math.isnan(record["found"]) and not (record["rank"] > 1):
            found.append(replace(empty, metric="words found", mean=float(record["found"]), seeds=1))
    return found


def collect(source: Any, params: Any) -> list[Value]:
    """Return the values from the inputs and parameters of their rule."""
    labels = {model["id"]: model["label"] for model in params.models}
    return word_values(read_csv(source.table, COLUMNS), labels)
