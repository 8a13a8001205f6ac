"""Measure how long one model takes to encode and compare the SemEval sentence pairs, one by one and in batches.

The times for pairs encoded one by one correspond to those in table 3 of Kenter et al. (2016).
"""

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.sts.sets import load_sets
from sentrep.evaluation.sts.timing import time_encoder
from sentrep.io.csv_files import write_csv


def main(model: str, pairs: str, description: str, timing: str, repeats: int = 3, limit: int | None = None) -> None:
    """Measure how long a model takes to encode and compare the SemEval sentence pairs, and write the times to a file.

    The time for loading the model is not included.

    Args:
        model: folder of the model.
        pairs: file of the sentence-pair sets.
        description: file that describes the sentence-pair sets.
        timing: CSV file to write.
        repeats: number of times to measure each of the two ways of encoding, one by one and in batches.
        limit: maximum number of pairs; None for all pairs.
    """
    sets, _, _ = load_sets(pairs, description)
    sets = [sts for sts in sets if sts.standard]
    write_csv(timing, time_encoder(load_encoder(model), sets, repeats, limit), float_format="%.7g")
