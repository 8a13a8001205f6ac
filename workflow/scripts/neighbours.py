"""List the words whose vectors have the lowest and highest norms, and the nearest neighbours of query words."""

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

from sentrep.corpora.store import TokenStore
from sentrep.encoders.registry import load_word_vectors
from sentrep.evaluation.word_neighbours import describe_words, overlap
from sentrep.io.csv_files import write_csv
from sentrep.runtime.job import log


def main(
    *,
    folders: Sequence[str],
    stores: Sequence[str],
    models: Sequence[Mapping[str, Any]],
    queries: Sequence[str],
    minimum_cosine: float,
    preset: str,
    csv: str,
) -> None:
    """Write one file with the tables from :func:`sentrep.evaluation.word_neighbours.describe_words` for all models.

    Args:
        folders: folder of each model.
        stores: token store of each model's corpus.
        models: ``id`` and ``seed`` of each model.
        queries: words whose nearest neighbours are listed.
        minimum_cosine: lowest cosine similarity of a listed neighbour.
        preset: name of the preset.
        csv: output file.
    """
    frames = []
    for model, folder, store in zip(models, folders, stores, strict=True):
        corpus = TokenStore.open(store)
        counts = dict(zip(corpus.vocabulary, corpus.counts.tolist(), strict=True))
        words = describe_words(load_word_vectors(folder), model["id"], counts, queries, minimum_cosine)
        for name, number in overlap(words).items():
            log.info("%s, list '%s': %d of 10 words in common with the paper's list", model["id"], name, number)
        words.insert(1, "seed", model["seed"])
        frames.append(words)
    whole = pd.concat(frames, ignore_index=True)
    whole.insert(0, "preset", preset)
    write_csv(csv, whole, float_format="%.6g")
