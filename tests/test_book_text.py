"""Test the cleaning of books on hand-written cases, and the measures of books against plain Python."""

import random
import re

import numpy as np
import pytest

from helpers_books import gutenberg, prose, wrapped
from sentrep.corpora.book_kernels import COLUMNS, NGRAM, SAMPLED, plain_characters
from sentrep.corpora.book_selection import Measures, Seen, description
from sentrep.corpora.book_text import book_text


def cleaned(text: str, markdown: bool = False) -> list[str]:
    return book_text(text, markdown).cleaned().decode().splitlines()


STORY = wrapped("It was a dark night and the old man sat near the fire with a book in his hand, and read. " * 3)
JOINED = " ".join(STORY.split())


def test_header_licence_and_credits_are_removed():
    assert cleaned(gutenberg("A Night", "B. Writer", STORY)) == [JOINED]


@pytest.mark.parametrize(
    "start",
    [
        "***START OF THE PROJECT GUTENBERG EBOOK A NIGHT***",
        "*** START OF THE PROJECT GUTENBERG EBOOK, A NIGHT ***",
        "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
        "*END THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
    ],
)
@pytest.mark.parametrize(
    "end",
    [
        "End of Project Gutenberg's A Night",
        "End of the Project Gutenberg Etext of A Night",
        "***END OF THE PROJECT GUTENBERG EBOOK A NIGHT***",
    ],
)
def test_older_headers_and_footers(start, end):
    first = "The Project Gutenberg Etext of A Night, by B. Writer"
    text = "\n\n".join([first, "Please read this.", start, STORY, end, "More.\n"])
    assert cleaned(text) == [JOINED]


def test_text_without_header_is_kept():
    assert cleaned(f"{STORY}\n\n{STORY}\n") == [JOINED, JOINED]


@pytest.mark.parametrize(
    "heading",
    [
        "CHAPTER I", "Chapter 12. In which they meet.", "XIV", "THE END", "The Supper Club", "Book the Third.",
        "* * * * *", "12.", "PART TWO.\nTHE RETURN OF THE SHIP.", "Letter 3.", "CONTENTS\nI. A NEW BOY\nII. THE CLUB",
        "[Illustration: a\ncat]", "by Jane Austen", "Transcriber's note: spelling is kept.", "1914, 1915, page 12.",
    ],
)  # fmt: skip
def test_headings_are_dropped(heading):
    assert cleaned(f"{STORY}\n\n{heading}\n\n{STORY}\n") == [JOINED, JOINED]


@pytest.mark.parametrize(
    "paragraph",
    ["Yes.", '"NO!"', '"Who is there?" he said', "He was forty-two.", "Part of me died.", "I said no:", "'GO AWAY!'"],
)
def test_short_paragraphs_of_the_story_stay(paragraph):
    assert cleaned(f"{STORY}\n\n{paragraph}\n\n{STORY}\n") == [JOINED, paragraph, JOINED]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He came to-\nday, and today he went.", "He came today, and today he went."),
        ("He came to-\nday.", "He came to-day."),
        ("He came --\nand went.", "He came -- and went."),
        ("He came--and went.", "He came -- and went."),
        ("He came\u2014and went.", "He came -- and went."),
        ("\u201cHe\u2019s here,\u201d she said\u2026", '"He\'s here," she said...'),
        ("``He's here,'' she said.", '"He\'s here," she said.'),
        ("He was _very_ *tired* of the of\ufb01ce.", "He was very tired of the office."),
        ("One word.[12] Two words of it.{34} Three.[*]", "One word. Two words of it. Three."),
        ("He was there from 1914-\n1918, they say.", "He was there from 1914- 1918, they say."),
        ("caf\u00e9s,  and\tspaces\u00a0too.", "caf\u00e9s, and spaces too."),
    ],
)
def test_lines_hyphens_and_typographic_variants(text, expected):
    assert cleaned(f"{STORY}\n\n{text}\n\n{STORY}\n")[1] == expected


def test_unwrapped_markdown():
    head = ["# Title: A Night", "## Author: B. Writer", "## Year: 1914", "-------", "### I - ONE"]
    text = "\n\n".join([*head, JOINED, f"> {JOINED}\n"])
    book = book_text(text, markdown=True)
    assert not book.wrapped
    assert book.cleaned().decode().splitlines() == [JOINED, JOINED]
    assert description("A/B.md", text) == {"author": "B. Writer", "title": "A Night", "year": "1914"}


