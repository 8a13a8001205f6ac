"""Evaluate the text-similarity methods of De Boom et al. (2016) on the text pairs in a folder."""

from typing import Any

import numpy as np

from sentrep.aggregation.evaluation import evaluate, read_weighting
from sentrep.aggregation.lexicon import build_lexicon, open_pairs
from sentrep.aggregation.options import Options
from sentrep.encoders.registry import load_word_vectors
from sentrep.io.csv_files import write_csv
from sentrep.io.files import atomic_file


def main(
    *,
    pairs: str,
    embeddings: str,
    learnt: list[str],
    options: dict[str, Any],
    threads: int,
    metrics: str,
    binomial: str,
    histograms: str,
    mistakes: str,
    **models: str,
) -> None:
    """Evaluate text-similarity methods, and write the results to four files.

    Args:
        pairs: folder of text pairs.
        embeddings: folder of the model whose word vectors are aggregated.
        learnt: name of each method with trained weights, as in the tables of De Boom et al. (2016).
        options: fields of :class:`sentrep.aggregation.options.Options`.
        threads: number of processor cores to use.
        metrics: output file for the error rates and Jensen-Shannon divergences.
        binomial: output file for the binomial tests.
        histograms: output file for the histograms of the distances between the two texts of a pair.
        mistakes: output file for the misclassified pairs.
        models: keyword arguments ``learnt_0``, ``learnt_1`` and so on; ``learnt_i`` is the folder of the model with the
            trained weights of method ``learnt[i]``.
    """
    corpus = open_pairs(pairs)
    words = load_word_vectors(embeddings)
    lexicon = build_lexicon(corpus, words.row_of, words.embeddings, True)
    weightings = {label: read_weighting(models[f"learnt_{place}"]) for place, label in enumerate(learnt)}
    result = evaluate(corpus, lexicon, weightings, Options(**options), threads)
    for path, frame in ((metrics, result.metrics), (binomial, result.binomial), (histograms, result.histograms)):
        write_csv(path, frame, float_format="%.9g")
    with atomic_file(mistakes) as temporary, temporary.open("wb") as stream:
        np.savez_compressed(stream, allow_pickle=False, **result.mistakes)
