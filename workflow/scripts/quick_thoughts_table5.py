"""Write Table 5 of Logeswaran and Lee (2018): nearest sentences."""

from typing import Any

import pandas as pd

from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.tables.layout import write_table
from sentrep.tables.nearest_sentences import NEIGHBOUR_COLUMNS, build_table5
from sentrep.tables.reported import read_reported


def main(snakemake: Any) -> None:
    """Build the table from all models' neighbours."""
    source, params = snakemake.input, snakemake.params
    frames = [read_csv(path, NEIGHBOUR_COLUMNS) for path in source.neighbours]
    neighbours = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=NEIGHBOUR_COLUMNS)
    paper, pool = read_reported(source.reported), read_json(source.pool)
    table, data = build_table5(neighbours, paper, params.models, pool, params.preset, params.sample)
    write_table(table, data, dict(snakemake.output.items()))
