"""Compare how fast and how well sentrep, mwparserfromhell, wikitextparser and gensim remove wikitext markup.

    python benchmarks/wikipedia_parsers.py DUMP [...] [--articles 200] [--repetitions 3]

Articles with at least 2,000 characters of wikitext are sampled evenly from the dumps (.xml, .bz2, .gz). Paragraphs are
selected from the output of all parsers by the same rules: a paragraph is a run of lines that are not list items,
headings or rows of tables; it has more than 80 characters, contains the end of a sentence, and contains no brackets of
links, templates or tables. Without these rules, captions, list items and bibliographies would count as text. The table
shows the speed of each parser and, for the selected paragraphs,

- the number of paragraphs, and the share of paragraphs with leftover markup, such as "|", "<ref>", "&nbsp;", "200px" or
  "()";
- the number of words that the parser returns ("words");
- the number of these words that sentrep's parser does not return for the same article ("missing from sentrep"), and the
  number of words that only sentrep's parser returns ("only in sentrep").

The numbers of words are given as percentages of the number of words that sentrep's parser returns.

Libraries that are not installed are skipped; to install them, run
``pip install mwparserfromhell wikitextparser gensim``.
"""

from __future__ import annotations

import argparse
import bz2
import collections
import importlib
import re
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from common import Contestant, Goal, Work, at_least
from host import installed, load_line
from inputs import Settings, write_synthetic_dump
from text_to_store import make_store, write_manifest

from sentrep.corpora import mediawiki, wikitext
from sentrep.corpora.mediawiki import finished, pages
from sentrep.sources.archives import SourceFiles

# Apostrophes that mark italics do not count as leftover markup, because normalisation removes all punctuation.
LEFTOVER = re.compile(r"\||\[\[|\]\]|\{\{|\}\}|</?[a-z]+[ />]|&[a-z]+;|\b\d+px\b|\(\s*[,;]?\s*\)|https?://|__[A-Z]+__")
SHORTEST = 2_000  # minimum number of characters of an article's wikitext
Parser = Callable[[str], str]


def parsers() -> dict[str, Callable[[str], list[str]]]:
    """Return, for sentrep and each installed library, a function that converts wikitext to paragraphs."""
    found: dict[str, Callable[[str], list[str]]] = {"sentrep": wikitext.paragraphs}
    for name, module, make in (
        ("gensim", "gensim.corpora.wikicorpus", lambda gensim: gensim.filter_wiki),
        ("mwparserfromhell", "mwparserfromhell", lambda m: lambda text: str(m.parse(text).strip_code())),
        ("wikitextparser", "wikitextparser", lambda wtp: lambda text: wtp.parse(text).plain_text()),
    ):
        try:
            found[name] = with_our_choice(make(importlib.import_module(module)))
        except ImportError:
            print(f"{name} is not installed: skipped")
    return found


def with_our_choice(plain_text: Parser) -> Callable[[str], list[str]]:
    """Return a function that parses wikitext with ``plain_text`` and then selects paragraphs by sentrep's rules."""

    def chosen(text: str) -> list[str]:
        return [tidy for block in wikitext.split_blocks(plain_text(text)) if (tidy := wikitext.tidy_block(block))]

    return chosen


