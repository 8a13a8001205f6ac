"""Write the table of all models."""

from typing import Any

from sentrep.tables.costs import read_costs
from sentrep.tables.layout import write_table
from sentrep.tables.model_table import build
from sentrep.tables.reported import read_all


def main(snakemake: Any) -> None:
    """Build the table from the model folders, one per seed."""
    params = snakemake.params
    table, data = build(
        read_costs(snakemake.input.models),
        params.models,
        params.unfilled,
        read_all(snakemake.input.reported),
        params.preset,
        params.sample,
    )
    write_table(table, data, dict(snakemake.output.items()))
