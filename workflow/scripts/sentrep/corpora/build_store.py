"""Build the token store of a corpus: a vocabulary, and the text as memory-mapped word ids.

Worker processes read the shards of the corpus in batches. The first pass maps the whitespace-delimited strings in a
batch to ids (:mod:`sentrep.corpora.string_ids`), tokenises each distinct string once, counts the words, and saves the
ids of the strings to a temporary file. If the tokeniser needs whole sentences, each sentence is tokenised first, and
its tokens take the place of the strings. The second pass replaces each string by the ids of its words, and writes these
ids to the store.
"""

from __future__ import annotations

import logging
import math
import resource
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.corpora.parallel import ordered_map
from sentrep.corpora.sentence_shards import read_shard, shard_documents, shard_paths
from sentrep.corpora.store import UNKNOWN_WORD, id_type
from sentrep.corpora.store_arrays import Batch, write_arrays
from sentrep.corpora.string_ids import StringIds, compile_loops
from sentrep.corpora.tokenisers import PUNCTUATION_TOKENS, Tokeniser, tokeniser
from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.io.folders import atomic_directory
from sentrep.io.seal import seal

Int64 = npt.NDArray[np.int64]

log = logging.getLogger("sentrep")
_FEW_DOCUMENTS, FEW_TOKENS = 64, 5_000_000
# Maximum number of shards per batch. Larger batches need more memory. Smaller batches cause more repeated work,
# because a string is tokenised once for each batch in which it occurs.
_LARGEST_BATCH = 8
# Tokenisers that tokenise each whitespace-delimited string without regard to its neighbours.
_CONTEXT_FREE = frozenset({"kenter", "kenter_porter", "whitespace"})


