"""Score one model and its snapshots on all sets of sentence pairs."""

from sentrep.evaluation.sts.scoring import score_model
from sentrep.evaluation.sts.sets import load_sets
from sentrep.evaluation.sts.unknown_words import random_unknown_words
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device


def main(
    *, model: str, pairs: str, description: str, device: str, scores: str, similarities: str, unknown_words: str
) -> None:
    """Write the cosine similarities of all sentence pairs, and the correlations of the similarities with human scores.

    Args:
        model: folder of the model.
        pairs: file of the sets of sentence pairs.
        description: file that describes the sets.
        device: device to encode on.
        scores: output file for the correlations.
        similarities: output file for the similarities that are computed with unknown words omitted.
        unknown_words: output file for the similarities that are computed with random vectors for unknown words.
    """
    sets, missing, _ = load_sets(pairs, description)
    rows, cosines = score_model(model, sets, missing, resolve_device(device))
    write_csv(scores, rows)
    write_csv(similarities, cosines, float_format="%.6f")
    write_csv(unknown_words, random_unknown_words(model, sets), float_format="%.6f")
