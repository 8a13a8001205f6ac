"""Write Table 2 of the Siamese CBOW paper: FastSent and Siamese CBOW on the SemEval 2014 sets."""

from typing import Any

from sentrep.io.files import read_json
from sentrep.tables.layout import write_table
from sentrep.tables.reported import read_reported
from sentrep.tables.scores import read_scores
from sentrep.tables.siamese_cbow import build_table2


def main(snakemake: Any) -> None:
    """Build the table from the collected scores."""
    table, data = build_table2(
        read_scores(snakemake.input.scores),
        read_reported(snakemake.input.reported),
        read_json(snakemake.input.description),
        snakemake.params.models,
        snakemake.params.preset,
    )
    write_table(table, data, dict(snakemake.output.items()))
