"""Compare how fast sentrep and simple Python code preprocess a corpus.

    python benchmarks/text_to_store.py [FILE ...] [--reader books] [--processes 2] [--repetitions 3]

FILE can be an archive, a compressed file or a plain file, for example an archive of novels in a mirror folder. By
default, 100 synthetic books are generated. The benchmark measures the wall time and the CPU time of all processes; the
CPU time is less affected by other programs. The row "reading alone" shows the time to decompress the files; the row
"sentences" also includes this time. The simple code receives text that is already split into sentences. It tokenises
the sentences with NLTK's ``word_tokenize`` or by sentrep's own rules, chooses a vocabulary, and maps tokens to ids in
memory.
"""

from __future__ import annotations

import argparse
import collections
import os
import re
import shutil
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from common import Contestant, Goal, Work, timed
from host import installed, load_line
from inputs import Settings, write_synthetic_books
from nltk.tokenize import word_tokenize

from sentrep.corpora import punkt, string_ids
from sentrep.corpora.build_store import build_store
from sentrep.corpora.sentence_shards import shard_lines, shard_paths
from sentrep.corpora.sentences import build_sentences
from sentrep.corpora.tokenisers import STRIPPED
from sentrep.io.files import write_json
from sentrep.sources.archives import SourceFiles


def read(manifest: Path) -> int:
    """Decompress the files of a source, and return their uncompressed size in bytes."""
    blocks = (iter(partial(stream.read, 1 << 20), b"") for _, stream in SourceFiles(manifest))
    return sum(len(block) for member in blocks for block in member)


def plain(sentences: list[str], words: Callable[[str], list[str]]) -> int:
    """Tokenise sentences with ``words``, choose a vocabulary, and map tokens to ids; return the number of tokens."""
    cut = [words(sentence) for sentence in sentences]
    counts = collections.Counter(word for sentence in cut for word in sentence)
    rows = {word: row for row, (word, n) in enumerate(counts.most_common()) if n >= 5}
    ids = [np.array([rows[word] for word in sentence if word in rows]) for sentence in cut]
    assert ids
    return counts.total()


def kenter_rules(sentence: str) -> list[str]:
    """Tokenise a sentence by the rules of the tokeniser ``kenter``, in plain Python."""
    symbols = f"[{re.escape(STRIPPED)}]+"
    text = re.sub(rf"(^|\s){symbols}", r"\1", sentence.replace("/", " / ").lower())
    return re.sub(rf"{symbols}(?=\s|$)", "", text).split()


def nltk_words(sentence: str) -> list[str]:
    """Tokenise a sentence with NLTK's word tokeniser."""
    return word_tokenize(sentence, preserve_line=True)


def hugging_face(sentences: list[str]) -> int:
    """Tokenise sentences, choose a vocabulary, and map tokens to ids with Hugging Face's ``tokenizers`` on one core.

    Returns:
        The number of sentences.
    """
    os.environ["TOKENIZERS_PARALLELISM"] = "false"
    from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, trainers

    tokeniser = Tokenizer(models.WordLevel(unk_token="[UNK]"))
    tokeniser.normalizer = normalizers.Lowercase()
    tokeniser.pre_tokenizer = pre_tokenizers.Whitespace()
    trainer = trainers.WordLevelTrainer(
        vocab_size=10**7, min_frequency=5, special_tokens=["[UNK]"], show_progress=False
    )
    tokeniser.train_from_iterator(sentences, trainer)
    return len([np.array(encoding.ids) for encoding in tokeniser.encode_batch(sentences)])


def write_manifest(folder: Path, files: Sequence[Path]) -> Path:
    """Write the manifest of a source that consists of the given files, and return the path of the manifest."""
    manifest = folder / "manifest.json"
    write_json(manifest, {"name": "text", "files": [{"path": str(f.resolve()), "sha256": ""} for f in files]})
    return manifest


def make_store(manifest: Path, folder: Path, processes: int = 1, reader: str = "books") -> int:
    """Build the token store of a source; return the number of tokens, including rare words that are discarded."""
    build_sentences(manifest, reader, folder / "sentences", processes=processes)
    return build_store(folder / "sentences", folder / "store", processes=processes)["tokens"]


