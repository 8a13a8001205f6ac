"""Write the training times beside those of Table 1 of the Quick Thoughts paper."""

from typing import Any

from sentrep.tables.costs import read_costs
from sentrep.tables.layout import write_table
from sentrep.tables.reported import read_reported
from sentrep.tables.training_time import build_time


def main(snakemake: Any) -> None:
    """Build the table from the model folders, one per seed."""
    table, data = build_time(
        read_costs(snakemake.input.models),
        read_reported(snakemake.input.reported),
        snakemake.params.models,
        snakemake.params.preset,
        snakemake.params.sample,
    )
    write_table(table, data, dict(snakemake.output.items()))
