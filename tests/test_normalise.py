"""Test the normalisation of De Boom et al. on hand-written cases and against simple implementations of its rules."""

import re
import time
import unicodedata

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from sentrep.corpora.normalise import normaliser
from sentrep.corpora.sentence_shards import shard_lines
from sentrep.corpora.sentences import build_sentences
from sentrep.errors import SentrepError
from sentrep.io.files import write_json

CASES = [  # text, result as in the paper, result of the released code
    ("The Cat sat.", "the cat sat", "the cat sat"),
    ("don't stop -- now!", "don t stop now", "don t stop now"),
    ("the F-16 at -40 or +3", "the f 0 at 0 or 0", "the f0 at 0 or 0"),
    ("1,234,567.89 people", "0 people", "0 people"),
    ("the 3rd and 20th-century B2B", "the 0rd and 0th century b0b", "the 0rd and 0th century b0b"),
    ("version 1.5.2 in 1990-91", "version 0 in 0 0", "version 00 in 00"),
    ("in 2010. Then .5 and a,5", "in 0 then 0 and a 0", "in 0 then 0 and a0"),
    ("Café Zürich", "café zürich", "caf z rich"),
    ("ÀÉ é", "àé é", ""),
    ("naïve — “quoted” … text", "naïve quoted text", "na ve quoted text"),
    ("e\u0301tude", "étude", "e tude"),
    ("İstanbul", "i\u0307stanbul", "stanbul"),
    ("Ωμέγα и мир 東京", "ωμέγα и мир 東京", ""),
    ("snake_case _x_ __init", "snake case x init", "snake_case _x_ __init"),
    ("__NOTOC__ more", "notoc more", ""),
    ("a", "a", ""),
    ("٣٤ men", "0 men", "men"),
    ("\ta\u00a0b\u2028c\x85d\n", "a b c d", "a b c d"),
    ("", "", ""),
    ("...,,, --- ", "", ""),
    ("x\ud800y", "x y", "x y"),
]


def normalise(text, cleaning):
    return normaliser(cleaning)(text)


@pytest.mark.parametrize(("text", "paper", "released"), CASES)
def test_cases(text, paper, released):
    assert normalise(text, "paper") == paper
    assert normalise(text, "released_code") == released


def paper_reference(text: str) -> str:
    """Normalise a text character by character, as described in the paper."""
    text = unicodedata.normalize("NFC", text.lower()) + " "
    words, word, at = [], "", 0
    while at < len(text):
        character = text[at]
        if character.isdecimal():
            word += "0"
            while text[at].isdecimal() or (text[at] in ".," and text[at - 1].isdecimal() and text[at + 1].isdecimal()):
                at += 1
            continue
        if character.isalnum() or "\u0300" <= character <= "\u036f":
            word += character
        elif word:
            words.append(word)
            word = ""
        at += 1
    return " ".join(words)


def released_reference(text: str) -> str:
    """Normalise a text as in the released code, which processes bytes."""
    line = re.sub(rb"[-+]?[\d,]*\.*\d+", b"0", text.encode().lower())
    line = re.sub(rb"\s+", b" ", re.sub(rb"[^\w]", b" ", line)).strip().decode()
    return line if len(line) > 1 and not line.startswith("__") else ""


TEXTS = st.text(st.one_of(st.sampled_from("abZ 019.,-+_'é\u0301Ωİß٣½€—"), st.characters(exclude_categories=["Cs"])))


@given(TEXTS)
@example("1,.5")
@example("1.,5.5,")
def test_as_described(text):
    assert normalise(text, "paper") == paper_reference(text)
    assert normalise(text, "released_code") == released_reference(text)


@given(TEXTS)
def test_words_and_single_blanks(text):
    for cleaning in ("paper", "released_code"):
        done = normalise(text, cleaning)
        assert done == " ".join(done.split())
        assert not re.search(r"[1-9.,!?'\"()-]", done)
    assert normalise(normalise(text, "paper"), "paper") == normalise(text, "paper")


@pytest.mark.parametrize("piece", [",", ".", "1,", "-", "1.", ",.", "é,"])
@pytest.mark.parametrize("cleaning", ["paper", "released_code"])
def test_time_is_linear(piece, cleaning):
    started = time.perf_counter()
    normalise(f"a -5 {piece * 200_000} x", cleaning)
    assert time.perf_counter() - started < 3


def test_unknown_cleaning():
    with pytest.raises(SentrepError, match="did you mean 'released_code'"):
        normalise("a", "released")


class TestUnits:
    TEXT = "Mr. Bell paid 1,000 dollars. He left! Nobody saw him again, they say.\n!!!\nThe end of it.\n"

    def lines(self, tmp_path, name="books", **settings):
        source = tmp_path / "text.txt"
        text = self.TEXT if name == "books" else "One, two.\n!!\nThree.\n\n...\n\nFour 4.\n"
        source.write_text(text)
        write_json(tmp_path / "m.json", {"name": "test", "files": [{"path": str(source), "sha256": ""}]})
        meta = build_sentences(tmp_path / "m.json", name, tmp_path / "out", **settings)
        assert (meta["unit"], meta["normalisation"]) == (
            settings.get("unit", "sentence"),
            settings.get("normalisation"),
        )
        found = shard_lines(tmp_path / "out" / "shard-00000.txt.zst")
        assert meta["documents"] == found.count("")
        assert meta["sentences"] == len(found) - found.count("")
        return found

    def test_sentences_by_default(self, tmp_path):
        found = self.lines(tmp_path)
        assert found[:3] == ["Mr. Bell paid 1,000 dollars.", "He left!", "Nobody saw him again, they say."]
        assert found[-2:] == ["The end of it.", ""]

    def test_normalised_sentences(self, tmp_path):
        found = self.lines(tmp_path, normalisation="paper")
        assert found[:3] == ["mr bell paid 0 dollars", "he left", "nobody saw him again they say"]
        assert found[3:] == ["the end of it", ""]

    def test_paragraphs(self, tmp_path):
        assert self.lines(tmp_path, unit="paragraph") == [*map(str.strip, self.TEXT.split("\n")[:3]), ""]

    def test_normalised_paragraphs(self, tmp_path):
        found = self.lines(tmp_path, unit="paragraph", normalisation="released_code")
        assert found[0].startswith("mr bell paid 0 dollars he left nobody")
        assert found[1:] == ["the end of it", ""]

    def test_lines_and_document_ends(self, tmp_path):
        found = self.lines(tmp_path, "sentences", unit="paragraph", normalisation="paper")
        assert found == ["one two", "three", "", "four 0", ""]

    def test_nothing_left(self, tmp_path):
        (tmp_path / "t.txt").write_text("!!!\n\n...\n")
        write_json(tmp_path / "m.json", {"name": "test", "files": [{"path": str(tmp_path / "t.txt"), "sha256": ""}]})
        with pytest.raises(SentrepError, match="found an empty corpus"):
            build_sentences(tmp_path / "m.json", "sentences", tmp_path / "out", normalisation="paper")
