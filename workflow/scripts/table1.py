"""Write a table of correlations on all sentence-pair sets, our models beside a paper's."""

from typing import Any

from sentrep.evaluation.frames import read_csv
from sentrep.files import read_json
from sentrep.job import run
from sentrep.results.reported import read_all
from sentrep.results.scores import read_scores
from sentrep.results.sts_table import build
from sentrep.results.tables import write_table


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


if __name__ == "__main__":
    run(main, snakemake)
