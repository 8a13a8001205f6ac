"""Render a table or figure from its values, as declared in ``workflow/tables.yaml``."""

from collections.abc import Sequence
from pathlib import Path

from sentrep.tables.render import write_item
from sentrep.tables.values import Values


def main(*, source: Sequence[str], name: str, **outputs: str) -> None:
    """Write the table or figure ``name``, in each format for which there is an output file.

    Args:
        source: files of values.
        name: name of the declaration, ``<paper>/<item>``.
        outputs: output file for each format.
    """
    write_item(name, Values.read(*source).rows(), {kind: Path(path) for kind, path in outputs.items()})
