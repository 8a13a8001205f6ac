"""Collect the values of ablation studies, which compare variants of a model with an untrained baseline."""

from __future__ import annotations

from dataclasses import replace

import pandas as pd

from sentrep.evaluation.statistics.ablation import COLUMNS
from sentrep.tables.collect import reads, rows_of
from sentrep.tables.values import Value


@reads(table=rows_of(COLUMNS))
def ablation_values(table: pd.DataFrame, paper: str, item: str) -> list[Value]:
    """Return the values of the ablation studies of one paper's models.

    The row of a value is the label of the variant or baseline, the column is the treatment of unknown words, and the
    protocol is the title of the study. The metrics are ``pearson`` (mean correlation over sets and seeds),
    ``difference`` (mean correlation of the variant minus mean correlation of the baseline), ``sets`` (number of
    evaluation sets), ``loss`` (mean training loss over the last quarter of training) and ``lowest norms`` (the ten
    words whose vectors have the lowest norms in the model trained with the first seed). Values of the metrics ``loss``
    and ``lowest norms`` have no column, because they do not depend on the treatment of unknown words.

    Args:
        table: comparisons of the variants with their baselines, as written by
            :func:`sentrep.evaluation.statistics.ablation.ablation`.
        paper: paper to which the values belong.
        item: name of the table or figure to which the values belong.
    """
    found = []
    for record in table.to_dict("records"):
        empty = Value(paper, item, record["label"], record["convention"], "", record["section"])
        empty = replace(
            empty,
            system=record["model"],
            label=record["label"],
            baseline=record["model"] == record["baseline"],
            seeds=int(record["seeds"]),
        )
        found.append(replace(empty, metric="pearson", mean=record["pearson"], sd=record["sd"]))
        bounds = {"low": record["low"], "high": record["high"]}
        if not empty.baseline:
            found.append(replace(empty, metric="difference", mean=record["difference"], **bounds))
        found.append(replace(empty, metric="sets", mean=float(record["sets"])))
        whole = replace(empty, column="")
        if record["convention"] == "omitted":
            if record["loss"] == record["loss"]:
                found.append(replace(whole, metric="loss", mean=record["loss"]))
            if isinstance(record["lowest_norms"], str):
                found.append(replace(whole, metric="lowest norms", text=record["lowest_norms"]))
    return found