@pytest.mark.parametrize(
    "phrase", ["This is a COPYRIGHTED Project Gutenberg eBook", "This is a *COPYRIGHTED* Project Gutenberg Etext"]
)
def test_copyrighted_books_are_recognised(phrase):
    text = gutenberg("A Night", "B. Writer", STORY)
    assert not book_text(text).copyrighted
    assert book_text(text.replace("This eBook is for", f"** {phrase}. **\n\nThis eBook is for")).copyrighted


@pytest.mark.parametrize(
    ("path", "head", "expected"),
    [
        ("Jane Austen___Emma.txt", "EMMA\n\n1816\n", ("Jane Austen", "Emma", "1816")),
        ("Austen, Jane/Emma.txt", "", ("Austen, Jane", "Emma", "")),
        ("1.txt", "The Project Gutenberg Etext of Emma, by Jane Austen\n", ("Jane Austen", "Emma", "")),
        ("1.txt", "Title: Emma\n\nAuthor: Jane Austen\n\nRelease Date: May, 1999\n", ("Jane Austen", "Emma", "")),
        ("1.txt", "Title: Emma\n\nLondon: John Murray, 1815\n\nCopyright, 1999\n", ("", "Emma", "1815")),
    ],
)
def test_author_title_and_year(path, head, expected):
    assert tuple(description(path, head).values()) == expected


def test_measures_are_those_of_plain_python():
    text = prose(1, 8) + '\n\n"Yes, 12 of them," said I, "and \u00e9clairs."\n\nROMEO. Speak.\n'
    book = book_text(text)
    for row, paragraph in zip(book.paragraphs, text.strip().split("\n\n"), strict=True):
        found = dict(zip(COLUMNS, row.tolist(), strict=True))
        assert found["lines"] == paragraph.count("\n") + 1
        assert found["capital_lines"] == len(re.findall(r"\n[A-Z]", paragraph))
        assert found["capitals"] == len(re.findall(r"[A-Z]", paragraph))
        assert found["digits"] == len(re.findall(r"\d", paragraph))
        assert found["letters"] == len(re.findall(rb"[A-Za-z\x80-\xff]", paragraph.encode()))
        assert found["words"] == len([word for word in paragraph.split() if re.search(r"[^\W\d_]", word)])
    assert [bool(label) for label in book.column("label")[-2:]] == [False, True]


def test_dialogue_is_the_share_between_quotation_marks():
    double, single = '"It is late," he said.', "'It is late,' he said."
    for line in (double, single):
        measured = Measures.of(book_text("\n\n".join([line] * 10)))
        assert measured.dialogue == pytest.approx(12 / 23, abs=0.05)
    assert Measures.of(book_text("\n\n".join(["It isn't late, he's said."] * 10))).dialogue < 0.02


def ngrams(text: str) -> set[tuple[str, ...]]:
    words = re.findall(r"[a-z]+", text.lower())
    return set(zip(*(words[i:] for i in range(NGRAM)), strict=False))


def test_fingerprints_are_a_sample_of_the_sequences_of_words():
    text = prose(2, 400)
    found = book_text(text).fingerprints()
    expected = len(ngrams(text)) / SAMPLED
    assert len(found) == pytest.approx(expected, abs=5 * np.sqrt(expected))
    assert set(found) == set(book_text(text.upper().replace("\n", " ").replace(" ", "\n")).fingerprints())


@pytest.mark.parametrize("shared", [0, 100, 300, 400])
def test_overlap_estimates_the_share_of_sequences(shared):
    paragraphs = prose(3, 400).split("\n\n")
    other = "\n\n".join(paragraphs[:shared] + prose(4, 400).split("\n\n")[shared:])
    first, second = "\n\n".join(paragraphs), other
    seen = Seen()
    seen.add(book_text(first).fingerprints(), 7)
    share, like = seen.overlap(book_text(second).fingerprints())
    exact = len(ngrams(first) & ngrams(second)) / len(ngrams(second))
    assert share == pytest.approx(exact, abs=0.06)  # five standard deviations of a share of 1,000 fingerprints are 0.08
    assert like == (7 if shared else -1)


def test_seen_grows_without_losing_fingerprints():
    chance = np.random.default_rng(0)
    seen, books = Seen(), [np.unique(chance.integers(1, 2**63, 20_000).astype(np.uint64)) for _ in range(8)]
    for number, book in enumerate(books):
        assert seen.overlap(book)[0] == 0
        seen.add(book, number)
    assert [seen.overlap(book) for book in books] == [(1.0, number) for number in range(8)]


def test_plain_characters_leaves_other_text_alone():
    chance = random.Random(5)
    for _ in range(200):
        text = "".join(chance.choice("ab .,\né\u4e2d\u20ac\u2016\u2017\U0001f600;!") for _ in range(50))
        assert plain_characters(np.frombuffer(text.encode(), np.uint8)).tobytes().decode() == text
