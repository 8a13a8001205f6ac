"""Draw a figure of correlations against the values of one parameter."""

from typing import Any

from sentrep.evaluation.sts.scoring import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv, write_csv
from sentrep.tables.curves import parameter_curves
from sentrep.tables.figures import draw_per_set


def main(snakemake: Any) -> None:
    """Draw the figure and write its data; `params.models` gives each file's values and seed, in order.

    `params.years` draws some years' sets only.
    """
    params, output = snakemake.params, snakemake.output
    parts = [read_csv(path, SCORE_COLUMNS) for path in snakemake.input.scores]
    curves = parameter_curves(parts, params.models, params.parameter, params.preset)
    if years := params.get("years"):
        curves = curves[curves["year"].isin(years)]
    write_csv(output.csv, curves, float_format="%.6g")
    draw_per_set(
        curves,
        params.parameter,
        params.x_label,
        params.title,
        {"svg": output.svg, "pdf": output.pdf},
        sample=params.sample,
        logarithmic=params.get("logarithmic", True),
    )
