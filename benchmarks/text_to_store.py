"""Speed from raw text to a token store, against NLTK's word_tokenize and plain Python in the same run.

    python benchmarks/text_to_store.py [FILE ...] [--reader books] [--processes 2] [--repetitions 3]

Files are what a source may hold: archives, compressed or plain files, for example the novels of a mirror. Without any,
a hundred books are made up: words with Zipf's frequencies, titles, quotes, paragraphs. Measured are wall time and
processor seconds of all processes; the latter suffer less from other programs. "Reading" alone is how long it takes to
decompress the files, which the first stage does, too. NLTK and plain Python get sentences that are split already.
"""

from __future__ import annotations

import argparse
import collections
import os
import resource
import statistics
import sys
import tarfile
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
from nltk.tokenize import word_tokenize

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "workflow" / "scripts"))

from sentrep.corpora import numbering, splitting
from sentrep.corpora.build_store import build_store
from sentrep.corpora.sentences import build_sentences
from sentrep.files import write_json
from sentrep.sources import SourceFiles
from sentrep.tokenisers import kenter_reference


def make_up_books(path: Path, n_books: int = 100, words_per_book: int = 40_000, seed: int = 0) -> None:
    """Write an archive of books."""
    dice = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfwypvbgk"))
    words = ["".join(dice.choice(letters, n)) for n in dice.integers(2, 10, 60_000)]
    with tempfile.TemporaryDirectory() as folder, tarfile.open(path, "w:xz", preset=1) as archive:
        for number in range(n_books):
            drawn = iter([words[rank - 1] for rank in np.minimum(dice.zipf(1.1, words_per_book), len(words))])
            file = Path(folder) / f"{number}.txt"
            file.write_text("\n".join(paragraphs(drawn, dice)) + "\n", encoding="utf-8")
            archive.add(file, file.name)


def paragraphs(words: Iterator[str], dice: np.random.Generator) -> Iterator[str]:
    """Yield paragraphs of sentences, some of them spoken, some about Mr. somebody."""
    while True:
        sentences = []
        for _ in range(dice.integers(1, 6)):
            sentence = [word for word, _ in zip(words, range(dice.integers(3, 25)), strict=False)]
            if not sentence:
                return
            sentence[0] = sentence[0].capitalize()
            if dice.random() < 0.1:
                sentence.insert(1, "Mr. " + sentence[-1].capitalize())
            text = " ".join(sentence) + str(dice.choice([".", ".", ".", "!", "?", ";"]))
            sentences.append(f"“{text}”" if dice.random() < 0.3 else text)
        yield " ".join(sentences)


def measure(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Return what ``work`` returns, its wall time and the processor seconds of this process and its children."""
    wall, cpu = time.perf_counter(), cpu_seconds()
    result = work()
    return result, time.perf_counter() - wall, cpu_seconds() - cpu


def cpu_seconds() -> float:
    """Return the processor seconds so far of this process and its finished children."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def read(manifest: Path) -> int:
    """Decompress a source; return its bytes."""
    blocks = (iter(partial(stream.read, 1 << 20), b"") for _, stream in SourceFiles(manifest))
    return sum(len(block) for member in blocks for block in member)


def plain(sentences: list[str], words: Callable[[str], list[str]]) -> int:
    """Count words, choose the vocabulary, look words up, with dictionaries; return the number of tokens."""
    cut = [words(sentence) for sentence in sentences]
    counts = collections.Counter(word for sentence in cut for word in sentence)
    rows = {word: row for row, (word, n) in enumerate(counts.most_common()) if n >= 5}
    ids = [np.array([rows[word] for word in sentence if word in rows]) for sentence in cut]
    assert ids
    return counts.total()


def stages(manifest: Path, a: argparse.Namespace, folder: Path) -> Iterator[tuple[str, int, float, float]]:
    """Yield (stage, tokens it handles, wall seconds, processor seconds); the stages of a store first."""
    sentences, store = folder / "sentences", folder / "store"
    made, wall, cpu = measure(lambda: build_sentences(manifest, a.reader, sentences, processes=a.processes))
    meta, store_wall, store_cpu = measure(lambda: build_store(sentences, store, processes=a.processes))
    tokens = meta["tokens"]
    yield "text to store", tokens, wall + store_wall, cpu + store_cpu
    yield f"  sentences ({made['seconds']['punkt']} s to train Punkt)", tokens, wall, cpu
    yield "  vocabulary and ids", tokens, store_wall, store_cpu
    yield "reading alone", tokens, *measure(lambda: read(manifest))[1:]
    text = (sentences / "shard-00000.txt").read_text(encoding="utf-8")
    sample = [line for line in text.split("\n") if line][: a.sample]
    yield "NLTK word_tokenize", *measure(lambda: plain(sample, lambda s: word_tokenize(s, preserve_line=True)))
    yield "the tokeniser's plain rules", *measure(lambda: plain(sample, kenter_reference))


def main() -> None:
    """Measure, print a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--reader", default="books")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument("--sample", type=int, default=20_000, help="sentences for NLTK and plain Python")
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = a.files
        if not files:
            files = [folder / "books.tar.xz"]
            make_up_books(files[0])
        manifest = folder / "manifest.json"
        write_json(manifest, {"name": "text", "files": [{"path": str(f.resolve()), "sha256": ""} for f in files]})
        print(f"{a.processes} processes, {os.cpu_count()} cores, load average {os.getloadavg()[0]:.2f} before")
        splitting.compile_loops()
        numbering.compile_loops()
        rows = [list(stages(manifest, a, folder)) for _ in range(a.repetitions)]
    print("| | tokens | wall s | CPU s | M tokens/s | M tokens/CPU s |\n|---|---|---|---|---|---|")
    for same in zip(*rows, strict=True):
        tokens = same[0][1]
        wall, cpu = (statistics.median(row[i] for row in same) for i in (2, 3))
        speeds = f"{tokens / wall / 1e6:.2f} | {tokens / cpu / 1e6:.2f}"
        print(f"| {same[-1][0]} | {tokens:,} | {wall:.1f} | {cpu:.1f} | {speeds} |")
    print(f"load average {os.getloadavg()[0]:.2f} after")


if __name__ == "__main__":
    main()
