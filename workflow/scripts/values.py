"""Write the values of one table or figure, from raw measurements."""

from typing import Any

from sentrep.tables.collect import collect
from sentrep.tables.values import Values, facts


def main(snakemake: Any) -> None:
    """Call the collector that ``params.collector`` names, ``<module>.<function>`` below sentrep.tables.collect."""
    params = dict(snakemake.params.items())
    common = facts(params["paper"], params["item"], preset=params["preset"], sample=str(params["sample"]))
    collected = collect(params["collector"], dict(snakemake.input.items()), params)
    Values.of([*common, *collected]).write(snakemake.output.csv)
