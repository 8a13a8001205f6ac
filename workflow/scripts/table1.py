"""Write a table of correlations on all sentence-pair sets, our models beside a paper's."""

from typing import Any

from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.tables.layout import write_table
from sentrep.tables.reported import read_all
from sentrep.tables.scores import read_scores
from sentrep.tables.sts_table import build


def main(snakemake: Any) -> None:
    """Build the table from the collected scores and the tests between models."""
    source, params = snakemake.input, snakemake.params
    tests = source.get("wilcoxon")
    table, data = build(
        read_scores(source.scores),
        read_csv(tests, ["year", "dataset", "model_a", "model_b", "p"]) if tests else None,
        read_all(source.reported),
        read_json(source.description),
        params.models,
        params.preset,
        params.get("baseline"),
        params.get("daggers"),
        params.get("title"),
        params.get("year_means", False),
    )
    write_table(table, data, dict(snakemake.output.items()))
