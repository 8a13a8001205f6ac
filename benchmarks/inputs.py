"""Provide the data on which benchmarks run, either synthetic data or the user's own."""

from __future__ import annotations

import bz2
import collections
import tarfile
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
from common import RESULTS

from sentrep.corpora.store import TokenStore, id_type
from sentrep.evaluation.sts.sets import STANDARD, StsSet
from sentrep.pairs.twitter.tweet import Tweet


def zipf_corpus(n_sentences: int, vocabulary_size: int) -> list[np.ndarray]:
    """Return random sentences as arrays of word ids.

    Sentence lengths are log-normal (median 11), and the probability of a word is proportional to 1 / (id + 2.7).
    """
    rng = np.random.default_rng(0)
    cumulative = np.cumsum(1 / (np.arange(vocabulary_size) + 2.7))
    lengths = np.maximum(1, rng.lognormal(np.log(11), 0.75, n_sentences).astype(int))
    ids = np.searchsorted(cumulative / cumulative[-1], rng.random(lengths.sum()))
    return np.split(ids, np.cumsum(lengths)[:-1])


def read_corpus(path: Path) -> tuple[list[np.ndarray], int]:
    """Read a text with one sentence per line; return the word ids of each sentence and the size of the vocabulary.

    Words are lower-cased. Words that occur fewer than five times are discarded.
    """
    sentences = [line.lower().split() for line in path.read_text(encoding="utf-8").split("\n")]
    counts = collections.Counter(word for words in sentences for word in words)
    rows = {word: row for row, (word, n) in enumerate(counts.most_common()) if n >= 5}
    return [np.array([rows[word] for word in words if word in rows], int) for words in sentences], len(rows)


def build_store(sentences: list[np.ndarray], vocabulary_size: int) -> TokenStore:
    """Build a token store from sentences given as word ids.

    The sentences form one document. The words are named w0, w1 and so on.
    """
    ids = np.concatenate(sentences)
    offsets = np.cumsum([0, *map(len, sentences)], dtype=np.int64)
    words = [f"w{i}" for i in range(vocabulary_size)]
    counts = np.bincount(ids, minlength=vocabulary_size)
    documents = np.array([0, len(sentences)], dtype=np.int64)
    return TokenStore(ids.astype(id_type(vocabulary_size)), offsets, documents, words, counts, {})


@dataclass(frozen=True)
class Settings:
    """The settings of a benchmark run: sizes, repetitions, data and output folder.

    Attributes:
        quick: whether to use small sizes, only to check that the benchmarks work.
        repetitions: number of measured repetitions of each implementation.
        text: file with the user's sentences, one per line, or None.
        store_folder: the user's token store, or None.
        dump: the user's MediaWiki export, .xml or .xml.bz2, or None.
        output: folder for tables and figures.
    """

    quick: bool = False
    repetitions: int = 5
    text: Path | None = None
    store_folder: Path | None = None
    dump: Path | None = None
    output: Path = RESULTS

    def size(self, full: int, quick: int) -> int:
        """Return ``full``, or ``quick`` in a quick run."""
        return quick if self.quick else full

    @cached_property
    def corpus(self) -> str:
        """The name of the corpus in the results."""
        return f"store {self.store_folder.name}" if self.store_folder else "text" if self.text else "synthetic"

    @cached_property
    def store(self) -> TokenStore:
        """The token store on which models are trained; it is opened or built only once."""
        if self.store_folder:
            return TokenStore.open(self.store_folder)
        if self.text:
            return build_store(*read_corpus(self.text))
        words = self.size(20_000, 3_000)
        return build_store(zipf_corpus(self.size(60_000, 5_000), words), words)


def write_synthetic_books(path: Path, n_books: int = 100, words_per_book: int = 40_000, seed: int = 0) -> None:
    """Write a .tar.xz archive of synthetic books, in which words have Zipfian frequencies."""
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
    """Yield paragraphs made from the given words; some sentences are in quotation marks or contain "Mr." and a name."""
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


def write_synthetic_dump(path: Path, n_articles: int, seed: int = 0) -> int:
    """Write a synthetic MediaWiki export (.xml.bz2) with articles of about 8 kB.

    Each article contains headings, an infobox, a table, a list, a category, and prose with links, emphasis, references
    and templates. About half of the text is markup.

    Returns:
        The size of the uncompressed XML in bytes.
    """
    dice = np.random.default_rng(seed)
    letters = np.array(list("etaoinshrdlucmfwypvbgk"))
    words = ["".join(dice.choice(letters, n)) for n in dice.integers(2, 10, 20_000)]
    total = 0
    with bz2.open(path, "wb", compresslevel=1) as file:
        for number in range(-1, n_articles + 1):
            if number < 0:
                page = (
                    '<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/">'
                    '<siteinfo><namespaces><namespace key="0" /></namespaces></siteinfo>\n'
                )
            elif number == n_articles:
                page = "</mediawiki>\n"
            else:
                drawn = iter([words[rank - 1] for rank in np.minimum(dice.zipf(1.1, 900), len(words))])
                text = wikitext(paragraphs(drawn, dice), dice).replace("&", "&amp;").replace("<", "&lt;")
                page = (
                    f"<page><title>Article {number}</title><ns>0</ns><id>{number + 1}</id>"
                    f"<revision><id>{number + 1}</id><text>{text}</text></revision></page>\n"
                )
            total += file.write(page.encode())
    return total


