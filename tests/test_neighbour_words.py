"""Test the norms of word vectors and the nearest neighbours of words."""

import numpy as np
import pandas as pd
import pytest

from helpers_evaluation import encoder_of, run_script
from helpers_store import make_store, save_store
from sentrep.evaluation.word_neighbours import describe_words, overlap
from sentrep.tables.collect.words import word_values

VECTORS = {"the": [0.1, 0], "her": [2, 0], "she": [2, 0.1], "his": [1, 0.9], "sky": [0, 5], "nil": [0, 0]}


def test_words():
    encoder = encoder_of(VECTORS, meta={"family": "siamese_cbow"})
    words = describe_words(encoder, "scbow", {"her": 7}, ["her", "sky", "me"], minimum_cosine=0.6)
    lowest = words[(words["list"] == "lowest norm") & (words["scope"] == "all words")]
    assert lowest["word"].tolist()[:2] == ["nil", "the"]
    assert lowest["in_paper"].tolist()[:2] == ["no", "yes"]
    highest = words[(words["list"] == "highest norm") & (words["scope"] == "all words")]
    assert highest["word"].tolist()[:3] == ["sky", "she", "her"]
    assert highest["count"].tolist()[2] == 7
    assert pd.isna(highest["count"].iloc[0])
    near = words[(words["list"] == "nearest") & (words["query"] == "her")]
    assert near["word"].tolist() == ["the", "she", "his"]  # words with a cosine above 0.6, nearest first
    assert (near["found"] == 3).all()
    assert near["in_paper"].tolist() == ["no", "yes", "no"]
    assert near["cosine"].iloc[1] == pytest.approx(2 / np.hypot(2, 0.1))
    (sky,) = words[words["query"] == "sky"]["word"].tolist()
    assert sky == "his"
    absent = words[words["query"] == "me"]
    assert absent["scope"].tolist() == ["not in the vocabulary"]
    assert absent["word"].isna().all()
    assert overlap(words)["lowest norm, all words"] == 1


def test_words_of_a_family_the_paper_says_nothing_about():
    words = describe_words(encoder_of(VECTORS, meta={"family": "cbos"}), "cbos")
    assert set(words["in_paper"].dropna()) == {""}


def test_many_neighbours_are_counted_but_not_all_listed():
    encoder = encoder_of({f"w{n}": [1, n / 1000] for n in range(50)})
    words = describe_words(encoder, "m", queries=["w0"])
    near = words[words["list"] == "nearest"]
    assert near["word"].tolist() == [f"w{n}" for n in range(1, 21)]
    assert set(near["found"]) == {49}


def test_the_words_that_the_paper_lists_are_listed_at_any_rank():
    vectors = {"her": [1, 0]} | {f"w{n}": [1, n / 1000] for n in range(1, 50)} | {"his": [1, 0.5], "hers": [0, 1]}
    words = describe_words(encoder_of(vectors, meta={"family": "word2vec"}), "m", queries=["her"])
    near = words[words["list"] == "nearest"]
    assert near["word"].tolist()[19:] == ["w20", "his", "hers"]
    assert near["rank"].tolist() == [*range(1, 21), 50, 51]
    assert near["cosine"].tolist()[-2:] == pytest.approx([1 / np.hypot(1, 0.5), 0])
    assert set(near["found"]) == {50}  # "hers" is below the minimum cosine
    values = word_values(near.assign(seed=1), [{"id": "m", "label": "M"}])
    assert [value.mean for value in values if value.metric == "words found"] == [50]


def test_scripts(tmp_path):
    encoder = encoder_of(VECTORS, meta={"family": "random_vectors"})
    (tmp_path / "model").mkdir()
    save_store(make_store([[0, 0, 1], [1, 0]]), tmp_path / "store")
    encoder.save(tmp_path / "model")
    run_script(
        "neighbours",
        input={"folders": [tmp_path / "model"], "stores": [tmp_path / "store"]},
        output={"csv": tmp_path / "neighbours.csv"},
        params={"preset": "novels", "models": [{"id": "random", "seed": 1}], "queries": ["her"], "minimum_cosine": 0.6},
    )
    assert set(pd.read_csv(tmp_path / "neighbours.csv")["model"]) == {"random"}
