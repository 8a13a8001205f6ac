"""Write the values of one table or figure, from raw measurements."""

from importlib import import_module
from typing import Any

from sentrep.runtime.job import run
from sentrep.tables.values import Values


def main(snakemake: Any) -> None:
    """Call the collector that ``params.collector`` names, ``<module>.<function>`` below sentrep.tables.collect."""
    module, function = snakemake.params.collector.split(".")
    collect = getattr(import_module(f"sentrep.tables.collect.{module}"), function)
    Values.of(collect(snakemake.input, snakemake.params)).write(snakemake.output[0])


if __name__ == "__main__":
    run(main, snakemake)
