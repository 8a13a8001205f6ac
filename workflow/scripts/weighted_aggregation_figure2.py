"""Draw Figure 2 of the weighted aggregation paper: distances of related and of other pairs."""

from typing import Any

from sentrep.job import run


def main(snakemake: Any) -> None:
    """Draw one way's histogram."""
    from sentrep.aggregation.evaluation import HISTOGRAM_COLUMNS
    from sentrep.evaluation.frames import read_csv
    from sentrep.results.weighted_figures import draw_distances

    params = snakemake.params
    histograms = read_csv(snakemake.input.histograms, HISTOGRAM_COLUMNS)
    draw_distances(histograms, params.method, params.title, dict(snakemake.output.items()), params.sample)


run(main, snakemake)
