"""Write Table 1 or 2 of the weighted aggregation paper."""

from typing import Any

from sentrep.aggregation.evaluation import BINOMIAL_COLUMNS, METRIC_COLUMNS
from sentrep.io.csv_files import read_csv
from sentrep.tables.layout import write_table
from sentrep.tables.reported import read_reported
from sentrep.tables.weighted_aggregation import Column, build_table


def main(snakemake: Any) -> None:
    """Build the table; `params.columns` names, in order, the inputs `<name>_metrics` and `<name>_binomial`."""
    source, params = snakemake.input, snakemake.params

    def frame(name: str, columns: list[str]) -> Any:
        path = source.get(name)
        return read_csv(path, columns) if path else None

    columns = [
        Column(
            column["label"],
            column["reported"],
            frame(f"{column['name']}_metrics", METRIC_COLUMNS),
            frame(f"{column['name']}_binomial", BINOMIAL_COLUMNS),
        )
        for column in params.columns
    ]
    paper = read_reported(source.reported)
    table, data = build_table(params.number, params.title, columns, paper, params.preset, params.sample)
    write_table(table, data, dict(snakemake.output.items()))
