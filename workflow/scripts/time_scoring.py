"""Time one model on the SemEval sentence pairs: one by one, as in Kenter et al. (2016), table 3, and in batches."""

from sentrep.encoders.registry import load_encoder
from sentrep.evaluation.sts.sets import load_sets
from sentrep.evaluation.sts.timing import time_encoder
from sentrep.io.csv_files import write_csv


def main(model: str, pairs: str, description: str, timing: str, repeats: int = 3) -> None:
    """Write the times that a model takes to score the SemEval sets, without the time for loading the model."""
    sets, _, _ = load_sets(pairs, description)
    sets = [sts for sts in sets if sts.standard]
    write_csv(timing, time_encoder(load_encoder(model), sets, repeats), float_format="%.7g")
