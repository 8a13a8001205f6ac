"""Test all pairs of models on all sets for different correlations with the human scores."""

from typing import Any

from sentrep.evaluation.statistics.williams import compare_correlations
from sentrep.evaluation.sts.sets import gold_scores, load_sets
from sentrep.io.csv_files import read_csv, write_csv
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Compare the similarity files with the human scores; `params.models` names them in order."""
    sets, _, _ = load_sets(snakemake.input.pairs, snakemake.input.description)
    columns = ["year", "dataset", "pair", "similarity"]
    files = zip(snakemake.params.models, snakemake.input.similarities, strict=True)
    similarities = {model: read_csv(path, columns) for model, path in files}
    wilcoxon = read_csv(snakemake.input.wilcoxon, ["year", "dataset", "model_a", "model_b", "p"])
    write_csv(
        snakemake.output.csv, compare_correlations(similarities, gold_scores(sets), wilcoxon), float_format="%.6g"
    )


if __name__ == "__main__":
    run(main, snakemake)
