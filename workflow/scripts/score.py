"""Score one model, and its snapshots, on all sentence-pair sets."""

from typing import Any

from sentrep.evaluation.sts.scoring import score_model
from sentrep.evaluation.sts.sets import load_sets
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write correlations under both protocols, and the final model's similarities."""
    sets, missing, _ = load_sets(snakemake.input.pairs, snakemake.input.description)
    scores, similarities = score_model(snakemake.input.model, sets, missing, resolve_device(snakemake.params.device))
    write_csv(snakemake.output.scores, scores)
    write_csv(snakemake.output.similarities, similarities, float_format="%.6f")


if __name__ == "__main__":
    run(main, snakemake)
