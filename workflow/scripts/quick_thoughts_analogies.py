"""Write Table 6 or 7 of Logeswaran and Lee (2018): sentence analogies."""

from typing import Any

import pandas as pd

from sentrep.evaluation.analogies.scoring import ANSWER_COLUMNS
from sentrep.evaluation.analogies.tuples import load_tuples
from sentrep.io.csv_files import read_csv
from sentrep.tables.analogies import build_table6, build_table7
from sentrep.tables.layout import write_table
from sentrep.tables.reported import read_reported


def main(snakemake: Any) -> None:
    """Build the table from all models' answers."""
    source, params = snakemake.input, snakemake.params
    frames = [read_csv(path, ANSWER_COLUMNS) for path in source.answers]
    answers = pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=ANSWER_COLUMNS)
    paper, (_, text) = read_reported(source.reported), load_tuples(source.tuples)
    if params.number == 6:
        table, data = build_table6(answers, paper, params.systems, params.relations, text, params.preset)
    else:
        models = [system for system in params.systems if system["id"] and not system["floor"]]
        table, data = build_table7(answers, paper, models, text, params.preset)
    write_table(table, data, dict(snakemake.output.items()))
