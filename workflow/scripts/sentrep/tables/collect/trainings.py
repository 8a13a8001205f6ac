"""Add warnings recorded during training to the values of the tables and figures that show the trained models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sentrep.io.seal import read_meta
from sentrep.tables.values import WARNING, Value


def with_warnings(values: Sequence[Value], folders: Sequence[str | Path]) -> list[Value]:
    """Return the values of a table or figure, preceded by the training warnings of the systems that it shows.

    The warnings of each system are combined into one value; systems without warnings have none.

    Args:
        values: values of one table or figure.
        folders: model folders, ``<system>/seed<seed>``, for all seeds of the systems in the table or figure.
    """
    seeds = dict[str, list[str]]()
    found = dict[str, dict[str, list[str]]]()
    for folder in map(Path, folders):
        system, seed = folder.parent.name, folder.name.removeprefix("seed")
        seeds.setdefault(system, []).append(seed)
        for warning in read_meta(folder).get("warnings", ()):
            what = str(warning).partition(";")[0]  # readers do not need the advice after the semicolon
            found.setdefault(system, {}).setdefault(what, []).append(seed)
    shown = {value.system: value for value in reversed(values)}
    return [
        *(
            Value(
                *(shown[system].paper, shown[system].item, "", "", WARNING),
                system=system,
                label=shown[system].label,
                text="; ".join(
                    what if seeds[system] == of else f"{what} (seed{'s' if len(of) > 1 else ''} {', '.join(of)})"
                    for what, of in warnings.items()
                ),
            )
            for system, warnings in found.items()
            if system in shown
        ),
        *values,
    ]