def wikitext(prose: Iterator[str], dice: np.random.Generator) -> str:
    """Return the wikitext of a synthetic article, made by adding markup to paragraphs of prose."""
    lines = ["{{Infobox thing", *(f"| field{i} = {{{{small|value [[Place {i}|place]]}}}}" for i in range(12)), "}}"]
    for number, paragraph in enumerate(prose):
        words = paragraph.split(" ")
        for place in range(0, len(words), 12):
            word = words[place]
            form = int(dice.integers(5))
            words[place] = (
                f"[[{word}]]",
                f"[[The {word}|{word}]]",
                f"''{word}''",
                f'{word}<ref name="r{number}">{{{{cite web|url=https://example.org/{word}|title={word}}}}}</ref>',
                f"{{{{lang|fr|{word}}}}} &nbsp;",
            )[form]
        lines += ["", " ".join(words)]
        if number % 8 == 4:
            lines += ["", f"== Section {number} ==", "[[File:Picture.jpg|thumb|200px|A [[caption]] of it]]"]
        if number == 12:
            lines += ['{| class="wikitable"', "|-", *(f"| cell {i} || {i * i}" for i in range(30)), "|}"]
    return "\n".join([*lines, "", "== See also ==", *(f"* [[Other {i}]]" for i in range(10)), "[[Category:Things]]"])


def synthetic_tweets(n: int, seed: int = 1) -> Iterator[Tweet]:
    """Yield ``n`` synthetic tweets, which are not sorted by time.

    The tweets are from 100 accounts and span 80 days. Words and hashtags have Zipfian frequencies, and a third of the
    tweets have one to three hashtags. In addition, there are events: of every 2,000 tweets, 100 have the same hashtag
    and are sent within 20 minutes.
    """
    dice = np.random.default_rng(seed)
    span = 80 * 24 * 3600 * 1000
    begin = 1_430_000_000_000
    words = [
        f"word{chr(97 + i % 26)}{chr(97 + i // 26 % 26)}{chr(97 + i // 676 % 26)}{chr(97 + i // 17576)}"
        for i in range(50_000)
    ]
    storm_time, storm_tag = 0, 0
    for start in range(0, n, 10_000):
        size = min(10_000, n - start)
        lengths = dice.integers(4, 20, size)
        ranks = np.minimum(dice.zipf(1.15, lengths.sum()), len(words)) - 1
        tags = np.minimum(dice.zipf(1.3, (size, 3)), 200_000)
        n_tags = np.where(dice.random(size) < 0.33, dice.integers(1, 4, size), 0)
        times = dice.integers(0, span, size)
        place = 0
        for i in range(size):
            if i % 2_000 == 0:
                storm_time, storm_tag = int(dice.integers(0, span)), int(dice.integers(10**6, 10**7))
            text = [words[rank] for rank in ranks[place : place + lengths[i]]]
            place += lengths[i]
            hashtags = [
                f"#tag{chr(97 + int(tag) % 26)}x{np.base_repr(int(tag), 36).lower()}y" for tag in tags[i, : n_tags[i]]
            ]
            when = int(times[i])
            if i % 20 == 0:
                hashtags = [f"#storm{np.base_repr(storm_tag, 36).lower()}"]
                when = storm_time + when % 1_200_000
            yield Tweet(
                str(start + i), f"account_{i % 100}", begin + when, " ".join([*text, "https://t.co/x", *hashtags])
            )


def synthetic_pairs(words: list[str], share: float = 1.0, seed: int = 0) -> list[StsSet]:
    """Return synthetic sentence pairs with random scores, in sets like those of SemEval 2012 to 2015.

    Args:
        words: vocabulary from which the words of the sentences are drawn with Zipfian frequencies, the most frequent
            word first.
        share: size of each set, divided by the size of the corresponding SemEval set; each set has at least 10 pairs.
        seed: random seed.
    """
    dice = np.random.default_rng(seed)
    sets = []
    for standard in STANDARD:
        n = max(10, round(share * standard.pairs))
        sides = []
        for _ in range(2):
            lengths = dice.integers(4, 25, n)
            drawn = iter([words[r - 1] for r in np.minimum(dice.zipf(1.2, lengths.sum()), len(words))])
            sides.append([" ".join(next(drawn) for _ in range(length)).capitalize() + "." for length in lengths])
        sets.append(StsSet(standard.year, standard.dataset, *sides, dice.random(n) * 5))
    return sets
