"""Draw Figure 2 of the Quick Thoughts paper: quality against training time under two objectives."""

from typing import Any

from sentrep.evaluation.sts.scoring import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv, write_csv
from sentrep.tables.costs import read_history
from sentrep.tables.reported import read_reported
from sentrep.tables.time_figure import draw_time, speed_up, time_curves


def main(snakemake: Any) -> None:
    """Draw the figure and write its data; `params.models` describes each input model and score file, in order."""
    source, params, output = snakemake.input, snakemake.params, snakemake.output
    curves = time_curves(
        [read_csv(path, SCORE_COLUMNS) for path in source.scores],
        [read_history(folder) for folder in source.models],
        params.models,
        params.preset,
    )
    write_csv(output.csv, curves, float_format="%.6g")
    printed = read_reported(source.reported).text("appendix C", "Training speedup", "Ours", "times")
    names = list(dict.fromkeys(model["label"] for model in params.models))
    ratio = f"{speed_up(curves):.1f} times as long as {names[0]} (in the paper {printed})"
    title = f"{params.title}\n{names[-1]} trains {ratio}"
    draw_time(curves, title, {"svg": output.svg, "pdf": output.pdf}, params.sample)