def read_articles(dumps: list[Path], wanted: int, shortest: int = SHORTEST) -> list[str]:
    """Return the wikitext of at most ``wanted`` articles, taken at even intervals from each dump.

    Articles with fewer than ``shortest`` characters are ignored.
    """
    chosen: list[str] = []
    for left, dump in zip(range(len(dumps), 0, -1), dumps, strict=True):
        found = [text for name, stream in SourceFiles.of([dump]) for _, text in pages(stream, name)]
        found = [text for text in found if len(text) >= shortest]
        number = min(len(found), (wanted - len(chosen)) // left)
        chosen += [found[i * len(found) // number] for i in range(number)]
        print(f"{dump.name}: sampled {number} of {len(found)} articles")
    return chosen


def our_reader(dump: Path) -> int:
    """Read a dump and remove markup with sentrep; return the number of paragraphs."""
    return sum(len(finished(document)) for document in mediawiki.read_articles(SourceFiles.of([dump])))


def gensim_reader(dump: Path) -> int:
    """Read a dump, remove markup with gensim without selecting paragraphs, and return the length of the result."""
    from gensim.corpora.wikicorpus import extract_pages, filter_wiki

    with bz2.open(dump) as stream:
        return sum(len(filter_wiki(text)) for _, text, _ in extract_pages(stream, ["0"]))


def gensim_pages(dump: Path) -> int | None:
    """Return the number of pages that gensim finds, or None if gensim cannot read the dump.

    Call this function before :func:`gensim_corpus`, which would hang on a dump that gensim cannot read.
    """
    from gensim.corpora.wikicorpus import extract_pages

    try:
        with bz2.open(dump) as stream:
            return sum(1 for _ in extract_pages(stream, ["0"]))
    except Exception as error:
        print(f"gensim cannot read {dump.name}: {type(error).__name__}: {error}")
        return None


def gensim_corpus(dump: Path) -> int:
    """Convert a dump to lists of word ids with gensim's WikiCorpus and one worker; return the number of words."""
    from gensim.corpora import Dictionary, WikiCorpus

    corpus = WikiCorpus(str(dump), processes=1, dictionary={}, article_min_tokens=1)
    words = Dictionary()
    ids = []
    for tokens in corpus.get_texts():
        words.add_documents([tokens])
        ids.append([words.token2id[token] for token in tokens])
    return sum(map(len, ids))


def parse_all(articles: list[str], paragraphs: Callable[[str], list[str]]) -> int:
    """Parse all articles, and return the number of their paragraphs."""
    return sum(len(paragraphs(text)) for text in articles)


def unpacked_megabytes(dump: Path) -> float:
    """Return the size in megabytes of the uncompressed XML of a dump (.xml or .xml.bz2)."""
    with bz2.open(dump) if dump.suffix == ".bz2" else dump.open("rb") as stream:
        return sum(len(block) for block in iter(lambda: stream.read(1 << 20), b"")) / 1e6


def works(settings: Settings) -> Iterator[Work]:
    """Yield the tasks that ``run.py`` measures."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        dump = settings.dump or folder / "dump.xml.bz2"
        if not settings.dump:
            write_synthetic_dump(dump, settings.size(500, 30))
        size = unpacked_megabytes(dump)
        kind = f"dump {dump.name}" if settings.dump else "synthetic dump"
        five = Goal("median", ">=", 5)
        contestants = [Contestant("sentrep", lambda: our_reader(dump), size, five)]
        with_gensim = installed("gensim") and dump.suffix == ".bz2"
        if with_gensim:
            note = "gensim's filter does not select paragraphs"
            contestants.append(
                Contestant("gensim filter_wiki", lambda: gensim_reader(dump), size, at_least(2), note=note)
            )
        yield Work(f"reading Wikipedia XML, {kind}", "MB/s", contestants)
        manifest = write_manifest(folder, [dump])
        contestants = [Contestant("sentrep", lambda: make_store(manifest, folder, 1, "articles"), size)]
        if with_gensim and gensim_pages(dump) is not None:
            note = (
                "uses a worker in addition to the main process; does not split text into sentences; keeps ids in memory"
            )
            contestants.append(Contestant("gensim WikiCorpus, 1 worker", lambda: gensim_corpus(dump), size, note=note))
        yield Work(f"Wikipedia XML to token store, {kind}", "MB/s", contestants)
        articles = read_articles([dump], settings.size(100, 5), shortest=0)
        megabytes = sum(len(text.encode()) for text in articles) / 1e6
        contestants = [
            Contestant(parser, lambda paragraphs=paragraphs: parse_all(articles, paragraphs), megabytes)
            for parser, paragraphs in parsers().items()
        ]
        yield Work(f"removing markup, {len(articles)} articles, {kind}", "MB/s", contestants)


def main() -> None:
    """Measure all parsers, and print a table of results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("dumps", type=Path, nargs="+")
    parser.add_argument("--articles", type=int, default=200)
    parser.add_argument("--repetitions", type=int, default=3)
    a = parser.parse_args()
    articles = read_articles(a.dumps, a.articles)
    megabytes = sum(len(text.encode()) for text in articles) / 1e6
    print(f"{len(articles)} articles, {megabytes:.1f} MB of wikitext; {load_line()}\n")
    print("| parser | MB/CPU s | paragraphs | with leftover markup | words | missing from sentrep | only in sentrep |")
    print("|---|---|---|---|---|---|---|")
    ours: list[collections.Counter[str]] = []
    for name, paragraphs in parsers().items():
        seconds = []
        for _ in range(a.repetitions):
            began = time.process_time()
            documents = [paragraphs(text) for text in articles]
            seconds.append(time.process_time() - began)
        texts = [paragraph for document in documents for paragraph in document]
        words = [collections.Counter(re.findall(r"\w+", " ".join(document).lower())) for document in documents]
        ours = ours or words
        base = sum(counts.total() for counts in ours)
        numbers = [
            sum(counts.total() for counts in words) / base,
            sum((theirs - own).total() for theirs, own in zip(words, ours, strict=True)) / base,
            sum((own - theirs).total() for theirs, own in zip(words, ours, strict=True)) / base,
        ]
        left = sum(LEFTOVER.search(text) is not None for text in texts) / len(texts)
        shares = " | ".join(f"{100 * number:.1f}%" for number in numbers)
        speed = megabytes / statistics.median(seconds)
        print(f"| {name} | {speed:.2f} | {len(texts):,} | {100 * left:.1f}% | {shares} |", flush=True)


if __name__ == "__main__":
    main()
