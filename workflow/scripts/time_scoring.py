"""Measure how long one model takes to compute the similarities of sentence pairs, one by one and in batches.

The pairs are from the SemEval sets. The times for pairs processed one by one correspond to those in table 3 of Kenter
et al. (2016).
"""

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.sts.sets import load_sets
from sentrep.evaluation.sts.timing import time_encoder
from sentrep.io.csv_files import write_csv


def main(model: str, pairs: str, description: str, timing: str, repeats: int = 3, limit: int | None = None) -> None:
    """Measure how long a model takes to compute the similarities of SemEval sentence pairs, and write the times.

    Encoding the sentences is included in the times; loading the model is not.

    Args:
        model: folder of the model.
        pairs: file of the sentence-pair sets.
        description: file that describes the sentence-pair sets.
        timing: CSV file to write.
        repeats: number of measurements for each of the two ways of processing pairs, one by one and in batches.
        limit: maximum number of pairs; if the sets contain more, a random sample is used. None means all pairs.
    """
    sets, _, _ = load_sets(pairs, description)
    sets = [sts for sts in sets if sts.standard]
    write_csv(timing, time_encoder(load_encoder(model), sets, repeats, limit), float_format="%.7g")
