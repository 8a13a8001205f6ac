"""Draw Figure 3 of the weighted aggregation paper: learnt weights by place in the idf order."""

from pathlib import Path
from typing import Any

from sentrep.io.csv_files import write_csv
from sentrep.io.files import read_json
from sentrep.tables.reported import read_reported
from sentrep.tables.weighted_figures import draw_weights, weight_curves


def main(snakemake: Any) -> None:
    """Draw the weights and write them; `params.models` gives loss and seed of each input model, in order."""
    source, params, output = snakemake.input, snakemake.params, snakemake.output
    learnt = [
        {**model, **read_json(Path(folder) / "weights.json")}
        for model, folder in zip(params.models, source.models, strict=True)
    ]
    curves = weight_curves(learnt, read_reported(source.reported), params.preset)
    write_csv(output.csv, curves, float_format="%.6g")
    draw_weights(curves, params.title, {kind: output[kind] for kind in ("svg", "pdf")}, params.sample)
