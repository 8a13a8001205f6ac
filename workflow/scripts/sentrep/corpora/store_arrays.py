"""Write the arrays of a token store, in the second pass of :mod:`sentrep.corpora.build_store`.

In the first pass, the text of each batch of shards was split into strings, and the ids of these strings were saved (see
:mod:`sentrep.corpora.string_ids`). The second pass replaces each string by the ids of its words, and writes these word
ids and the sentence offsets to memory-mapped arrays, which are created with their final sizes. Each batch fills its own
slice of each array, so several processes can write at the same time.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sentrep.corpora.parallel import ordered_map
from sentrep.corpora.string_ids import expand
from sentrep.io.files import create_array, take_space

Int32 = npt.NDArray[np.int32]
Int64 = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Batch:
    """Consecutive shards that are processed together, and their temporary files.

    Attributes:
        shards: paths of the shards.
        firsts: for each shard, the number of documents that end in earlier shards of the corpus. If the whole corpus is
            used, the documents are not counted, and all of these numbers are 0.
        strings: temporary file that contains the id of each string in the text, and the words of each distinct string.
        words: temporary file that contains the corpus-wide id and the count of each distinct word in the batch.
    """

    shards: Sequence[Path]
    firsts: Sequence[int]
    strings: Path
    words: Path


def write_arrays(
    folder: Path, batches: list[Batch], n_sentences: list[int], rows: Int32, ids: np.dtype, processes: int
) -> dict[str, int]:
    """Write the word ids and offsets of a token store, in the second pass of :mod:`sentrep.corpora.build_store`.

    Args:
        folder: folder of the token store.
        batches: batches whose words were counted in the first pass.
        n_sentences: number of sentences in each batch.
        rows: (words,) int32, word id in the store for each distinct word of the corpus, or -1 if the word is omitted.
        ids: integer type of the word ids in the store.
        processes: number of worker processes.

    Returns:
        Entries for ``meta.json``: the numbers of tokens, sentences, empty sentences and documents in the store.
    """
    n_tokens = []
    for batch in batches:
        with np.load(batch.words) as saved:
            n_tokens.append(int(saved["occurrences"][rows[saved["ids"]] >= 0].sum()))
    np.save(folder / "rows.npy", rows)
    # Disk space for the ids of a batch is reserved after the temporary files of the batch have been deleted.
    create_array(folder / "ids.npy", ids, (sum(n_tokens),), space=False)
    create_array(folder / "sentence_offsets.npy", np.int64, (sum(n_sentences) + 1,))
    jobs = zip(batches, accumulate(n_tokens, initial=0), accumulate(n_sentences, initial=0), strict=False)
    written = list(ordered_map(partial(_write_batch, folder), jobs, processes))
    (folder / "rows.npy").unlink()
    # The last document may lack the empty line that marks its end.
    documents = np.unique(np.concatenate([[0], *(ends for ends, _ in written), [sum(n_sentences)]])).astype(np.int64)
    np.save(folder / "document_offsets.npy", documents)
    return {
        "kept_tokens": sum(n_tokens),
        "sentences": sum(n_sentences),
        "empty_sentences": sum(empty for _, empty in written),
        "documents": len(documents) - 1,
    }


def _write_batch(folder: Path, job: tuple[Batch, int, int]) -> tuple[Int64, int]:
    """Write the word ids and sentence offsets of a batch to its slices of the arrays.

    Args:
        folder: folder of the token store, which already contains the arrays with their final sizes.
        job: the batch, and the numbers of kept tokens and of sentences in all earlier batches.

    Returns:
        For each document that ends in the batch, the number of sentences from the beginning of the corpus to the end of
        the document, (documents,) int64; and the number of empty sentences in the batch.
    """
    batch, first_token, first_sentence = job
    rows = np.load(folder / "rows.npy", mmap_mode="r")
    with np.load(batch.strings) as strings, np.load(batch.words) as words:
        ids, lengths, starts = strings["ids"], strings["lengths"], strings["starts"]
        known = rows[words["ids"]][strings["words"]]
    batch.strings.unlink()
    batch.words.unlink()
    # Most strings have one word id; "and/or" may have two, and a string that consists of omitted words has none.
    starts = np.concatenate(([0], np.cumsum(known >= 0)))[starts]
    known = known[known >= 0]
    n_tokens = int(np.diff(starts)[ids].sum())
    ends = np.flatnonzero(lengths < 0)
    n_sentences = len(lengths) - len(ends)
    tokens = np.load(folder / "ids.npy", mmap_mode="r+")
    take_space(tokens, first_token, first_token + n_tokens)
    offsets = np.load(folder / "sentence_offsets.npy", mmap_mode="r+")
    own = offsets[first_sentence + 1 : first_sentence + 1 + n_sentences]
    expand(ids, lengths, starts, known, tokens[first_token : first_token + n_tokens], own, first_token)
    empty = int((np.diff(own, prepend=first_token) == 0).sum())
    return first_sentence + ends - np.arange(len(ends)), empty
