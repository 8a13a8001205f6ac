"""Write Table 9 of the Quick Thoughts paper: size of the vectors, training time and mean accuracy."""

from pathlib import Path
from statistics import fmean
from typing import Any

from sentrep.io.csv_files import read_csv
from sentrep.tables.costs import read_costs
from sentrep.tables.layout import write_table
from sentrep.tables.reported import read_reported
from sentrep.tables.training_time import build_table9, mean_accuracy


def main(snakemake: Any) -> None:
    """Build the table from model folders, one per seed, and their transfer scores in the same order."""
    source, params = snakemake.input, snakemake.params
    quality: dict[str, list[float]] = {}
    for folder, path in zip(source.models, source.scores, strict=True):
        scores = read_csv(path, ["protocol", "task", "metric", "value"])
        quality.setdefault(Path(folder).parent.name, []).append(mean_accuracy(scores))
    table, data = build_table9(
        [(cost, fmean(quality[name])) for name, cost in read_costs(source.models).items()],
        read_reported(source.reported),
        params.preset,
        params.sample,
    )
    write_table(table, data, dict(snakemake.output.items()))
