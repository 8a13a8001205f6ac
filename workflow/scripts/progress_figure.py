"""Draw Figure 2: correlations during training, from the snapshots of one model."""

from typing import Any

from sentrep.evaluation.sts.scoring import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv, write_csv
from sentrep.tables.curves import progress_curves
from sentrep.tables.figures import draw_per_set


def main(snakemake: Any) -> None:
    """Draw the figure and write its data; several score files are seeds of the model."""
    params, output = snakemake.params, snakemake.output
    curves = progress_curves([read_csv(path, SCORE_COLUMNS) for path in snakemake.input.scores], params.preset)
    write_csv(output.csv, curves, float_format="%.6g")
    draw_per_set(
        curves,
        "epochs",
        "training progress in epochs",
        params.title,
        {"svg": output.svg, "pdf": output.pdf},
        sample=params.sample,
        logarithmic=False,
    )
