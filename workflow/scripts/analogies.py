"""Answer sentence analogies with one model."""

from functools import partial
from typing import Any

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.analogies.scoring import answer_analogies
from sentrep.evaluation.analogies.tuples import load_tuples
from sentrep.evaluation.nearest_sentences import read_lines
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import log


def main(*, model: str, tuples: str, pool: str, identity: dict[str, Any], device: str, answers: str) -> None:
    """Use one model to answer every question in a file of sentence analogies, and write the answers.

    Args:
        model: folder of the model.
        tuples: file of the sentence analogies.
        pool: file of additional candidate answers, one sentence per line.
        identity: preset, model and seed, which are repeated in every row of the output file.
        device: device to encode on.
        answers: file to write.
    """
    encoder = load_encoder(model)
    encoder.use(resolve_device(device))
    questions, _ = load_tuples(tuples)
    found = answer_analogies(encoder, questions, partial(read_lines, pool), identity)
    log.info("answered %d of %d questions correctly", int(found["correct"].sum()), len(found))
    write_csv(answers, found, float_format="%.6f")
