"""Test sentence splitting: it equals NLTK's Punkt, and abbreviations are learned from several books."""

import random
from collections import Counter

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer, PunktToken, PunktTrainer

from sentrep.corpora.parallel import worker_processes
from sentrep.corpora.punkt import FastPunkt, FastToken
from sentrep.corpora.punkt_training import train_punkt

NAMES = ["Smith", "Brown", "Hobbs", "Dale", "Ward"]


def novel(seed: int, title: str, sentences: int = 200) -> list[str]:
    """Return a synthetic book in which people are often named by their title."""
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


@pytest.mark.parametrize("shape", ["", *".-,'_5٣²éßİǅ中x", "..", "...", "x\u0301"])
@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("aB.,-_5٣é中\u0301'") | st.characters(exclude_categories=["Cs", "Z", "Cc"]), min_size=1))
def test_tokens_have_the_properties_of_nltks(shape, text):
    for word in (text, text + shape, shape + text, shape or "x", f"{shape}."):
        ours, nltk = FastToken(word), PunktToken(word)
        for name in ("type", "first_upper", "first_lower", "first_case", "period_final", "type_no_period"):
            assert getattr(ours, name) == getattr(nltk, name), name
        for name in ("is_ellipsis", "is_initial", "is_number", "is_alpha", "is_non_punct"):
            assert bool(getattr(ours, name)) == bool(getattr(nltk, name)), name


@settings(max_examples=100, deadline=None)
@given(st.lists(st.lists(PIECES.filter(lambda piece: piece != "\xa0"), max_size=8), max_size=6))
def test_many_paragraphs_at_once(punkt, paragraphs):
    lines = [" ".join(pieces) for pieces in paragraphs]
    expected = [sentence for line in lines for sentence in punkt.reference.tokenize(line)]
    found = punkt.split_lines("".join(f"{line}\n" for line in lines).encode()).decode()
    assert found.split("\n")[:-1] == expected


def plain_training(documents: list[list[str]], characters: int, per_document: int = 20_000) -> PunktParameters:
    """Train as train_punkt does, using only NLTK."""
    learnt, occurrences, texts = set(), Counter(), []
    for paragraphs in documents:
        alone = PunktTrainer()
        texts.append("\n\n".join(paragraphs)[:per_document])
        alone.train(texts[-1], finalize=False)
        learnt |= alone._params.abbrev_types
        occurrences.update(alone._type_fdist)
        if sum(map(len, texts)) >= characters:
            break
    known = {word for word in learnt if occurrences[f"{word}."] > occurrences[word]}
    together = PunktTrainer()
    together._params.abbrev_types = known | {quote + word for word in known for quote in "'‘“"}
    together._reclassify_abbrev_types = lambda _types: iter(())
    for text in texts:
        together.train(text, finalize=False)
    return together.get_params()


def check_training(documents: list[list[str]], characters: int, **settings: object) -> None:
    found, expected = train_punkt(documents, characters, **settings), plain_training(documents, characters)
    for name in ("abbrev_types", "collocations", "sent_starters"):
        assert getattr(found, name) == getattr(expected, name), name
    # NLTK adds an entry without contexts for each unseen word that is requested.
    contexts = [{word: c for word, c in p.ortho_context.items() if c} for p in (found, expected)]
    assert contexts[0] == contexts[1]


@pytest.mark.parametrize("processes", [1, 2])
def test_training_equals_plain_nltk(nasty_sentences, processes):
    books = [novel(seed, "Mr." if seed % 5 else "Mr") for seed in range(8)]
    books += [["J. S. Bach was born in 1685. He wrote fugues.", "", "No. 5 is long... and e.g. good. it is."] * 20]
    books += [[line for line in nasty_sentences if line.split()]]
    with worker_processes(processes) as ordered_map:
        check_training(books, 10**6, ordered_map=ordered_map)
    check_training(books, 3_000)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.lists(st.lists(PIECES, min_size=1, max_size=12).map(" ".join), max_size=8), max_size=4))
def test_training_equals_plain_nltk_on_hard_pieces(documents):
    check_training([document for document in documents if "".join(document).strip()], 10**6)


@pytest.mark.mirror
@pytest.mark.slow
def test_equals_nltk_on_real_novels(mirror):
    import tarfile

    from sentrep.corpora.readers import book_paragraphs

    with tarfile.open(mirror / "books" / "novels-small.tar.xz") as archive:
        books = [book_paragraphs(archive.extractfile(m).read().decode()) for m in archive if m.isfile()]
    check_training(books, 240_000)
    splitter = FastPunkt(train_punkt(books, characters=240_000))
    for paragraph in (p for book in books for p in book):
        assert splitter.split(paragraph) == splitter.reference.tokenize(paragraph)
