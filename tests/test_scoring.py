"""Test similarities and correlations against simple references, scipy, and known results on the real sets."""

import math
from collections import Counter

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from helpers_evaluation import encoder_of, mirror_members, needs_mirror, run_script, sts_set
from sentrep.corpora.tokenisers import kenter
from sentrep.encoders.base import AveragingEncoder, Encoder
from sentrep.errors import SentrepError
from sentrep.evaluation.sts.reader import collect_sets
from sentrep.evaluation.sts.scoring import (
    SCORE_COLUMNS,
    SentencePairs,
    correlations,
    coverage,
    row_cosines,
    score_model,
    score_sets,
    similarities,
)
from sentrep.evaluation.sts.sets import MissingSet, write_sets

VECTORS = {"a": [1, 0], "b": [0, 1], "c": [1, 1], "d": [-1, 0]}


class TermCounts(Encoder):
    """Sparse vectors of term counts with Kenter's tokeniser, whose cosines give the known results."""

    def __init__(self, sentences):
        self.row_of = {word: row for row, word in enumerate(dict.fromkeys(w for s in sentences for w in kenter(s)))}

    @property
    def dimension(self):
        return len(self.row_of)

    def _encode(self, sentences):
        counts = [Counter(self.row_of[w] for w in kenter(s) if w in self.row_of) for s in sentences]
        rows = np.repeat(np.arange(len(counts)), [len(c) for c in counts])
        data = np.array([n for c in counts for n in c.values()], dtype=float)
        columns = np.array([w for c in counts for w in c], dtype=int)
        return sp.csr_array((data, (rows, columns)), shape=(len(sentences), len(self.row_of)))

    def _count_tokens(self, sentences):
        total = np.array([len(kenter(s)) for s in sentences])
        return total, np.array([sum(w in self.row_of for w in kenter(s)) for s in sentences])

    write = load = None  # these tests do not store the encoder


def pearson_oracle(x, y):
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    cov = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return cov / math.sqrt(sum((a - mean_x) ** 2 for a in x) * sum((b - mean_y) ** 2 for b in y))


def ranks_oracle(values):
    return [sum(w < v for w in values) + (sum(w == v for w in values) + 1) / 2 for v in values]


@pytest.mark.parametrize("kind", [np.asarray, sp.csr_array])
def test_cosine_rules(kind):
    a = np.array([[3, 4], [0, 0], [0, 0], [1, 0], [1e-30, 0], [1, 1]], dtype=np.float32)
    b = np.array([[3, 4], [0, 0], [1, 2], [-2, 0], [1e-30, 1e-30], [1, 0]], dtype=np.float32)
    expected = [1, 1, 0, -1, math.sqrt(0.5), math.sqrt(0.5)]
    found = row_cosines(kind(a), kind(b))
    assert found.dtype == np.float64
    np.testing.assert_allclose(found, expected, atol=1e-12)
    assert found[0] == found[1] == 1.0
    assert found[2] == 0.0


@given(st.integers(0, 2**32 - 1))
@settings(max_examples=25, deadline=None)
def test_dense_and_sparse_agree(seed):
    generator = np.random.default_rng(seed)
    a, b = (generator.integers(-2, 3, (12, 4)) * generator.integers(0, 2, (12, 1)) for _ in range(2))
    dense = row_cosines(a.astype(float), b.astype(float))
    np.testing.assert_allclose(dense, row_cosines(sp.csr_array(a), sp.csr_array(b)), atol=1e-12)
    for cosine, x, y in zip(dense, a, b, strict=True):
        if (x == y).all():
            assert cosine == 1
        elif not x.any() or not y.any():
            assert cosine == 0
        else:
            assert cosine == pytest.approx(x @ y / np.linalg.norm(x) / np.linalg.norm(y))


def test_similarities_are_rounded_and_each_sentence_is_encoded_once():
    encoder = encoder_of(VECTORS)
    seen = []
    encode = encoder.encode
    encoder.encode = lambda sentences: seen.append(list(sentences)) or encode(sentences)
    found = similarities(encoder, SentencePairs.of(["a", "a", "x", "x", "a"], ["c", "a", "y", "a", "d"]))
    assert found.tolist() == [0.707107, 1.0, 1.0, 0.0, -1.0]
    assert seen == [["a", "x", "c", "y", "d"]]


def test_each_sentence_is_tokenised_once(monkeypatch):
    encoder = encoder_of(VECTORS)
    seen = []
    monkeypatch.setattr(encoder, "_tokenise", lambda sentence: seen.append(sentence) or sentence.split())
    pairs = SentencePairs.of(["a b", "c"], ["c", "a b"])
    similarities(encoder, pairs)
    coverage(encoder, pairs)
    assert seen == ["a b", "c"]


