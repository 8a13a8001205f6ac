"""Test the weighted aggregation family: its parameters, inputs and encoder."""

import json

import numpy as np
import pytest

from helpers_aggregation import build_world, slow_interpolation, train_weights, word_vectors, write_pairs_folder
from helpers_store import make_store
from sentrep.aggregation.evaluation import read_weighting
from sentrep.aggregation.lexicon import build_lexicon, open_pairs
from sentrep.aggregation.representations import similarities
from sentrep.encoders.registry import load_encoder, load_word_vectors
from sentrep.encoders.weighted import WeightedEncoder
from sentrep.errors import SentrepError
from sentrep.families import parse_parameters
from sentrep.families import weighted_aggregation as family
from sentrep.training.run import Run

STORE = make_store([[0]])


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    return build_world(tmp_path_factory.mktemp("world") / "w")


def test_the_first_words_weigh_most(world):
    for name in ("contrastive", "median"):
        weights = read_weighting(world / name).weights
        assert len(weights) == 10
        assert weights[:4].mean() > 1.5 * np.abs(weights[-3:]).mean()
    record = json.loads((world / "median" / "weights.json").read_text())
    assert record["divisor"] == "n"
    assert 0 < record["updates"] <= 1500
    assert record["stopped"] in ("converged", "maximum_updates")


def test_encoder_is_the_papers_equation(world):
    encoder = load_encoder(world / "median")
    assert isinstance(encoder, WeightedEncoder)
    corpus = open_pairs(world / "pairs")
    frequency = dict(zip(corpus.vocabulary, corpus.document_frequencies, strict=True))
    words = ["f3", "t1x1", "t2x2", "f7", "t1x1"]
    vector = encoder.encode([" ".join(words) + " unheard"])[0]
    words.sort(key=lambda word: (frequency[word], word))
    model = load_word_vectors(world / "vectors")
    rows = [model.embeddings[model.row_of[word]].astype(float) for word in words]
    factors = slow_interpolation(encoder.weights, 5) / 5
    expected = sum(f * row / np.linalg.norm(row) for f, row in zip(factors, rows, strict=True))
    assert vector == pytest.approx(expected, abs=1e-5)
    assert encoder.dimension == len(vector)


@pytest.fixture
def plain_text(monkeypatch):
    """Keep texts unchanged, because the paper's normalisation would replace the digits in the synthetic words by 0."""
    monkeypatch.setattr(WeightedEncoder, "tokens", lambda _self, sentences: [s.split() for s in sentences])


@pytest.fixture(autouse=True)
def _plain_text(plain_text):
    return plain_text


def test_encoder_makes_the_distances_of_the_tables(world):
    encoder = load_encoder(world / "contrastive")
    corpus = open_pairs(world / "pairs")
    pairs = corpus.test.take(np.arange(50))
    model = load_word_vectors(world / "vectors")
    lexicon = build_lexicon(corpus, model.row_of, model.embeddings, normalise=True)
    ours = similarities(lexicon, lexicon.rank(pairs), {"w": read_weighting(world / "contrastive")})["w"]
    sides = [
        encoder.encode([" ".join(corpus.vocabulary[row] for row in text if row >= 0) for text in texts])
        for texts in (pairs.first, pairs.second)
    ]
    distances = np.linalg.norm(sides[0] - sides[1], axis=1) / np.abs(encoder.weights).max()
    assert 1 - distances == pytest.approx(ours, abs=1e-5)


def test_encoder_is_saved_and_loaded(world, tmp_path):
    encoder = load_encoder(world / "median")
    sentences = ["t1x1 f3", "", "unheard", " ".join(f"f{i}" for i in range(40)), "f0"]
    vectors = encoder.encode(sentences)
    assert vectors.dtype == np.float32
    assert np.isfinite(vectors).all()
    assert not vectors[1].any()
    assert not vectors[2].any()
    assert vectors[3].any()
    assert vectors[4].any()
    (tmp_path / "again").mkdir()
    encoder.save(tmp_path / "again")
    again = WeightedEncoder.load(tmp_path / "again")
    assert np.array_equal(again.encode(sentences), vectors)
    assert again.weights.tolist() == encoder.weights.tolist()
    assert again.meta == {**encoder.meta, **again.meta}
    assert encoder.encode([]).shape == (0, encoder.dimension)
    (tmp_path / "again" / "idf.npy").unlink()
    with pytest.raises(
        SentrepError, match=r"idf\.npy: expected the file whose checksum is recorded in meta\.json, found no file"
    ):
        WeightedEncoder.load(tmp_path / "again")


def test_words_the_pairs_do_not_know_count_as_rare(world, tmp_path):
    folder = tmp_path / "w"
    pairs = write_pairs_folder(folder / "pairs", sizes=(40, 40, 40), words=(4, 4))
    np.save(pairs / "document_frequencies.npy", np.load(pairs / "document_frequencies.npy") + 1)
    word_vectors(folder / "vectors")
    model = load_word_vectors(folder / "vectors")
    model.vocabulary[0] = "new"
    model.save(folder / "vectors")
    encoder = train_weights(folder, folder / "out", maximum_words=4, variable_length=True, maximum_updates=3)
    assert encoder.idf[0] == pytest.approx(np.log(1000))
    assert encoder.idf[0] > encoder.idf[1:].max()


def test_fixed_length_takes_only_texts_of_that_length(tmp_path):
    folder = tmp_path / "w"
    write_pairs_folder(folder / "pairs", words=(6, 6), sizes=(400, 40, 40))
    word_vectors(folder / "vectors", missing=("t0x0", "f1"))
    corpus, model = open_pairs(folder / "pairs"), load_word_vectors(folder / "vectors")
    lexicon = build_lexicon(corpus, model.row_of, model.embeddings, normalise=True)
    left = family.fitting_pairs(lexicon, corpus, family.Parameters(maximum_words=6))
    assert 0 < len(left) < 400
    assert (lexicon.lengths(left.first) == 6).all()
    with pytest.raises(SentrepError, match="exactly 20 known words in each text, found 0 related and 0 non-related"):
        family.fitting_pairs(lexicon, corpus, family.Parameters())
    every = family.fitting_pairs(lexicon, corpus, family.Parameters(variable_length=True))
    assert len(every) == 400


def test_inputs_must_fit(world):
    inputs = {"pairs": world / "pairs", "embeddings": world / "median"}
    with pytest.raises(SentrepError, match="sum of its word vectors, found a model of family weighted_aggregation"):
        family.train(STORE, family.Parameters(), Run(1, inputs=inputs))


@pytest.mark.parametrize(("key", "value"), [("batch_pairs", 0), ("kappa", 0.0), ("l2", -1.0), ("loss", "mean")])
def test_parameters_are_checked(key, value):
    with pytest.raises(SentrepError, match=key):
        parse_parameters("weighted_aggregation", {key: value}, "models.w")
