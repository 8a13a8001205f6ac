"""Judge all ways of comparing the texts of a pairs folder."""

from typing import Any

from sentrep.aggregation.evaluation import evaluate, read_weighting
from sentrep.aggregation.lexicon import build_lexicon, load_word_vectors, open_pairs
from sentrep.aggregation.representations import Settings
from sentrep.io.csv_files import write_csv
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write metrics, tests and histograms; inputs but `pairs` and `embeddings` are models named in `params.learnt`."""
    source, params, output = snakemake.input, snakemake.params, snakemake.output
    corpus = open_pairs(source.pairs)
    words = load_word_vectors(source.embeddings)
    lexicon = build_lexicon(corpus, words.row_of, words.embeddings, params.normalise_vectors)
    learnt = {label: read_weighting(source[name]) for name, label in params.learnt.items()}
    result = evaluate(corpus, lexicon, learnt, Settings(**params.options), snakemake.threads)
    write_csv(output.metrics, result.metrics, float_format="%.9g")
    write_csv(output.binomial, result.binomial, float_format="%.9g")
    write_csv(output.histograms, result.histograms, float_format="%.9g")


if __name__ == "__main__":
    run(main, snakemake)
