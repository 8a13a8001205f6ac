"""Collect the values of one table or figure from raw measurements."""

from collections.abc import Mapping, Sequence
from typing import Any

from sentrep.tables.collect import collect
from sentrep.tables.collect.trainings import with_warnings
from sentrep.tables.values import Values, facts


def main(
    *,
    collector: str,
    item: str,
    preset: str,
    settings: Mapping[str, Any],
    csv: str,
    trainings: Sequence[str] = (),
    **inputs: str | Sequence[str],
) -> None:
    """Collect the values of a table or figure, and write them to a CSV file.

    The file also states the name of the preset, whether the data is sample data, and any warnings that were recorded
    when the models were trained.

    Args:
        collector: name of the function that returns the values, ``<module>.<function>`` in the package
            sentrep.tables.collect.
        item: name of the table or figure, ``<paper>/<item>``.
        preset: name of the preset.
        settings: arguments of the collector.
        csv: output file.
        trainings: folders of the models in the table or figure.
        inputs: file or files from which the collector reads the measurements.
    """
    paper, name = item.split("/")
    common = facts(paper, name, preset=preset, sample=str(settings["sample"]))
    found = collect(collector, inputs, {"paper": paper, "item": name, **settings})
    Values.of([*common, *with_warnings(found, trainings)]).write(csv)
