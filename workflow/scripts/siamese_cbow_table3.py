"""Write Table 3 of the Siamese CBOW paper: seconds to encode and compare all pairs."""

from pathlib import Path
from typing import Any

from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.tables.layout import write_table
from sentrep.tables.reported import read_reported
from sentrep.tables.siamese_cbow import build_table3


def main(snakemake: Any) -> None:
    """Build the table from the timings, files called `<model>.csv`, of the models in `params.models`."""
    table, data = build_table3(
        {Path(path).stem: read_csv(path, ["presentation", "seconds"]) for path in snakemake.input.timings},
        read_reported(snakemake.input.reported),
        read_json(snakemake.input.description),
        snakemake.params.models,
        snakemake.params.preset,
    )
    write_table(table, data, dict(snakemake.output.items()))
