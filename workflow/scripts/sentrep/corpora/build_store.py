"""Sentences to a token store: vocabulary and memory-mapped ids, in two passes (see `store_passes`)."""

from __future__ import annotations

import logging
import resource
import time
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.corpora.parallel import ordered_map
from sentrep.corpora.sentence_shards import shard_documents, shard_paths
from sentrep.corpora.store import UNKNOWN_WORD, id_type
from sentrep.corpora.store_workers import Batch, Selection, write_ids
from sentrep.corpora.string_ids import Numbering, compile_loops
from sentrep.corpora.tokenisers import PUNCTUATION_TOKENS
from sentrep.errors import SentrepError
from sentrep.io.files import atomic_directory, create_array, read_json, write_json

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]

log = logging.getLogger("sentrep")
_FEW_DOCUMENTS = 64
_LARGEST_BATCH = 8  # shards: larger ones have fewer distinct pieces in all, but take more memory


def build_store(
    sentences: str | Path,
    output: str | Path,
    *,
    tokeniser_name: str = "kenter",
    encoding_tokeniser: str = "kenter",
    minimum_count: int = 5,
    maximum_words: int | None = None,
    keep_all_tokens: bool = False,
    fraction: float = 1.0,
    processes: int = 1,
    provenance: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Build the store of a corpus.

    Args:
        sentences: folder written by :func:`sentrep.corpora.sentences.build_sentences`.
        output: folder to write.
        tokeniser_name: how training text is cut into words.
        encoding_tokeniser: how models of this store will cut text they are asked to encode.
        minimum_count: rarer words are left out.
        maximum_words: keep that many of the most frequent words, or None for all.
        keep_all_tokens: punctuation counts as words, and what is not in the vocabulary becomes the unknown word, its
            last entry, instead of being left out: what networks that read word after word need.
        fraction: use that part of the corpus: evenly spaced documents, or, if there are fewer than 64, the leading
            part of each.
        processes: worker processes.
        provenance: added to ``meta.json``.

    Returns:
        What ``meta.json`` holds.

    Raises:
        SentrepError: no word is frequent enough.
    """
    started = time.monotonic()
    source = read_json(Path(sentences) / "meta.json")
    shards = shard_paths(sentences)
    with atomic_directory(output) as folder:
        selection = Selection(tokeniser_name, fraction, source["documents"] >= _FEW_DOCUMENTS)
        firsts = _first_documents(shards) if fraction < 1 else [0] * len(shards)
        size = min(_LARGEST_BATCH, max(1, len(shards) // (4 * processes)))
        batches = [
            Batch(shards[i : i + size], firsts[i : i + size], folder / f"batch-{i}")
            for i in range(0, len(shards), size)
        ]
        compile_loops()  # once, and not in each worker process
        words, counts, n_sentences = _count(selection, batches, processes)
        left_out = {UNKNOWN_WORD} if keep_all_tokens else PUNCTUATION_TOKENS
        kept = _kept(words, counts, minimum_count, left_out)[:maximum_words]
        tokens = int(counts.sum())
        if not kept:
            raise SentrepError(
                sentences,
                expected=f"words that occur {minimum_count} times or more",
                found=f"none among {tokens} tokens",
                remedy="give more text or lower `minimum_count`",
            )
        log.info("%d tokens, %d words, %d of them kept", tokens, len(words), len(kept))
        vocabulary = [(word, count) for word, count, _ in kept]
        rows = np.full(len(words), len(kept) if keep_all_tokens else -1, np.int32)
        rows[[number for _, _, number in kept]] = np.arange(len(kept))
        if keep_all_tokens:
            vocabulary.append((UNKNOWN_WORD, tokens - sum(count for _, count in vocabulary)))
        lines = (f"{word}\t{count}\n" for word, count in vocabulary)
        (folder / "vocabulary.tsv").write_text("".join(lines), encoding="utf-8")
        ids = id_type(len(vocabulary))
        sizes = _write_ids(folder, batches, rows, ids, n_sentences, processes)
        seconds = time.monotonic() - started
        meta = {
            **(provenance or {}),
            **{"tokeniser": tokeniser_name, "encoding_tokeniser": encoding_tokeniser},
            **{"minimum_count": minimum_count, "maximum_words": maximum_words, "fraction": fraction},
            "unknown_word": UNKNOWN_WORD if keep_all_tokens else None,
            **{"tokens": tokens, "words": len(words), "vocabulary": len(vocabulary)},
            **sizes,
            **{key: source[key] for key in ("source", "source_sha256")},
            **{
                "seconds": round(seconds, 1),
                "tokens_per_second": round(tokens / seconds),
                "processes": processes,
            },
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        write_json(folder / "meta.json", meta)
    log.info("%d sentences, %.0f tokens/s with %d processes", sizes["sentences"], tokens / seconds, processes)
    return meta


def _count(selection: Selection, batches: list[Batch], processes: int) -> tuple[Numbering, Int64, list[int]]:
    """First pass: return all words, (words,) how often each occurs, and the number of sentences of each batch."""
    words = Numbering()
    counts = np.zeros(0, np.int64)
    n_sentences = []
    counted = ordered_map(selection.count, batches, processes)
    for batch, (text, occurrences, sentences) in zip(batches, counted, strict=True):
        numbers, _ = words.number(text)
        counts = np.pad(counts, (0, len(words) - len(counts)))
        counts[numbers] += occurrences
        np.savez(batch.words, numbers=numbers, occurrences=occurrences)
        n_sentences.append(sentences)
    return words, counts, n_sentences


def _kept(words: Numbering, counts: Int64, minimum: int, left_out: AbstractSet[str]) -> list[tuple[str, int, int]]:
    """Return (word, count, number) of the frequent words in the order of the vocabulary."""
    frequent = np.flatnonzero(counts >= minimum)
    found = zip(map(words.piece, frequent), counts[frequent].tolist(), frequent.tolist(), strict=True)
    return sorted((entry for entry in found if entry[0] not in left_out), key=lambda entry: (-entry[1], entry[0]))


def _write_ids(
    folder: Path, batches: list[Batch], rows: Int32, ids: np.dtype, n_sentences: list[int], processes: int
) -> dict[str, int]:
    """Second pass: write ids and offsets; return their sizes."""
    n_tokens = []
    for batch in batches:
        with np.load(batch.words) as saved:
            n_tokens.append(int(saved["occurrences"][rows[saved["numbers"]] >= 0].sum()))
    np.save(folder / "rows.npy", rows)
    # Batches take the space of their ids while they give back that of their numbered pieces.
    create_array(folder / "ids.npy", ids, (sum(n_tokens),), space=False)
    create_array(folder / "sentence_offsets.npy", np.int64, (sum(n_sentences) + 1,))
    jobs = zip(batches, accumulate(n_tokens, initial=0), accumulate(n_sentences, initial=0), strict=False)
    document_ends, empty = [np.zeros(1, np.int64)], 0
    for ends, without_words in ordered_map(partial(write_ids, folder), jobs, processes):
        document_ends.append(ends)
        empty += without_words
    (folder / "rows.npy").unlink()
    document_ends.append(np.array([sum(n_sentences)]))  # a last document that no blank line ends
    documents = np.unique(np.concatenate(document_ends))
    np.save(folder / "document_offsets.npy", documents)
    return {
        "kept_tokens": sum(n_tokens),
        "sentences": sum(n_sentences),
        "empty_sentences": empty,
        "documents": len(documents) - 1,
    }


def _first_documents(shards: list[Path]) -> list[int]:
    """Return, per shard, the number of documents that ended before it."""
    ended = [sum(not run for run in shard_documents(path)) for path in shards]
    return [0, *accumulate(ended)][:-1]
