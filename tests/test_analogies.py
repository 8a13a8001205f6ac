"""Test word analogies, and the mining of pairs, tuples and answers against brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_evaluation import ROOT, encoder_of
from sentrep.errors import SentrepError
from sentrep.evaluation.analogies.mining import mine_pairs, signature, words_of
from sentrep.evaluation.analogies.questions import Question, read_questions
from sentrep.evaluation.analogies.scoring import answer_analogies
from sentrep.evaluation.analogies.settings import Mining
from sentrep.evaluation.analogies.tuples import Analogy, build_tuples, load_tuples, write_tuples
from sentrep.evaluation.synthetic import make_reviews
from sentrep.sources.published import read_published

PAPER = read_published(ROOT / "workflow" / "reported" / "quick_thoughts.csv")


def test_google(mirror):
    content = (mirror / "analogy" / "questions-words.txt").read_bytes()
    found = read_questions([("analogy/questions-words.txt", content)], "Google")
    assert len(found) == 19544
    assert found[0] == ("Google capital-common-countries", "athens", "greece", "baghdad", "iraq")
    assert sum(q.relation == "Google family" for q in found) == 506


def test_microsoft_in_one_file(mirror):
    found = read_questions([("msr.txt", (mirror / "analogy" / "msr.txt").read_bytes())], "Microsoft")
    counts = {relation: len(list(group)) for relation, group in itertools.groupby(sorted(q.relation for q in found))}
    assert len(counts) == 16
    assert set(counts.values()) == {500}
    # each pair of words belongs to one relation, except pairs with the same spelling
    assert Question("Microsoft JJR_JJS", "better", "best", "rougher", "roughest") in found
    assert Question("Microsoft VBD_VBZ", "was", "is", "returned", "returns") in found
    assert Question("Microsoft NN_NNPOS", "city", "city's", "bank", "bank's") in found


def test_the_order_of_microsofts_file_is_checked(mirror):
    lines = (mirror / "analogy" / "msr.txt").read_bytes().split(b"\r\n")
    lines[7], lines[8] = lines[8], lines[7]
    with pytest.raises(
        SentrepError, match=r"msr\.txt:8: expected the words of the line above in the order 'better good"
    ):
        read_questions([("msr.txt", b"\n".join(lines))], "Microsoft")


def test_microsoft_in_two_files():
    members = [
        ("test_set/word_relationship.questions", b"good better rough\nbe was see\n"),
        ("test_set/word_relationship.answers", b"jj_jjr rougher\nvb_vbd saw\n"),
        ("readme.txt", b"anything"),
    ]
    assert read_questions(members, "Microsoft") == [
        ("Microsoft JJ_JJR", "good", "better", "rough", "rougher"),
        ("Microsoft VB_VBD", "be", "was", "see", "saw"),
    ]


@pytest.mark.parametrize(
    ("members", "message"),
    [
        (
            [("q.txt", b": family\nhe she his\n")],
            "q.txt:2: expected 4 words, found 3 in 'he she his'; correct the line",
        ),
        (
            [("q.txt", b"he she his her\n: family\n")],
            "q.txt:1: expected a heading ': relation' before the first question, found 'he she his her'",
        ),
        ([("q.txt", b"a b c d\n")], "q.txt: expected headings of the form ': relation', or Microsoft's 8000 questions"),
        ([("q.txt", b": family\n")], "X word analogies: expected at least one question, found none"),
        ([("q.txt", b": f\xff\n")], "q.txt: expected UTF-8 text"),
        ([], "X word analogies: expected one file of questions, or word_relationship.questions and"),
        ([("a.txt", b""), ("b.txt", b"")], "the files a.txt, b.txt; correct the sources in `analogies.questions`"),
        (
            [("word_relationship.questions", b"a b c\n"), ("word_relationship.answers", b"x d\nx e\n")],
            "word_relationship.answers: expected 1 lines, as in word_relationship.questions, found 2",
        ),
        (
            [("word_relationship.questions", b"a b c\nd e f\n"), ("word_relationship.answers", b"x d\ne\n")],
            "word_relationship.answers:2: expected 2 words, found 1 in 'e'",
        ),
    ],
)
def test_questions_that_do_not_do(members, message):
    with pytest.raises(SentrepError) as caught:
        read_questions(members, "X")
    assert message in str(caught.value)


def test_words():
    assert words_of("“Don’t,” he said--well, don't_3 !") == ["don't", "he", "said", "well", "don't", "3"]


RELATED = [("his", "her"), ("husband", "wife"), ("looks", "looked"), ("is", "was"), ("liked", "like")]
RELATED += [("wanted", "want"), ("best", "good"), ("worst", "bad")]


@pytest.mark.parametrize("row", PAPER.rows(7))
def test_the_papers_sentences_are_pairs(row):
    """Check pairs of table 7: A and B, and C and a correct answer, differ by one word as sets of words."""
    a, b, c, answer = (PAPER.text(7, row, part, "sentence") for part in ("A", "B", "C", "answer"))
    text = [a, b, c, answer] if PAPER.text(7, row, "answer", "mark") == "✓" else [a, b]
    found = {pair for each in mine_pairs(lambda: text, RELATED).pairs.values() for pair in each}
    assert {tuple(sorted(pair)) for pair in found} == ({(0, 1), (2, 3)} if len(text) == 4 else {(0, 1)})


VOCABULARY = ["a", "b", "c", "x", "y", "z", "."]
texts = st.lists(st.lists(st.sampled_from(VOCABULARY), min_size=1, max_size=5).map(" ".join), max_size=14)
PAIRS = [("x", "y"), ("y", "z"), ("y", "x"), ("a", "z")]


def compared(text, minimum_common, maximum_words):
    """Return all pairs of sentences that differ by a word pair, by comparing each sentence with all others."""
    found = {pair: set() for pair in PAIRS}
    for i, j in itertools.permutations(range(len(text)), 2):
        for a, b in PAIRS:
            first, second = ([word for word in text[n].split() if word != "."] for n in (i, j))
            if a not in first or b not in second or max(len(first), len(second)) > maximum_words:
                continue
            same = set(first) - {a} == set(second) - {b}
            enough = min(len(set(first)), len(set(second))) > minimum_common
            if same and enough:
                found[a, b].add((i, j))
    return found


@settings(max_examples=300)
@given(texts, st.integers(1, 3), st.integers(2, 5))
def test_all_pairs_compared_give_the_same(text, minimum_common, maximum_words):
    mined = mine_pairs(lambda: text, PAIRS, Mining(minimum_common=minimum_common, maximum_words=maximum_words))
    expected = compared(text, minimum_common, maximum_words)
    for pair in PAIRS:
        found = mined.pairs.get(pair, [])
        assert set(found) <= expected[pair]
        # of the sentences with the same other words, only the first is taken, so each set of other words occurs once
        both = [{signature(words_of(text[i]), pair[0]) for i, _ in pairs} for pairs in (found, expected[pair])]
        assert both[0] == both[1]
        assert len(both[0]) == len(found)
        for i, j in found:
            assert i == min(a for a, b in expected[pair] if b == j)
            assert j == min(b for a, b in expected[pair] if a == i)
            assert mined.texts[i] == text[i]
    assert mined.read == len(text)


QUESTIONS = [Question("S r", "good", "better", "old", "older"), Question("S r", "old", "older", "good", "better")]


def reviews(adjectives, things):
    return [f"the {thing} here is {word} ." for thing in things for word in adjectives]


def test_tuples():
    text = reviews(["good", "better", "old", "older"], ["soup", "bread", "salad"])
    mined = mine_pairs(lambda: text, [("good", "better"), ("old", "older")])
    tuples = build_tuples(mined, QUESTIONS, ["S r"], 100, seed=1)
    # the second question is the first in reverse order; each word pair has three sentence pairs
    assert len({t.sentences for t in tuples}) == len(tuples) == 9
    for t in tuples:
        words = [set(words_of(sentence)) for sentence in t.sentences]
        assert t.words == ("good", "better", "old", "older")
        assert words[0] ^ words[1] == {"good", "better"}
        assert words[2] ^ words[3] == {"old", "older"}
    assert len(build_tuples(mined, QUESTIONS, ["S r"], 4, seed=1)) == 4
    assert build_tuples(mined, QUESTIONS, ["S r"], 4, seed=1) == build_tuples(mined, QUESTIONS, ["S r"], 4, seed=1)


def test_questions_take_turns():
    words = ["good", "better", "old", "older", "cool", "cooler"]
    text = reviews(words, ["soup", "bread", "salad", "tea"])
    pairs = [("good", "better"), ("old", "older"), ("cool", "cooler")]
    questions = [Question("S r", *p, *q) for p, q in itertools.combinations(pairs, 2)]
    tuples = build_tuples(mine_pairs(lambda: text, pairs), questions, ["S r"], 6, seed=3)
    counts = [sum(t.words == (*p, *q) for t in tuples) for p, q in itertools.combinations(pairs, 2)]
    assert counts == [2, 2, 2]


def test_a_sentence_is_not_in_a_tuple_twice():
    questions = [Question("S r", "good", "better", "better", "best")]
    mined = mine_pairs(lambda: reviews(["good", "better", "best"], ["soup"]), [("good", "better"), ("better", "best")])
    assert len(mined.pairs) == 2
    assert build_tuples(mined, questions, ["S r"], 5, seed=1) == []


def test_relation_without_questions():
    mined = mine_pairs(list, [])
    with pytest.raises(
        SentrepError, match=r"analogies\.relations: expected one of S r, found 'S q'; correct the name, or add"
    ):
        build_tuples(mined, QUESTIONS, ["S q"], 5, seed=1)


def test_tuples_are_kept(tmp_path):
    tuples = [Analogy("S r", ("a", "b", "c", "d"), ("é\u0085", "2", "3", "4"))]
    write_tuples(tmp_path / "t.jsonl", tuples, {"source": "novels"})
    assert load_tuples(tmp_path / "t.jsonl") == (tuples, {"source": "novels"})


def brute_force_answer(vectors, names, wanted, left_out=()):
    best = max(
        (round(float(wanted @ v) / (np.linalg.norm(wanted) * np.linalg.norm(v)), 6), -i)
        for i, (name, v) in enumerate(zip(names, vectors, strict=True))
        if name not in left_out and np.linalg.norm(v) > 0
    )
    return names[-best[1]]


@pytest.mark.parametrize("seed", range(5))
def test_answers(seed):
    rng = np.random.default_rng(seed)
    names = [f"s{i}" for i in range(14)]
    raw = dict(zip(names, rng.normal(size=(14, 3)) * rng.uniform(0.1, 9, (14, 1)), strict=True))
    tuples = [Analogy("S r", ("a", "b", "c", "d"), tuple(names[i : i + 4])) for i in (0, 4)]
    tuples.append(Analogy("S q", ("a", "b", "c", "d"), tuple(names[3:7])))
    # the pool may contain a sentence of a tuple again, and a sentence without known words
    others = ["unknown", *names[8:], "S2 !"]
    answers = answer_analogies(
        encoder_of(raw), tuples, lambda: others, {"preset": "p", "model": "m", "seed": 1}, block=3
    )
    assert len(answers) == 12
    assert set(answers["pool"]) == {8 + 7}
    unit = {name: v / np.linalg.norm(v) for name, v in raw.items()}
    pool = [np.zeros(3) if name == "unknown" else unit[name] for name in [*names[:8], "unknown", *names[8:]]]
    pool_names = [*names[:8], "unknown", *names[8:]]
    signs = {"D": (-1, 1, 1, 0), "C": (1, -1, 0, 1), "B": (1, 0, -1, 1), "A": (0, 1, 1, -1)}
    for row in answers.to_dict("records"):
        sentences = [row[part] for part in "ABCD"]
        wanted = sum(sign * unit[s] for sign, s in zip(signs[row["answer"]], sentences, strict=True))
        query = {s for sign, s in zip(signs[row["answer"]], sentences, strict=True) if sign}
        expected = brute_force_answer(pool, pool_names, wanted)
        assert row["retrieved"] == expected
        assert row["correct"] == (expected == row[row["answer"]])
        without = brute_force_answer(pool, pool_names, wanted, query)
        assert row["correct_without_query"] == (without == row[row["answer"]])


def test_an_encoder_of_parallel_vectors_is_right():
    """If the vectors A, B, C and D form a rectangle and have equal lengths, D is the answer C + B - A."""
    vectors = {"a": [1, 1, 0], "b": [1, -1, 0], "c": [-1, 1, 0], "d": [-1, -1, 0], "e": [0, 0, 1]}
    tuples = [Analogy("S r", ("a", "b", "c", "d"), ("a", "b", "c", "d"))]
    answers = answer_analogies(encoder_of(vectors), tuples, lambda: ["e", "unknown"], {})
    assert answers["correct"].all()
    assert answers["retrieved"].tolist() == ["d", "c", "b", "a"]


def test_no_known_word():
    tuples = [Analogy("S r", ("a", "b", "c", "d"), ("p", "q", "r", "s"))]
    answers = answer_analogies(encoder_of({"e": [1.0]}), tuples, lambda: ["e"], {})
    assert not answers["correct"].any()
    assert answers["retrieved"].eq("").all()
    assert answers["cosine"].isna().all()


def test_synthetic_reviews_have_pairs():
    text = make_reviews()
    assert text == make_reviews()
    assert len(set(text)) == 1500
    pairs = [("good", "better"), ("husband", "wife"), ("his", "her"), ("looked", "looks"), ("ship", "ships")]
    mined = mine_pairs(lambda: text, pairs)
    assert all(len(mined.pairs[pair]) >= 5 for pair in pairs)
    # the two sentences of some pairs have a different word order
    numbered = [(pair, *numbers) for pair, found in mined.pairs.items() for numbers in found]
    replaced = [[b if word == a else word for word in words_of(text[i])] for (a, b), i, _ in numbered]
    assert any(words != words_of(text[j]) for words, (_, _, j) in zip(replaced, numbered, strict=True))
