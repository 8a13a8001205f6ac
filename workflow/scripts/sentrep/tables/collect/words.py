"""Values of section 4.4 of Kenter et al. (2016): words with extreme norms, and the nearest words of some words."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from sentrep.evaluation.neighbours import COLUMNS
from sentrep.tables.collect import reads, rows_of
from sentrep.tables.values import Value


@reads(table=rows_of(COLUMNS))
def word_values(table: pd.DataFrame, models: Sequence[Mapping[str, str]]) -> list[Value]:
    """Return the words of each list by rank: the row is the list or the query, the protocol the words considered.

    Metric ``norm`` or ``cosine`` has the word as text and its rank as x; ``words found`` is the number of words above
    the cosine, listed or not. The values are those of ``results/neighbours.csv``.
    """
    found, labels = [], {model["id"]: model["label"] for model in models}
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
