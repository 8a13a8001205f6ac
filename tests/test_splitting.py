"""Sentence splitting: the fast path equals NLTK's Punkt, and abbreviations are learnt where books disagree."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize.punkt import PunktSentenceTokenizer

from sentrep.corpora.splitting import FastPunkt, train_punkt

NAMES = ["Smith", "Brown", "Hobbs", "Dale", "Ward"]


def novel(seed: int, title: str, sentences: int = 200) -> list[str]:
    """A made-up book whose sentences often name somebody by title."""
    dice = random.Random(seed)
    words = [
        "house",
        "letter",
        "garden",
        "horse",
        "door",
        "street",
        "river",
        "table",
        "saw",
        "left",
        "bought",
        "liked",
        "found",
        "painted",
    ]

    def sentence() -> str:
        who = f"{title} {dice.choice(NAMES)}" if dice.random() < 0.4 else dice.choice(["He", "She", "They"])
        return f"{who} {' '.join(dice.choices(words, k=6))}."

    return [" ".join(sentence() for _ in range(5)) for _ in range(sentences // 5)]


@pytest.fixture(scope="module")
def punkt() -> FastPunkt:
    books = [novel(seed, "Mr." if seed % 5 else "Mr") for seed in range(20)]
    return FastPunkt(train_punkt(books, characters=200_000))


def test_abbreviation_of_most_books_is_learnt(punkt):
    assert punkt.split("We met Mr. Smith today. He was well.") == ["We met Mr. Smith today.", "He was well."]
    assert punkt.split("“Mr. Brown left. She stayed.”") == ["“Mr. Brown left.", "She stayed.”"]


def test_ordinary_words_are_no_abbreviations(punkt):
    assert not {"house", "door", "table"} & punkt.reference._params.abbrev_types


def test_closing_quotes_stay_with_their_sentence(punkt):
    text = '"Is it you?" he said. "Yes!" (She was sure.) And so on.'
    assert punkt.split(text) == punkt.reference.tokenize(text)
    assert punkt.split(text)[0] == '"Is it you?"'


PIECES = st.sampled_from(
    [
        "Mr.",
        "Mr",
        "e.g.",
        "U.S.",
        "...",
        ". . .",
        "?!",
        '"No."',
        "3.",
        "A.",
        "(x.)",
        "'tis",
        "end.",
        "He",
        "he",
        "—",
        "--",
        "!",
        "?",
        ".",
        "”",
        "’",
        "“Mr.",
        "don't.",
        "well-known.",
        "p.m.",
        "3.5",
        "said.",
        "said",
        "(",
        ")",
        "-",
        "'",
        "Ω.",
        "\xa0",
    ]
)


@settings(max_examples=600, deadline=None)
@given(st.lists(st.tuples(PIECES, st.sampled_from([" ", "", "  "])), max_size=12))
def test_equals_nltk_on_hard_pieces(punkt, pieces):
    text = "".join(piece + gap for piece, gap in pieces)
    assert punkt.split(text) == punkt.reference.tokenize(text)


@settings(max_examples=400, deadline=None)
@given(st.text(alphabet="abMr.?!\"')( -…’“”,1\t", max_size=40))
def test_equals_nltk_on_arbitrary_text(punkt, text):
    assert punkt.split(text) == punkt.reference.tokenize(text)


def test_equals_nltk_on_nasty_sentences(punkt, nasty_sentences):
    slow = PunktSentenceTokenizer(punkt.reference._params)
    for line in nasty_sentences:
        assert punkt.split(line) == slow.tokenize(line)


@pytest.mark.mirror
@pytest.mark.slow
def test_equals_nltk_on_real_novels(mirror):
    import tarfile

    from sentrep.corpora.readers import book_paragraphs

    with tarfile.open(mirror / "books" / "novels-small.tar.xz") as archive:
        books = [book_paragraphs(archive.extractfile(m).read().decode()) for m in archive if m.isfile()]
    splitter = FastPunkt(train_punkt(books, characters=240_000))
    for paragraph in (p for book in books for p in book):
        assert splitter.split(paragraph) == splitter.reference.tokenize(paragraph)
