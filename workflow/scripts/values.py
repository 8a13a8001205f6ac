"""Collect the values of one table or figure from raw measurements."""

from typing import Any

from sentrep.tables.collect import collect
from sentrep.tables.collect.trainings import with_warnings
from sentrep.tables.values import Values, facts


def main(snakemake: Any) -> None:
    """Collect the values of a table or figure, and write them to a CSV file.

    The file also states the name of the preset, whether the data is sample data, and any warnings that were recorded
    when the models were trained.

    ``params.collector`` names the function that returns the values, as ``<module>.<function>`` in the package
    sentrep.tables.collect. ``params.item`` names the table or figure, as ``<paper>/<item>``.
    """
    params = snakemake.params
    paper, item = params.item.split("/")
    given = {"paper": paper, "item": item, **params.keywords}
    common = facts(paper, item, preset=params.preset, sample=str(params.keywords["sample"]))
    inputs = dict(snakemake.input.items())
    trainings = inputs.pop("trainings", [])
    found = with_warnings(collect(params.collector, inputs, given), trainings)
    Values.of([*common, *found]).write(snakemake.output.csv)
