"""Time one model on all sentence pairs, one by one as in the paper's Table 3, and in batches."""

from typing import Any

from sentrep.runtime.job import run
from sentrep.runtime.threads import limit_threads


def main(snakemake: Any) -> None:
    """Measure a loaded model on one core, whatever number the rule reserves to have the machine to itself."""
    limit_threads(1)
    from sentrep.encoders.registry import load_encoder
    from sentrep.evaluation.sts.sets import load_sets
    from sentrep.evaluation.sts.timing import time_encoder
    from sentrep.io.csv_files import write_csv

    sets, _, _ = load_sets(snakemake.input.pairs, snakemake.input.description)
    sets = [sts for sts in sets if sts.standard]  # the paper's sets only
    encoder = load_encoder(snakemake.input.model)
    timing = time_encoder(encoder, sets, snakemake.params.get("repeats", 3))
    write_csv(snakemake.output.timing, timing, float_format="%.7g")


if __name__ == "__main__":
    run(main, snakemake)
