"""Choose kappa of the median-based loss by cross-validation on training pairs."""

from typing import Any

import torch

from sentrep.aggregation.kappa import cross_validate_kappa
from sentrep.aggregation.learning import Couples
from sentrep.aggregation.lexicon import build_lexicon, first_couples, load_word_vectors, open_pairs
from sentrep.families import parse_parameters
from sentrep.families.weighted_aggregation import fitting_pairs, procedure_of
from sentrep.io.csv_files import write_csv
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write errors by kappa; `params.parameters` are those of the family weighted_aggregation."""
    params = snakemake.params
    parameters = parse_parameters("weighted_aggregation", params.parameters, "kappa.parameters")
    torch.set_num_threads(snakemake.threads)
    corpus = open_pairs(snakemake.input.pairs)
    words = load_word_vectors(snakemake.input.embeddings)
    lexicon = build_lexicon(corpus, words.row_of, words.embeddings, parameters.normalise_vectors)
    pairs = first_couples(fitting_pairs(lexicon, corpus, parameters), params.number_of_pairs)
    device = resolve_device(params.device)
    couples = Couples(lexicon, pairs, parameters.maximum_words, parameters.divisor, device)
    table = cross_validate_kappa(couples, procedure_of(parameters), params.grid, params.folds, params.seed)
    write_csv(snakemake.output.csv, table, float_format="%.6g")


if __name__ == "__main__":
    run(main, snakemake)
