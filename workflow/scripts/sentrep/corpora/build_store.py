"""Sentences to a token store: vocabulary and memory-mapped ids, in two passes over the shards.

The first pass cuts text into pieces at white space, writes the pieces down as numbers and counts them; the second
turns these numbers into word ids. A tokeniser so runs once per distinct piece of a shard and not once per token.
"""

from __future__ import annotations

import logging
import math
import resource
import time
from array import array
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.corpora.parallel import ordered_map
from sentrep.corpora.sentences import shard_documents
from sentrep.errors import SentrepError
from sentrep.files import atomic_directory, read_json, write_json
from sentrep.store import UNKNOWN_WORD, Ids, id_type
from sentrep.tokenisers import PUNCTUATION_TOKENS, tokeniser

log = logging.getLogger("sentrep")
_FEW_DOCUMENTS = 64
_PIECEWISE = frozenset({"kenter", "whitespace"})  # tokenisers that treat each white-space delimited piece alone
_row_of: dict[str, int] = {}  # set once in each worker process


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
    shards = sorted(Path(sentences).glob("shard-*.txt"))
    with atomic_directory(output) as folder:
        selection = _Selection(tokeniser_name, fraction, source["documents"] >= _FEW_DOCUMENTS, folder)
        firsts = _first_documents(shards) if fraction < 1 else [0] * len(shards)
        counts: Counter[str] = Counter()
        for part in ordered_map(selection.number_pieces, list(zip(shards, firsts, strict=True)), processes):
            counts.update(part)
        tokens, distinct = counts.total(), len(counts)
        left_out = {UNKNOWN_WORD} if keep_all_tokens else PUNCTUATION_TOKENS
        kept = [(w, c) for w, c in counts.items() if c >= minimum_count and w not in left_out]
        del counts
        kept.sort(key=lambda item: (-item[1], item[0]))
        kept = kept[:maximum_words]
        if not kept:
            raise SentrepError(
                sentences,
                expected=f"words that occur {minimum_count} times or more",
                found=f"none among {tokens} tokens",
                remedy="give more text or lower `minimum_count`",
            )
        log.info("%d tokens, %d words, %d of them kept", tokens, distinct, len(kept))
        if keep_all_tokens:
            kept.append((UNKNOWN_WORD, tokens - sum(count for _, count in kept)))
        lines = (f"{word}\t{count}\n" for word, count in kept)
        (folder / "vocabulary.tsv").write_text("".join(lines), encoding="utf-8")
        sizes = _write_ids(folder, selection, shards, kept, processes)
        seconds = time.monotonic() - started
        meta = {
            **(provenance or {}),
            **{"tokeniser": tokeniser_name, "encoding_tokeniser": encoding_tokeniser},
            **{"minimum_count": minimum_count, "maximum_words": maximum_words, "fraction": fraction},
            "unknown_word": UNKNOWN_WORD if keep_all_tokens else None,
            **{"tokens": tokens, "words": distinct, "vocabulary": len(kept)},
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


def _write_ids(
    folder: Path, selection: _Selection, shards: list[Path], kept: list[tuple[str, int]], processes: int
) -> dict[str, int]:
    """Second pass: write ids and offsets; return their sizes."""
    total = sum(count for _, count in kept)
    ids = np.lib.format.open_memmap(folder / "ids.npy", "w+", id_type(len(kept)), (total,))
    lengths, ends = array("I"), array("q", [0])
    rows = ({word: row for row, (word, _) in enumerate(kept)},)
    position = 0
    for part in ordered_map(selection.look_up, shards, processes, _set_rows, rows):
        ids[position : position + len(part.ids)] = part.ids
        position += len(part.ids)
        ends.extend(len(lengths) + end for end in part.document_ends)
        lengths.frombytes(part.lengths.tobytes())
    ids.flush()
    ends.append(len(lengths))  # a last document that no blank line ends
    offsets = np.zeros(len(lengths) + 1, dtype=np.int64)
    np.cumsum(np.frombuffer(lengths, dtype=np.uint32), out=offsets[1:])
    documents = np.unique(np.frombuffer(ends, dtype=np.int64))
    np.save(folder / "sentence_offsets.npy", offsets)
    np.save(folder / "document_offsets.npy", documents)
    empty = int((np.diff(offsets) == 0).sum())
    sizes = {"sentences": len(lengths), "empty_sentences": empty, "documents": len(documents) - 1}
    return {"kept_tokens": total, **sizes}


@dataclass(frozen=True)
class _Part:
    """A shard as numbers: ids (uint32), tokens per sentence (uint32), after which sentences documents end."""

    ids: Ids
    lengths: npt.NDArray[np.uint32]
    document_ends: list[int]


@dataclass(frozen=True)
class _Selection:
    """What of each shard is used, how it is cut, and where the first pass leaves its numbers."""

    tokeniser_name: str
    fraction: float
    by_document: bool
    folder: Path

    def number_pieces(self, job: tuple[Path, int]) -> Counter[str]:
        """First pass: write a shard's pieces as numbers to a temporary file; return its word counts."""
        shard, first_document = job
        words = tokeniser(self.tokeniser_name)
        piecewise = self.tokeniser_name in _PIECEWISE
        number_of: defaultdict[str, int] = defaultdict()
        number_of.default_factory = number_of.__len__  # a new piece gets the next number
        numbers, lengths, ends = [], array("I"), []
        for run in self._runs(shard, first_document):
            if not run:
                ends.append(len(lengths))
            elif piecewise:  # sentences hold single blanks only
                pieces = " ".join(run).split(" ")
                numbers.append(np.fromiter(map(number_of.__getitem__, pieces), np.uint32, len(pieces)))
                lengths.extend([sentence.count(" ") + 1 for sentence in run])
            else:
                for sentence in run:
                    pieces = words(sentence)
                    numbers.append(np.fromiter(map(number_of.__getitem__, pieces), np.uint32, len(pieces)))
                    lengths.append(len(pieces))
        flat = np.concatenate([np.zeros(0, np.uint32), *numbers])
        occurrences = np.bincount(flat, minlength=len(number_of)).tolist()
        expanded = [tuple(words(piece)) if piecewise else (piece,) for piece in number_of]
        np.savez(self._temporary(shard), numbers=flat, lengths=np.frombuffer(lengths, np.uint32), ends=ends)
        texts = "\n".join(" ".join(expansion) for expansion in expanded)
        self._temporary(shard).with_suffix(".txt").write_text(texts, encoding="utf-8")
        counts: Counter[str] = Counter()
        for expansion, count in zip(expanded, occurrences, strict=True):
            for word in expansion:
                counts[word] += count
        return counts

    def look_up(self, shard: Path) -> _Part:
        """Second pass: turn the numbers of the first into ids of known words."""
        path = self._temporary(shard)
        with np.load(path) as saved:
            numbers, lengths, ends = saved["numbers"], saved["lengths"], saved["ends"].tolist()
        texts = path.with_suffix(".txt").read_text(encoding="utf-8").split("\n")
        path.unlink()
        path.with_suffix(".txt").unlink()
        # Most pieces are one word; "and/or" is two, and one that is unknown or mere punctuation is none.
        unknown = _row_of.get(UNKNOWN_WORD)
        rows = ([_row_of.get(word, unknown) for word in text.split(" ") if word] for text in texts)
        known = [[row for row in expansion if row is not None] for expansion in rows]
        sizes = np.array([len(rows) for rows in known], dtype=np.int64)
        flat = np.array([row for rows in known for row in rows], dtype=np.uint32)
        starts = np.cumsum(sizes) - sizes
        per_piece = sizes[numbers]
        before = np.concatenate(([0], np.cumsum(per_piece)))
        within = np.arange(before[-1]) - np.repeat(before[:-1], per_piece)
        ids = flat[np.repeat(starts[numbers], per_piece) + within]
        edges = np.concatenate(([0], np.cumsum(lengths, dtype=np.int64)))
        return _Part(ids, np.diff(before[edges]).astype(np.uint32), ends)

    def _runs(self, shard: Path, first_document: int) -> Iterator[list[str]]:
        """Yield the runs of sentences that belong to the wanted fraction; [] ends a document."""
        document = first_document
        for run in shard_documents(shard):
            if self.fraction >= 1:
                yield run
            elif not self.by_document:
                yield run[: math.ceil(len(run) * self.fraction)]
            elif math.floor((document + 1) * self.fraction) > math.floor(document * self.fraction):
                yield run
            document += not run

    def _temporary(self, shard: Path) -> Path:
        return self.folder / f"{shard.stem}.npz"


def _set_rows(rows: dict[str, int]) -> None:
    global _row_of
    _row_of = rows


def _first_documents(shards: list[Path]) -> list[int]:
    """Return, per shard, the number of documents that ended before it."""
    ended = [sum(not run for run in shard_documents(path)) for path in shards]
    return [0, *np.cumsum(ended).tolist()][:-1]
