"""Test all pairs of models on all sets for different similarities."""

from typing import Any

from sentrep.evaluation.statistics.wilcoxon import compare_models
from sentrep.io.csv_files import read_csv, write_csv
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Compare the similarity files; `params.models` names them in order."""
    columns = ["year", "dataset", "pair", "similarity"]
    files = zip(snakemake.params.models, snakemake.input.similarities, strict=True)
    write_csv(
        snakemake.output.wilcoxon,
        compare_models({model: read_csv(path, columns) for model, path in files}),
        float_format="%.6g",
    )


if __name__ == "__main__":
    run(main, snakemake)
