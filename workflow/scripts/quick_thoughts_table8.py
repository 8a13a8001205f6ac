"""Write Table 8 of the Quick Thoughts paper: systems on the sets of SemEval 2014."""

from typing import Any

from sentrep.io.files import read_json
from sentrep.tables.layout import write_table
from sentrep.tables.quick_thoughts import build_table8
from sentrep.tables.reported import read_reported
from sentrep.tables.scores import read_scores


def main(snakemake: Any) -> None:
    """Build the table from the collected scores."""
    table, data = build_table8(
        read_scores(snakemake.input.scores),
        read_reported(snakemake.input.reported),
        read_json(snakemake.input.description),
        snakemake.params.models,
        snakemake.params.preset,
    )
    write_table(table, data, dict(snakemake.output.items()))
