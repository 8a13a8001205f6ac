"""Draw the mean correlation against corpus size and epochs, beside the untrained floor."""

from typing import Any

from sentrep.evaluation.sts.scoring import SCORE_COLUMNS
from sentrep.io.csv_files import read_csv, write_csv
from sentrep.tables.curves import corpus_size_curves
from sentrep.tables.figures import draw_corpus_size


def main(snakemake: Any) -> None:
    """Draw the figure and write its data; `params.models` describes each score file, in order."""
    params, output = snakemake.params, snakemake.output
    parts = [read_csv(path, SCORE_COLUMNS) for path in snakemake.input.scores]
    curves = corpus_size_curves(parts, params.models, params.preset)
    write_csv(output.csv, curves, float_format="%.6g")
    draw_corpus_size(curves, params.title, {"svg": output.svg, "pdf": output.pdf}, sample=params.sample)
