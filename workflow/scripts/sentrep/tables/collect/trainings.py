"""Warnings that trainings recorded, as values of the items that show the trained models."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sentrep.io.seal import read_meta
from sentrep.tables.values import WARNING, Value


def with_warnings(values: Sequence[Value], folders: Sequence[str | Path]) -> list[Value]:
    """Put the warnings of trainings in front of the values of an item: one for each system that has any.

    Args:
        values: values of one item.
        folders: model folders, ``<system>/seed<seed>``, of all seeds of its systems.
    """
    seeds = dict[str, list[str]]()
    found = dict[str, dict[str, list[str]]]()
    for folder in map(Path, folders):
        system, seed = folder.parent.name, folder.name.removeprefix("seed")
        seeds.setdefault(system, []).append(seed)
        for warning in read_meta(folder).get("warnings", ()):
            what = str(warning).partition(";")[0]  # the advice that follows is for the person who trains
            found.setdefault(system, {}).setdefault(what, []).append(seed)
    shown = {value.system: value for value in reversed(values)}
    return [
        *(
            Value(
                *(shown[system].paper, shown[system].item, "", "", WARNING),
                system=system,
                label=shown[system].label,
                text="; ".join(
                    what if seeds[system] == of else f"{what} (seed {', '.join(of)})" for what, of in warnings.items()
                ),
            )
            for system, warnings in found.items()
            if system in shown
        ),
        *values,
    ]
