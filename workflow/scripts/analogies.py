"""Answer sentence analogies with one model."""

from functools import partial
from typing import Any

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.analogies.scoring import answer_analogies
from sentrep.evaluation.analogies.tuples import load_tuples
from sentrep.evaluation.nearest import read_lines
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import log, run


def main(snakemake: Any) -> None:
    """Write the answer to each question."""
    params = snakemake.params
    encoder = load_encoder(snakemake.input.model)
    encoder.use(resolve_device(params.device))
    tuples, _ = load_tuples(snakemake.input.tuples)
    answers = answer_analogies(encoder, tuples, partial(read_lines, snakemake.input.pool), params.identity)
    log.info("%d of %d questions answered right", int(answers["correct"].sum()), len(answers))
    write_csv(snakemake.output[0], answers, float_format="%.6f")


if __name__ == "__main__":
    run(main, snakemake)
