"""Collect word lists as in section 4.4 of Kenter et al. (2016): neighbours, and words with extreme vector norms."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace

import pandas as pd

from sentrep.evaluation.word_neighbours import COLUMNS
from sentrep.io.frames import groups_of
from sentrep.tables.collect import reads, rows_of
from sentrep.tables.values import Value


@reads(table=rows_of([*COLUMNS, "seed"]))
def word_values(table: pd.DataFrame, models: Sequence[Mapping[str, str]]) -> list[Value]:
    """Return the values of ``results/neighbours.csv``, which lists neighbours, and words with extreme vector norms.

    The row of a value is the query word, or the name of the list if the words are ranked by norm. The protocol is the
    set of words that are ranked, or "not in the vocabulary" for an unknown query; for all seeds except the first, the
    protocol also names the seed. For the metrics ``norm`` and ``cosine``, the text of a value is a word, and the ``x``
    of the value is the rank of this word. The metric ``words found`` is the number of words whose cosine with the query
    exceeds the configured minimum, including words that are not listed.

    Args:
        table: lists of words for all models and seeds.
        models: for each model, a mapping with the keys id and label.
    """
    found, labels = [], {model["id"]: model["label"] for model in models}
    first = {model: group["seed"].iloc[0] for (model,), group in groups_of(table, ["model"])}
    for record in table.to_dict("records"):
        row = record["query"] if record["list"] == "nearest" else record["list"]
        label, seed = labels[record["model"]], record["seed"]
        scope = record["scope"] if seed == first[record["model"]] else f"{record['scope']}, seed {seed}"
        empty = Value("siamese_cbow", "neighbours", row, label, "", scope)
        empty = replace(empty, system=record["model"], label=label)
        if not math.isnan(record["rank"]):
            metric = "cosine" if record["list"] == "nearest" else "norm"
            word = replace(empty, metric=metric, x=float(record["rank"]), text=str(record["word"]), seeds=1)
            found.append(replace(word, mean=float(record[metric])))
        if not math.isnan(record["found"]):
            found.append(replace(empty, metric="words found", mean=float(record["found"]), seeds=1))
    return list(dict.fromkeys(found))  # the number of words found is the same in all rows of a list
