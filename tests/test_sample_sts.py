"""Test the hand-written sample STS sets: their format, the range of their scores, and that they are original."""

import os
from itertools import pairwise
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
SAMPLE = ROOT / "workflow" / "sample" / "sts"
MIRROR = Path(os.environ.get("SENTREP_MIRROR") or ROOT.parent / "shared" / "mirror") / "sts"

SETS = [
    (year, name)
    for year, names in {
        "2012": "MSRpar MSRvid OnWN SMTeuroparl SMTnews",
        "2013": "FNWN OnWN SMT headlines",
        "2014": "OnWN deft-forum deft-news headlines images tweet-news",
        "2015": "answers-forums answers-students belief headlines images",
    }.items()
    for name in names.split()
]
each_set = pytest.mark.parametrize(("year", "name"), SETS)


def lines_of(path: Path) -> list[str]:
    text = path.read_bytes().decode("utf-8")
    assert text.endswith("\n")
    assert "\r" not in text
    return text[:-1].split("\n")


def pairs_of(year: str, name: str) -> list[tuple[str, str]]:
    lines = lines_of(SAMPLE / year / f"STS.input.{name}.txt")
    assert all(line.count("\t") == 1 for line in lines)
    return [tuple(line.split("\t")) for line in lines]


def gold_of(year: str, name: str) -> list[float | None]:
    return [float(line) if line else None for line in lines_of(SAMPLE / year / f"STS.gs.{name}.txt")]


def test_the_twenty_sets_and_nothing_else():
    assert len(SETS) == 20
    wanted = {f"{year}/STS.{kind}.{name}.txt" for year, name in SETS for kind in ("input", "gs")}
    assert {path.relative_to(SAMPLE).as_posix() for path in SAMPLE.rglob("*") if path.is_file()} == wanted


@each_set
def test_form(year, name):
    pairs, gold = pairs_of(year, name), gold_of(year, name)
    assert len(pairs) == len(gold)
    for sentence in (sentence for pair in pairs for sentence in pair):
        assert sentence
        assert sentence == sentence.strip()
        assert sentence.isprintable()


@each_set
def test_scores(year, name):
    gold = gold_of(year, name)
    scored = [score for score in gold if score is not None]
    assert all(0 <= score <= 5 for score in scored)
    assert len(scored) >= 25
    assert sum(score < 1.5 for score in scored) >= 4
    assert sum(score > 4 for score in scored) >= 4
    assert all(any(low <= score < low + 1 for score in scored) for low in range(5))


@each_set
def test_unscored_pairs_only_in_2015_and_scattered(year, name):
    blank = [index for index, score in enumerate(gold_of(year, name)) if score is None]
    assert len(blank) == (15 if year == "2015" else 0)
    if blank:
        third = len(gold_of(year, name)) / 3
        assert {int(index // third) for index in blank} == {0, 1, 2}
        assert sum(after - before > 1 for before, after in pairwise(blank)) >= 8


def test_no_pair_twice():
    seen = {}
    for year, name in SETS:
        for number, pair in enumerate(pairs_of(year, name), 1):
            key = frozenset(" ".join(sentence.lower().split()) for sentence in pair)
            assert len(key) == 2, f"{year} {name} line {number}: the two sentences are the same"
            assert key not in seen, f"{year} {name} line {number} repeats {seen[key]}"
            seen[key] = f"{year} {name} line {number}"


def test_overlap_alone_does_not_give_the_score():
    """Some pairs that share most of their words have low scores, and some that share few words have high scores."""
    low = high = 0
    for year, name in SETS:
        for pair, score in zip(pairs_of(year, name), gold_of(year, name), strict=True):
            first, second = (set(sentence.lower().split()) for sentence in pair)
            overlap = len(first & second) / len(first | second)
            low += score is not None and overlap >= 0.6 and score <= 3
            high += score is not None and overlap <= 0.2 and score >= 4
    assert low >= 20
    assert high >= 20


def test_traps_are_there():
    sentences = [sentence for year, name in SETS for pair in pairs_of(year, name) for sentence in pair]
    assert any(sentence.count('"') % 2 for sentence in sentences)
    for trap in ["'", "é", "&amp;", " – ", "#"]:
        assert any(trap in sentence for sentence in sentences), trap


@pytest.mark.mirror
def test_no_sentence_is_taken_from_the_real_sets():
    if not MIRROR.is_dir():
        pytest.skip(f"no real STS sets at {MIRROR}; set SENTREP_MIRROR to the folder that contains sts/")

    def key(sentence: str) -> str:
        return " ".join(sentence.lower().split()).strip(" .!?\"'")

    files = sorted(MIRROR.glob("*/STS.input.*.txt"))
    assert files, f"no STS.input.*.txt under {MIRROR}"
    real = {
        key(sentence)
        for path in files
        for line in path.read_bytes().decode("utf-8", errors="replace").split("\n")
        for sentence in line.split("\t")
    }
    ours = {
        key(sentence)
        for year, name in SETS
        for pair in pairs_of(year, name)
        for sentence in pair
        if len(sentence.split()) >= 5
    }
    assert ours & real == set()
