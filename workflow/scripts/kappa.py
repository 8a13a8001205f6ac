"""Compare values of kappa, the parameter of the median loss, by cross-validation on training pairs."""

from typing import Any

import torch

from sentrep.aggregation.kappa import cross_validate_kappa
from sentrep.aggregation.learning import QuadraticPairs
from sentrep.aggregation.lexicon import build_lexicon, first_pairs, open_pairs
from sentrep.encoders.registry import load_word_vectors
from sentrep.families import parse_parameters
from sentrep.families.weighted_aggregation import fitting_pairs
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device


def main(
    *,
    pairs: str,
    embeddings: str,
    parameters: dict[str, Any],
    number_of_pairs: int,
    grid: list[float],
    folds: int,
    seed: int,
    device: str,
    threads: int,
    csv: str,
) -> None:
    """Write the cross-validation error for each value of kappa.

    Args:
        pairs: folder of text pairs.
        embeddings: folder of the model whose word vectors are aggregated.
        parameters: parameters of the family ``weighted_aggregation``.
        number_of_pairs: maximum number of training pairs of each kind (related and non-related).
        grid: values of kappa to compare.
        folds: number of folds.
        seed: seed for the assignment of pairs to folds, and for training.
        device: device to train on.
        threads: number of processor cores to use.
        csv: file to write.
    """
    settings = parse_parameters("weighted_aggregation", parameters, "kappa.parameters")
    torch.set_num_threads(threads)
    corpus = open_pairs(pairs)
    words = load_word_vectors(embeddings)
    lexicon = build_lexicon(corpus, words.row_of, words.embeddings, settings.normalise_vectors)
    first = first_pairs(fitting_pairs(lexicon, corpus, settings), number_of_pairs)
    training = QuadraticPairs(lexicon, first, settings.maximum_words, settings.divisor, resolve_device(device))
    write_csv(csv, cross_validate_kappa(training, settings, grid, folds, seed), float_format="%.6g")
