"""Write the table of all models."""

from typing import Any

from sentrep.job import run
from sentrep.results.costs import read_costs
from sentrep.results.model_table import build
from sentrep.results.reported import read_all
from sentrep.results.tables import write_table


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


if __name__ == "__main__":
    run(main, snakemake)
