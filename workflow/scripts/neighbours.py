"""List the words whose vectors have the lowest and highest norms, and the nearest neighbours of query words."""

from typing import Any

import pandas as pd

from sentrep.corpora.store import TokenStore
from sentrep.encoders.registry import load_word_vectors
from sentrep.evaluation.word_neighbours import describe_words, overlap
from sentrep.io.csv_files import write_csv
from sentrep.runtime.job import log


def main(snakemake: Any) -> None:
    """Write one file with the tables from :func:`sentrep.evaluation.word_neighbours.describe_words` for all models.

    ``input.models`` lists the model folders, ``input.stores`` lists the token store of each model's corpus, and
    ``params.models`` lists the id and seed of each model.
    """
    source, params = snakemake.input, snakemake.params
    frames = []
    for model, directory, store in zip(params.models, source.models, source.stores, strict=True):
        corpus = TokenStore.open(store)
        counts = dict(zip(corpus.vocabulary, corpus.counts.tolist(), strict=True))
        encoder = load_word_vectors(directory)
        words = describe_words(encoder, model["id"], counts, params.queries, params.minimum_cosine)
        for name, number in overlap(words).items():
            log.info("%s, list '%s': %d of 10 words in common with the paper's list", model["id"], name, number)
        words.insert(1, "seed", model["seed"])
        frames.append(words)
    whole = pd.concat(frames, ignore_index=True)
    whole.insert(0, "preset", params.preset)
    write_csv(snakemake.output.csv, whole, float_format="%.6g")