def test_nan_vectors_are_refused():
    encoder = encoder_of(VECTORS)
    encoder.encode = lambda sentences: np.full((len(sentences), 2), np.nan, dtype=np.float32)
    with pytest.raises(SentrepError, match=r"^model, 2014 images: expected finite .*NaN.*lower the learning rate"):
        score_sets(encoder, [sts_set("ab", "cd", [1, 2])])


@given(
    st.lists(st.tuples(st.integers(-5, 5), st.integers(0, 5)), min_size=3, max_size=30).filter(
        lambda rows: len({x for x, _ in rows}) > 1 and len({y for _, y in rows}) > 1
    )
)
@settings(max_examples=50, deadline=None)
def test_correlations_against_an_oracle(rows):
    x, y = (np.array(column, dtype=float) for column in zip(*rows, strict=True))
    r, rho = correlations(x, y, "official", "set")
    assert r == pytest.approx(pearson_oracle(x, y), abs=1e-9)
    assert rho == pytest.approx(pearson_oracle(ranks_oracle(x), ranks_oracle(y)), abs=1e-9)


def test_protocols():
    cosines, gold = np.array([0.9, 0.5, 0.4, 0.8, 0.1]), np.array([5, 2, np.nan, np.nan, 1])
    scored = [0, 1, 4]
    r, rho = correlations(cosines, gold, "official", "set")
    assert r == pytest.approx(stats.pearsonr(cosines[scored], gold[scored])[0])
    assert rho == pytest.approx(stats.spearmanr(cosines[scored], gold[scored])[0])
    r, rho = correlations(cosines, gold, "paper", "set")
    assert r == pytest.approx(stats.pearsonr(cosines, [5, 2, 0, 0, 1])[0])
    assert rho == pytest.approx(stats.spearmanr(cosines, [5, 2, 0, 0, 1])[0])


def test_undefined_correlations_are_refused():
    with pytest.raises(
        SentrepError, match=r"similarities that differ.*found the value 0\.5 for all pairs.*vocabulary contains words"
    ):
        correlations(np.full(3, 0.5), np.array([1.0, 2, 3]), "paper", "2014 images")
    with pytest.raises(SentrepError, match=r"human scores that differ"):
        correlations(np.array([0.1, 0.2]), np.array([2.0, 2]), "official", "2014 images")
    with pytest.raises(SentrepError, match="no pair with a human score"):
        correlations(np.array([0.1, 0.2]), np.array([np.nan, np.nan]), "official", "2014 images")
    unknown = sts_set(["x y", "z", "x"], ["z", "y", "x y"], [1, 2, 3])
    with pytest.raises(SentrepError, match=r"^model, 2014 images \(paper protocol\)"):
        score_sets(encoder_of(VECTORS), [unknown])


def test_coverage():
    sts = sts_set(["a b", "x", "a x", "a"], ["c", "a", "y y", "."], [1, 2, 3, 4])
    # the unknown words are x, x, y and y of 10 tokens; in pairs 1, 2 and 3, one sentence lacks known words
    assert coverage(encoder_of(VECTORS), SentencePairs.of(sts.sentences1, sts.sentences2)) == (pytest.approx(4 / 10), 3)


def test_score_table():
    sts = sts_set(["a", "a", "b", "c"], ["a", "b", "c", "d"], [5, 1, np.nan, 2])
    scores, pairs = score_sets(encoder_of(VECTORS), [sts], [MissingSet(2013, "SMT", "no text")])
    assert list(scores.columns) == SCORE_COLUMNS
    assert scores[["protocol", "year", "dataset"]].values.tolist() == [
        ["paper", 2014, "images"],
        ["official", 2014, "images"],
        ["paper", 2013, "SMT"],
        ["official", 2013, "SMT"],
    ]
    assert scores["pairs"].tolist() == [4, 4, 0, 0]
    assert scores["scored_pairs"].tolist() == [3, 3, 0, 0]
    assert scores["pearson"].isna().tolist() == [False, False, True, True]
    assert scores["epochs"].isna().all()
    assert list(pairs.columns) == ["year", "dataset", "pair", "similarity"]
    assert pairs["similarity"].tolist() == [1.0, 0.0, 0.707107, -0.707107]


def save(encoder, directory):
    directory.mkdir(parents=True)
    encoder.meta["family"] = "random_vectors"
    encoder.save(directory)


def test_same_vector_for_all_is_an_error_but_in_a_snapshot():
    """The untrained network in a snapshot may map all sentences to one vector, but a finished model must not."""
    flat = encoder_of({"a": [1, 0], "b": [1, 0], "c": [2, 0]})
    sets = [sts_set("abc", "bca", [0, 2, 4])]
    scores, pairs = score_sets(flat, sets, epochs=0.5)
    assert scores[["pearson", "spearman"]].isna().all(axis=None)
    assert (scores["pairs"] == 3).all()
    assert (pairs["similarity"] == 1).all()
    with pytest.raises(
        SentrepError, match="expected similarities that differ between pairs, found the value 1 for all"
    ):
        score_sets(flat, sets)