def build_store(
    sentences: str | Path | Sequence[str | Path],
    output: str | Path,
    *,
    tokeniser_name: str = "kenter",
    encoding_tokeniser: str = "kenter",
    minimum_count: int | None = 5,
    maximum_words: int | None = None,
    keep_all_tokens: bool = False,
    fraction: float = 1.0,
    processes: int = 1,
    provenance: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Build the token store of a corpus.

    Args:
        sentences: folder written by :func:`sentrep.corpora.sentences.build_sentences`, or several such folders, which
            are read in order.
        output: folder of the token store to write.
        tokeniser_name: name of the tokeniser for the corpus.
        encoding_tokeniser: name of the tokeniser that models trained on this store apply to the sentences that they
            encode.
        minimum_count: minimum number of occurrences of a word; rarer words are not in the vocabulary. None means 5, or
            2 if the selected part of the corpus has fewer than :data:`FEW_TOKENS` tokens.
        maximum_words: maximum number of words in the vocabulary, not counting the unknown word; only the most frequent
            words are kept. None means no limit.
        keep_all_tokens: whether to count punctuation as words, and to replace out-of-vocabulary tokens by the unknown
            word instead of omitting them. The unknown word is the last word in the vocabulary. Networks that read
            sentences word by word need this option.
        fraction: share of the corpus to use. The selected part consists of evenly spaced documents or, if there are
            fewer than 64 documents, of the beginning of each document. If one of these documents spans several shards,
            the beginning of its part in each shard is used.
        processes: number of worker processes.
        provenance: additional entries for ``meta.json``.

    Returns:
        ``meta.json`` as a dictionary.

    Raises:
        SentrepError: no word is frequent enough.
    """
    started, folders = time.monotonic(), [sentences] if isinstance(sentences, (str, Path)) else sentences
    source = _description(folders)
    selection = Selection(
        tokeniser_name, fraction, source["documents"] >= _FEW_DOCUMENTS, tokeniser_name in _CONTEXT_FREE
    )
    with atomic_directory(output) as folder:
        batches = _batches([path for part in folders for path in shard_paths(part)], folder, processes, fraction)
        compile_loops()
        words, counts, n_sentences = _count_words(selection, batches, processes)
        tokens, omitted = int(counts.sum()), {UNKNOWN_WORD} if keep_all_tokens else PUNCTUATION_TOKENS
        minimum_count = minimum_count or (2 if tokens < FEW_TOKENS else 5)
        numbers = np.flatnonzero(counts >= minimum_count).tolist()
        kept = sorted((-int(counts[i]), word, i) for i in numbers if (word := words.string(i)) not in omitted)
        vocabulary = [(word, -count) for count, word, _ in kept[:maximum_words]]
        if not vocabulary:
            raise SentrepError(
                source["source"]["name"],
                expected=f"words that occur {minimum_count} times or more",
                found=f"no such word among {tokens} tokens",
                remedy="use more text or lower `minimum_count`",
            )
        log.info(
            "counted %d tokens and %d distinct words, of which the vocabulary keeps %d",
            tokens,
            len(words),
            len(vocabulary),
        )
        rows = np.full(len(words), len(vocabulary) if keep_all_tokens else -1, np.int32)
        rows[[number for _, _, number in kept[:maximum_words]]] = np.arange(len(vocabulary))
        if keep_all_tokens:
            vocabulary.append((UNKNOWN_WORD, tokens - sum(count for _, count in vocabulary)))
        (folder / "vocabulary.tsv").write_text("".join(f"{w}\t{n}\n" for w, n in vocabulary), encoding="utf-8")
        sizes = write_arrays(folder, batches, n_sentences, rows, id_type(len(vocabulary)), processes)
        seconds = time.monotonic() - started
        meta = {
            **(provenance or {}),
            "tokeniser": tokeniser_name,
            "encoding_tokeniser": encoding_tokeniser,
            "minimum_count": minimum_count,
            "maximum_words": maximum_words,
            "fraction": fraction,
            "unknown_word": UNKNOWN_WORD if keep_all_tokens else None,
            "tokens": tokens,
            "words": len(words),
            "vocabulary": len(vocabulary),
            **sizes,
            **{key: source[key] for key in ("source", "source_sha256")},
            "seconds": round(seconds, 1),
            "tokens_per_second": round(tokens / seconds),
            "processes": processes,
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        seal(folder, meta)
    log.info(
        "stored %d sentences (speed: %.0f tokens/s; number of processes: %d)",
        sizes["sentences"],
        tokens / seconds,
        processes,
    )
    return meta


def _description(folders: Sequence[str | Path]) -> dict[str, Any]:
    """Return the ``meta.json`` of a folder of sentences; for several folders, combine the entries that a store uses."""
    parts = [read_json(Path(folder) / "meta.json") for folder in folders]
    if len(parts) == 1:
        return parts[0]
    sources = [part["source"] for part in parts]
    texts = ("name", "version", "licence", "stands_in_for")
    return {
        "documents": sum(part["documents"] for part in parts),
        "source": {
            **{key: " and ".join(dict.fromkeys(source[key] for source in sources)) for key in texts},
            "bytes": sum(source["bytes"] for source in sources),
            "sources": sources,
        },
        "source_sha256": [checksum for part in parts for checksum in part["source_sha256"]],
    }


def _batches(shards: list[Path], folder: Path, processes: int, fraction: float) -> list[Batch]:
    """Group shards into batches, whose temporary files will be written to ``folder``."""
    ends = [sum(not run for run in shard_documents(path)) if fraction < 1 else 0 for path in shards]
    firsts = list(accumulate(ends[:-1], initial=0))
    size = min(_LARGEST_BATCH, max(1, len(shards) // (4 * processes)))
    return [
        Batch(shards[i : i + size], firsts[i : i + size], folder / f"{i}.strings.npz", folder / f"{i}.words.npz")
        for i in range(0, len(shards), size)
    ]


@dataclass(frozen=True)
class Selection:
    """The part of the corpus to use, and the tokeniser to apply to it.

    Attributes:
        tokeniser_name: name of a function in :mod:`sentrep.corpora.tokenisers`.
        fraction: share of the corpus to use, from 0 to 1.
        by_document: True to use evenly spaced whole documents, False to use the beginning of each document. If a
            document spans several shards, the latter means the beginning of its part in each shard.
        context_free: whether the tokeniser treats each whitespace-delimited string separately. If it does, each
            distinct string in a batch is tokenised only once.
    """

    tokeniser_name: str
    fraction: float
    by_document: bool
    context_free: bool

    def count(self, batch: Batch) -> tuple[bytes, Int64, int]:
        """Run the first pass over a batch: save the text of the batch as ids of strings, and count the words.

        Returns:
            The distinct words of the batch, one per line; their counts, (words,) int64; and the number of sentences in
            the batch.
        """
        strings, vocabulary = StringIds(), StringIds()
        assigned = [strings.assign(self._text(*shard)) for shard in zip(batch.shards, batch.firsts, strict=True)]
        ids, lengths = (np.concatenate(parts) for parts in zip(*assigned, strict=True))
        if self.context_free:
            words, starts = _tokenise(strings.text().decode(), tokeniser(self.tokeniser_name))
        else:
            words, starts = strings.text(), np.arange(len(strings) + 1)
        words_of_strings, _ = vocabulary.assign(words)
        occurrences = np.bincount(ids, minlength=len(strings))
        counts = np.zeros(len(vocabulary), np.int64)
        np.add.at(counts, words_of_strings, np.repeat(occurrences, np.diff(starts)))
        np.savez(batch.strings, ids=ids, lengths=lengths, starts=starts, words=words_of_strings)
        return vocabulary.text(), counts, int((lengths >= 0).sum())

    def _text(self, shard: Path, first_document: int) -> bytes:
        """Return the selected text of a shard, tokenised if the tokeniser needs whole sentences."""
        if self.fraction >= 1 and self.context_free:
            return read_shard(shard)
        words = tokeniser(self.tokeniser_name)
        lines: list[str] = []
        for run in self._runs(shard, first_document):
            # A line with only a space is a sentence without words; an empty line ends a document.
            lines += (run if self.context_free else [" ".join(words(s)) or " " for s in run]) if run else [""]
        return "".join(f"{line}\n" for line in lines).encode()

    def _runs(self, shard: Path, first_document: int) -> Iterator[list[str]]:
        """Yield the selected sentences of each document in a shard as a list; skip documents that are not selected.

        Each list is followed by an empty list unless the document continues in the next shard.
        """
        document = first_document
        for run in shard_documents(shard):
            if self.fraction >= 1:
                yield run
            elif not self.by_document:
                yield run[: math.ceil(len(run) * self.fraction)]
            elif math.floor((document + 1) * self.fraction) > math.floor(document * self.fraction):
                yield run
            document += not run


def _tokenise(strings: str, words: Tokeniser) -> tuple[bytes, Int64]:
    """Tokenise many strings with a single call to the tokeniser; one call per string would be slower.

    Args:
        strings: strings to tokenise, one per line.
        words: function that splits a text into words.

    Returns:
        The words of all strings, one per line; and the index of the first word of each string, followed by the number
        of words, (strings + 1,) int64.
    """
    # The strings are separated by a private-use character, which every context-free tokeniser treats as a word.
    mark = next(character for character in map(chr, range(0xE000, 0xF900)) if character not in strings)
    found = words(strings.replace("\n", f" {mark} "))
    marks = np.flatnonzero([word == mark for word in found])
    text = "\n".join([*found, ""]).replace(f"{mark}\n", "")
    return text.encode(), np.concatenate(([0], marks - np.arange(len(marks))))


def _count_words(selection: Selection, batches: list[Batch], processes: int) -> tuple[StringIds, Int64, list[int]]:
    """Run the first pass over all batches: save the text as ids of strings, and count words and sentences.

    Returns:
        The distinct words of the corpus; their counts, (words,) int64; and the number of sentences in each batch.
    """
    words, counts = StringIds(), np.zeros(0, np.int64)
    n_sentences = []
    counted = ordered_map(selection.count, batches, processes)
    for batch, (text, occurrences, sentences) in zip(batches, counted, strict=True):
        ids, _ = words.assign(text)
        counts = np.pad(counts, (0, len(words) - len(counts)))
        counts[ids] += occurrences
        np.savez(batch.words, ids=ids, occurrences=occurrences)
        n_sentences.append(sentences)
    return words, counts, n_sentences
