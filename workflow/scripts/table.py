"""Render a table or figure from its values, as declared in ``workflow/tables.yaml``."""

from pathlib import Path
from typing import Any

from sentrep.tables.render import write_item
from sentrep.tables.values import Values


def main(snakemake: Any) -> None:
    """Write the table or figure that ``params.name`` names, in each format for which the rule has an output file."""
    values = Values.read(*snakemake.input.source).rows()
    write_item(snakemake.params.name, values, {kind: Path(path) for kind, path in snakemake.output.items()})