def test_model_folder_with_snapshots(tmp_path):
    sts = sts_set(["a", "a", "b", "c"], ["a", "b", "c", "d"], [5, 1, 3, 2])
    model = tmp_path / "model"
    save(encoder_of(VECTORS), model)
    for epochs in ("10", "0.125", "2"):
        save(encoder_of({**VECTORS, "b": [0, float(epochs)]}), model / "snapshots" / epochs)
    scores, pairs = score_model(model, [sts], [])
    assert scores["epochs"].tolist()[2:] == [0.125, 0.125, 2, 2, 10, 10]
    assert scores["epochs"].isna().tolist()[:2] == [True, True]
    assert len(pairs) == 4  # only those of the final model
    (model / "snapshots" / "last").mkdir()
    with pytest.raises(SentrepError, match="'last'"):
        score_model(model, [sts], [])


def test_scripts(tmp_path):
    """Run the scripts score.py, time_scoring.py and wilcoxon.py on the files that they exchange."""
    sts = sts_set(["a", "a", "b", "c"], ["a", "b", "c", "d"], [5, 1, np.nan, 2])
    sets = {"pairs": tmp_path / "sts.jsonl", "description": tmp_path / "sts.json"}
    write_sets([sts], [], *sets.values(), sample=False, description="a test")
    for name, b in (("one", 1), ("two", 2)):
        save(encoder_of({**VECTORS, "b": [0.5, b]}), tmp_path / name)
        outputs = {kind: tmp_path / f"{name}.{kind}.csv" for kind in ("scores", "similarities", "unknown_words")}
        run_script("score", input={"model": tmp_path / name, **sets}, output=outputs, params={"device": "cpu"})
    assert pd.read_csv(tmp_path / "one.scores.csv")["pairs"].tolist() == [4, 4]
    files = [tmp_path / f"{name}.similarities.csv" for name in ("one", "two")]
    run_script(
        "wilcoxon",
        input={"similarities": files},
        output={"wilcoxon": tmp_path / "wilcoxon.csv"},
        params={"models": ["one", "two"]},
    )
    test = pd.read_csv(tmp_path / "wilcoxon.csv").iloc[0]
    assert (test["n"], test["zeros"], test["method"]) == (4, 2, "exact")
    timing = tmp_path / "timing.csv"
    run_script("time_scoring", input={"model": tmp_path / "one", **sets}, output={"timing": timing})
    assert pd.read_csv(timing)["repeats"].tolist() == [3, 3]


# Pearson's r (Spearman's ρ) of tf-cosine with Kenter's tokeniser: unscored pairs omitted | counted as 0.
TF_COSINE = {
    "headlines": [(0.700, 0.699), (0.218, 0.087)],
    "images": [(0.588, 0.592), (0.215, 0.126)],
    "answers-students": [(0.694, 0.696), (0.356, 0.272)],
    "belief": [(0.652, 0.609), (0.469, 0.304)],
    "answers-forums": [(0.499, 0.444), (0.276, 0.172)],
}


@needs_mirror
def test_both_protocols_on_the_real_2015_sets():
    sets, missing = collect_sets(2015, mirror_members())
    assert not missing
    encoder = TermCounts([s for sts in sets for s in (*sts.sentences1, *sts.sentences2)])
    scores = score_sets(encoder, sets)[0].set_index(["dataset", "protocol"])
    assert sum(sts.pairs for sts in sets) - sum(sts.scored_pairs for sts in sets) == 5500
    for dataset, (dropped, zero_filled) in TF_COSINE.items():
        for protocol, expected in (("official", dropped), ("paper", zero_filled)):
            found = scores.loc[(dataset, protocol), ["pearson", "spearman"]].tolist()
            assert found == pytest.approx(expected, abs=0.002), (dataset, protocol)


@needs_mirror
def test_random_vectors_on_the_real_sets():
    """Check the known means of the untrained baseline over 5 seeds, if every word is known."""
    known = {
        (2012, "MSRpar"): 0.499,
        (2012, "OnWN"): 0.634,
        (2014, "deft-news"): 0.603,
        (2014, "tweet-news"): 0.720,
        (2015, "headlines"): 0.215,
    }
    sets = [s for y in (2012, 2014, 2015) for s in collect_sets(y, mirror_members())[0]]
    sets = [sts for sts in sets if (sts.year, sts.dataset) in known]
    words = sorted({w for sts in sets for s in (*sts.sentences1, *sts.sentences2) for w in kenter(s)})
    found = []
    for seed in range(3):
        vectors = np.random.default_rng(seed).normal(0, 0.01, (len(words), 300)).astype(np.float32)
        scores = score_sets(AveragingEncoder(vectors, words, "kenter"), sets)[0]
        found.append(scores[scores["protocol"] == "paper"].set_index(["year", "dataset"])["pearson"])
    for key, expected in known.items():
        assert np.mean([run[key] for run in found]) == pytest.approx(expected, abs=0.03), key
