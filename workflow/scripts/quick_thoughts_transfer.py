"""Write Table 1, 2 or 3 of Logeswaran and Lee (2018): transfer tasks."""

from typing import Any

from sentrep.evaluation.transfer.tasks import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv
from sentrep.tables.costs import read_costs
from sentrep.tables.layout import write_table
from sentrep.tables.reported import read_reported
from sentrep.tables.transfer import build_table


def main(snakemake: Any) -> None:
    """Build the table from the collected scores and the models' records."""
    params = snakemake.params
    table, data = build_table(
        params.number,
        params.title,
        read_csv(snakemake.input.scores, SCORE_COLUMNS),
        read_reported(snakemake.input.reported),
        params.systems,
        params.tasks,
        {model: cost.hours() for model, cost in read_costs(snakemake.input.models).items()},
        params.preset,
        params.sample,
    )
    write_table(table, data, dict(snakemake.output.items()))