def some_sentences(folder: Path, wanted: int) -> list[str]:
    """Return up to ``wanted`` sentences that :func:`make_store` wrote to a folder."""
    return list(filter(None, shard_lines(shard_paths(folder / "sentences")[0])))[:wanted]


def works(settings: Settings) -> Iterator[Work]:
    """Yield the task that ``run.py`` measures; for all implementations, tokens are counted by sentrep's rules."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        if settings.text:
            files = [Path(shutil.copy(settings.text, folder / "text.txt"))]
        else:
            files = [folder / "books.tar.xz"]
            write_synthetic_books(files[0], *settings.size((60, 40_000), (2, 10_000)))
        manifest = write_manifest(folder, files)
        punkt.compile_loops()
        string_ids.compile_loops()
        tokens = make_store(manifest, folder)
        sample = some_sentences(folder, settings.size(20_000, 500))
        words = plain(sample, kenter_rules)
        already = "receives sentences, tokenises them, counts tokens, chooses a vocabulary, and maps tokens to ids"
        contestants = [
            Contestant("sentrep", lambda: make_store(manifest, folder), tokens, Goal("median", ">=", 2e6)),
            Contestant("sentrep, 2 processes", lambda: make_store(manifest, folder, 2), tokens, threads=2),
            Contestant("NLTK word_tokenize, dictionaries", lambda: plain(sample, nltk_words), words, note=already),
            Contestant("the same rules in plain Python", lambda: plain(sample, kenter_rules), words, note=already),
        ]
        if installed("tokenizers"):
            peer = "Hugging Face tokenizers (WordLevel)"
            contestants.append(Contestant(peer, lambda: hugging_face(sample), words, note=already))
        yield Work("raw text to token store", "tokens/s", contestants)


def stages(manifest: Path, a: argparse.Namespace, folder: Path) -> Iterator[tuple[str, int, float, float]]:
    """Yield one row per stage or implementation: its name, number of tokens, and wall and CPU time in seconds."""
    sentences, store = folder / "sentences", folder / "store"
    made, wall, cpu = timed(lambda: build_sentences(manifest, a.reader, sentences, processes=a.processes))
    meta, store_wall, store_cpu = timed(lambda: build_store(sentences, store, processes=a.processes))
    tokens = meta["tokens"]
    yield "text to token store", tokens, wall + store_wall, cpu + store_cpu
    yield f"  sentences ({made['seconds']['punkt']} s to train Punkt)", tokens, wall, cpu
    yield "  vocabulary and ids", tokens, store_wall, store_cpu
    yield "reading alone", tokens, *timed(lambda: read(manifest))[1:]
    sample = some_sentences(folder, a.sample)
    yield "NLTK word_tokenize", *timed(lambda: plain(sample, nltk_words))
    yield "the same rules in plain Python", *timed(lambda: plain(sample, kenter_rules))


def main() -> None:
    """Measure all stages and implementations, and print a table of results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", type=Path, nargs="*")
    parser.add_argument("--reader", default="books")
    parser.add_argument("--processes", type=int, default=os.cpu_count())
    parser.add_argument("--repetitions", type=int, default=3)
    parser.add_argument(
        "--sample", type=int, default=20_000, help="number of sentences that the simple Python code preprocesses"
    )
    a = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = a.files
        if not files:
            files = [folder / "books.tar.xz"]
            write_synthetic_books(files[0])
        manifest = write_manifest(folder, files)
        print(f"processes: {a.processes}, cores: {os.cpu_count()}, {load_line()}")
        punkt.compile_loops()
        string_ids.compile_loops()
        rows = [list(stages(manifest, a, folder)) for _ in range(a.repetitions)]
    print("| | tokens | wall s | CPU s | M tokens/s | M tokens/CPU s |\n|---|---|---|---|---|---|")
    for same in zip(*rows, strict=True):
        tokens = same[0][1]
        wall, cpu = (statistics.median(row[i] for row in same) for i in (2, 3))
        speeds = f"{tokens / wall / 1e6:.2f} | {tokens / cpu / 1e6:.2f}"
        print(f"| {same[-1][0]} | {tokens:,} | {wall:.1f} | {cpu:.1f} | {speeds} |")
    print(load_line())


if __name__ == "__main__":
    main()
