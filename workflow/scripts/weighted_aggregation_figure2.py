"""Draw Figure 2 of the weighted aggregation paper: distances of related and of other pairs."""

from typing import Any

from sentrep.aggregation.evaluation import HISTOGRAM_COLUMNS
from sentrep.io.csv_files import read_csv
from sentrep.tables.weighted_figures import draw_distances


def main(snakemake: Any) -> None:
    """Draw one way's histogram."""
    params = snakemake.params
    histograms = read_csv(snakemake.input.histograms, HISTOGRAM_COLUMNS)
    draw_distances(histograms, params.method, params.title, dict(snakemake.output.items()), params.sample)
