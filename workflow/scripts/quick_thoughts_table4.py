"""Write Table 4 of Logeswaran and Lee (2018): image-caption retrieval."""

from typing import Any

import pandas as pd

from sentrep.evaluation.retrieval.ranking import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv
from sentrep.tables.layout import write_table
from sentrep.tables.reported import read_reported
from sentrep.tables.retrieval import build_table4


def main(snakemake: Any) -> None:
    """Build the table from all models' measures."""
    params = snakemake.params
    frames = [read_csv(path, SCORE_COLUMNS) for path in snakemake.input.scores]
    scores = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=SCORE_COLUMNS)
    paper = read_reported(snakemake.input.reported)
    table, data = build_table4(scores, paper, params.systems, params.settings, params.preset)
    write_table(table, data, dict(snakemake.output.items()))
