"""Draw Figure 2 of the Quick Thoughts paper: quality against training time under two objectives."""

import logging
from typing import Any

from sentrep.evaluation.frames import read_csv, write_csv
from sentrep.evaluation.scoring import SCORE_COLUMNS
from sentrep.job import run
from sentrep.results.costs import read_history
from sentrep.results.time_figure import draw_time, speed_up, time_curves

log = logging.getLogger("sentrep")


def main(snakemake: Any) -> None:
    """Draw the figure and write its data; `params.models` describes each input model and score file, in order."""
    source, params, output = snakemake.input, snakemake.params, snakemake.output
    curves = time_curves(
        [read_csv(path, SCORE_COLUMNS) for path in source.scores],
        [read_history(folder) for folder in source.models],
        params.models,
        params.preset,
    )
    log.info("the second objective trains %.2f times as long as the first", speed_up(curves))
    write_csv(output.csv, curves, float_format="%.6g")
    draw_time(curves, params.title, {"svg": output.svg, "pdf": output.pdf}, params.sample)


if __name__ == "__main__":
    run(main, snakemake)
