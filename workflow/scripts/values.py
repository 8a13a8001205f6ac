"""Write the values of one table or figure, from raw measurements."""

from importlib import import_module
from typing import Any

from sentrep.tables.values import Values, facts


def main(snakemake: Any) -> None:
    """Call the collector that ``params.collector`` names, ``<module>.<function>`` below sentrep.tables.collect."""
    params = snakemake.params
    module, function = params.collector.split(".")
    collect = getattr(import_module(f"sentrep.tables.collect.{module}"), function)
    common = facts(params.paper, params.item, preset=params.preset, sample=str(params.sample))
    Values.of([*common, *collect(snakemake.input, params)]).write(snakemake.output.csv)
