"""Write the values of one table or figure, from raw measurements."""

from typing import Any

from sentrep.tables.collect import collect
from sentrep.tables.values import Values, facts


def main(snakemake: Any) -> None:
    """Call ``params.collector``, ``<module>.<function>`` below sentrep.tables.collect, for ``<paper>/<item>``."""
    params = snakemake.params
    paper, item = params.item.split("/")
    given = {"paper": paper, "item": item, **params.keywords}
    common = facts(paper, item, preset=params.preset, sample=str(params.keywords["sample"]))
    Values.of([*common, *collect(params.collector, dict(snakemake.input.items()), given)]).write(snakemake.output.csv)
