"""Test the compiled loops that read text: collapsing whitespace and numbering strings."""

import random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sentrep.corpora.string_ids import StringIds, expand
from sentrep.corpora.whitespace import squeeze_lines


def squeeze_plainly(text: str) -> tuple[str, int, int]:
    lines = [" ".join(line.split()) for line in text.split("\n")]
    return "\n".join(lines), sum(map(bool, lines)), max(map(len, lines))


@given(st.text(alphabet="ab \n\t\v\x1f\x85\xa0\u1680\u180e\u2000\u200a\u200b\u2028\u202f\u205f\u3000\u3001é€😀"))
def test_squeezed_lines(text):
    assert squeeze_lines(text) == squeeze_plainly(text)


def test_every_character_is_white_space_where_python_says_so():
    characters = [chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000]
    for start in range(0, len(characters), 1 << 16):
        text = "".join(f"x{character}" for character in characters[start : start + (1 << 16)])
        assert squeeze_lines(text) == squeeze_plainly(text)


class PlainIds:
    """A reference implementation with a dictionary."""

    def __init__(self) -> None:
        self.known: dict[str, int] = {}

    def assign(self, text: str) -> tuple[list[int], list[int]]:
        lines = [[piece for piece in line.split(" ") if piece] for line in text.split("\n")[:-1]]
        numbers = [self.known.setdefault(piece, len(self.known)) for line in lines for piece in line]
        lengths = [len(pieces) if line else -1 for line, pieces in zip(text.split("\n"), lines, strict=False)]
        return numbers, lengths


def check(texts: list[str]) -> None:
    ours, plain = StringIds(), PlainIds()
    for text in texts:
        numbers, lengths = ours.assign(text.encode())
        assert (numbers.tolist(), lengths.tolist()) == plain.assign(text)
    assert len(ours) == len(plain.known)
    assert ours.text().decode() == "".join(f"{piece}\n" for piece in plain.known)
    assert [ours.string(number) for number in range(len(ours))][:1000] == list(plain.known)[:1000]


@given(st.lists(st.text(alphabet="abé \n", max_size=30).map(lambda text: text + "\n"), max_size=4))
def test_numbers_are_those_of_a_dictionary(texts):
    check(texts)


def test_many_pieces():
    dice = random.Random(0)
    words = [f"w{i}" for i in range(100_000)]
    check(["".join(" ".join(dice.choices(words, k=20)) + "\n" for _ in range(5_000)) for _ in range(3)])


@pytest.mark.parametrize("length", [200_000, 5_000_000])
def test_long_pieces(length):
    check(["a" * length + " b\n", "c " + "a" * length + "\n" + "a" * (length - 1) + "\n"])


def test_what_numbers_stand_for():
    numbers, lengths = np.array([0, 1, 2, 0], np.uint32), np.array([2, -1, 0, 2], np.int32)
    starts, rows = np.array([0, 2, 2, 3]), np.array([7, 8, 9], np.int32)  # ranges of two words, none and one
    ids, offsets = np.zeros(5, np.uint16), np.zeros(3, np.int64)
    expand(numbers, lengths, starts, rows, ids, offsets, 100)
    assert ids.tolist() == [7, 8, 9, 7, 8]
    assert offsets.tolist() == [102, 102, 105]
