"""Collect values that describe a collection of books, such as its numbers of books, sentences and words."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pandas as pd

from sentrep.corpora.book_settings import KEPT
from sentrep.corpora.sentence_shards import read_shard, shard_paths
from sentrep.corpora.store import TokenStore
from sentrep.corpora.tokenisers import tokeniser
from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.tables.collect import reads, rows_of
from sentrep.tables.values import Value

File = dict[Any, Any]  # one row of the collection's table of files

_SENTENCES, _FEWEST_WORDS = 20, 4
_NOVELS: dict[str, Any] = {
    "protocol": "paper",
    "model": "siamese_cbow",
    "seed": 1,
}  # selects one row for each evaluation set from the scores of the preset novels


def _pairs(path: str) -> pd.DataFrame:
    return pd.read_json(path, lines=True)


@reads(
    table=rows_of(["source", "author", "year", "words", "dialogue", "decision"]),
    sentences=str,
    store=TokenStore.open,
    pairs=_pairs,
    novels=lambda path: read_csv(path, [*_NOVELS, "year", "dataset", "oov_rate"]),
)
def collection_values(
    table: pd.DataFrame, sentences: str, store: TokenStore, pairs: pd.DataFrame, novels: pd.DataFrame
) -> list[Value]:
    """Return the values that describe a collection of books.

    The values include the numbers of books, sentences and words, the share of unknown words in each evaluation set, and
    20 random sentences.

    Args:
        table: one row for each file that may be a book, including the excluded files.
        sentences: folder with the sentences of the corpus.
        store: token store of the corpus.
        pairs: sentence pairs of the evaluation sets.
        novels: scores of the published run of the preset ``novels``; the column ``oov_rate`` contains the shares of
            unknown words.
    """
    return [
        *_numbers(table, read_json(Path(sentences) / "meta.json"), store),
        *_unknown_words(store, pairs, novels),
        *_sample(sentences),
    ]


def _row(row: str, metric: str, number: float = float("nan"), text: str = "", column: str = "books") -> Value:
    return replace(Value("sentrep", "corpus", row, column, metric), mean=number, text=text)


def _numbers(table: pd.DataFrame, meta: dict[str, Any], store: TokenStore) -> Iterator[Value]:
    files = table.to_dict("records")
    kept = [file for file in files if file["decision"] == KEPT]
    words = sum(file["words"] for file in kept)
    numbers = {
        "files": len(files),
        "books": len(kept),
        "authors": len({file["author"] for file in kept}),
        "sentences": meta["sentences"],
        "words": store.meta["tokens"],
        "distinct words": store.meta["words"],
        "vocabulary": store.vocabulary_size,
    }
    for name, number in numbers.items():
        yield _row(name, "number", number)
    yield _row("dialogue", "share", sum(file["words"] * file["dialogue"] for file in kept) / words)
    for name, group in _grouped(kept, lambda file: f"from {file['source']}"):
        yield _row(name, "number", len(group))
        yield _row(name, "share", sum(file["words"] for file in group) / words)
    left_out = [file for file in files if file["decision"] != KEPT]
    for name, group in sorted(_grouped(left_out, lambda file: f"left out: {file['decision']}")):
        yield _row(name, "number", len(group))
        yield _row(name, "share", len(group) / len(files))
    for name, group in sorted(_grouped(kept, _decade)):
        yield _row(name, "number", len(group))
        yield _row(name, "share", sum(file["words"] for file in group) / words)


def _grouped(files: list[File], key: Callable[[File], str]) -> list[tuple[str, list[File]]]:
    groups: dict[str, list[File]] = {}
    for file in files:
        groups.setdefault(key(file), []).append(file)
    return list(groups.items())


def _decade(file: File) -> str:
    return "year unknown" if math.isnan(file["year"]) else f"{int(file['year']) // 10 * 10}s"


def _unknown_words(store: TokenStore, pairs: pd.DataFrame, novels: pd.DataFrame) -> Iterator[Value]:
    """Yield the share of unknown words in each evaluation set.

    Shares are yielded for the corpus of ``store`` and, where available, for the corpus of the preset ``novels``.
    """
    words, known = tokeniser(store.meta["encoding_tokeniser"]), set(store.vocabulary)
    scores = [s for s in novels.to_dict("records") if all(s[name] == value for name, value in _NOVELS.items())]
    theirs = {f"{score['year']} {score['dataset']}": float(score["oov_rate"]) for score in scores}
    for name, group in _grouped(pairs.to_dict("records"), lambda pair: f"{pair['year']} {pair['dataset']}"):
        tokens = [token for pair in group for key in ("sentence1", "sentence2") for token in words(pair[key])]
        yield _row(name, "oov rate", sum(token not in known for token in tokens) / max(1, len(tokens)))
        if name in theirs:
            yield _row(name, "oov rate", theirs[name], column="novels")


def _sample(sentences: str) -> Iterator[Value]:
    """Yield 20 random sentences of at least four words, from different shards if the corpus has at least 20 shards."""
    chance, paths = random.Random(1), shard_paths(sentences)
    for number in range(_SENTENCES):
        path = paths[number * len(paths) // _SENTENCES]
        lines = [line for line in read_shard(path).decode().split("\n") if line.count(" ") >= _FEWEST_WORDS - 1]
        yield _row(f"sentence {number + 1}", "sentence", text=chance.choice(lines or [""]))
