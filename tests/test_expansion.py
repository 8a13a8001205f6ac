"""Compare vocabulary expansion with least squares computed by hand."""

import numpy as np
import pytest
import torch

from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.neural import NeuralEncoder
from sentrep.encoders.registry import load_word_vectors
from sentrep.encoders.tfidf import TfIdfEncoder
from sentrep.errors import SentrepError
from sentrep.networks.recurrent import Network as Recurrent
from sentrep.networks.two_towers import Network as TwoTowers
from sentrep.training.expansion import expand, fit, predict

OWN = ["<unk>", "a", "b", "c", "d", "e", "f"]
OTHERS = ["x", "f", "b_c", "a", "c", "<unk>", "e", "b", "y"]
SHARED = ["f", "a", "c", "e", "b"]
VECTORS = np.random.default_rng(0).normal(size=(len(OTHERS), 3)).astype(np.float32)
NETWORKS = {
    "two_towers": lambda: TwoTowers("bi", len(OWN), 4, 6),
    "recurrent": lambda: Recurrent(len(OWN), 4, 6),
}


def make_encoder(name):
    torch.manual_seed(0)
    return NeuralEncoder(name, NETWORKS[name](), list(OWN), "whitespace", max_tokens=20, meta={"family": "x"})


def by_hand(table):
    """Return the vectors of x and y, computed in float64 from normal equations with a column of ones."""
    rows = VECTORS[[OTHERS.index(word) for word in SHARED]].astype(np.float64)
    design = np.column_stack([rows, np.ones(len(rows))])
    known = table[[OWN.index(word) for word in SHARED]].astype(np.float64)
    solution = np.linalg.solve(design.T @ design, design.T @ known)
    new = VECTORS[[OTHERS.index("x"), OTHERS.index("y")]].astype(np.float64)
    return np.column_stack([new, np.ones(2)]) @ solution


@pytest.mark.parametrize("name", NETWORKS)
def test_each_table_grows_by_its_own_map(name):
    encoder = make_encoder(name)
    before = {key: table.detach().numpy().copy() for key, table in encoder.network.word_tables().items()}
    larger = expand(encoder, OTHERS, VECTORS)
    assert larger.vocabulary == [*OWN, "x", "y"]
    assert len(before) == {"two_towers": 2, "recurrent": 1}[name]
    for key, table in larger.network.word_tables().items():
        values = table.detach().numpy()
        np.testing.assert_array_equal(values[: len(OWN)], before[key])  # the original words keep their vectors
        np.testing.assert_allclose(values[len(OWN) :], by_hand(before[key]), atol=1e-4)
    assert larger.network.settings["words"] == len(OWN) + 2
    assert encoder.vocabulary == OWN
    assert encoder.network.settings["words"] == len(OWN)
    assert (larger.max_tokens, larger.meta, larger.tokeniser_name) == (20, {"family": "x"}, "whitespace")


@pytest.mark.parametrize("name", NETWORKS)
def test_the_larger_encoder_can_be_saved(tmp_path, name):
    encoder = make_encoder(name)
    larger = expand(encoder, OTHERS, VECTORS)
    larger.save(tmp_path)
    loaded, texts = NeuralEncoder.load(tmp_path), ["a b c", "x a", "unheard"]
    np.testing.assert_array_equal(loaded.encode(texts), larger.encode(texts))
    np.testing.assert_allclose(loaded.encode(texts)[[0, 2]], encoder.encode(texts)[[0, 2]], atol=1e-6)
    assert np.abs(loaded.encode(["x a"]) - encoder.encode(["x a"])).max() > 1e-3
    assert loaded.count_tokens(texts)[1].tolist() == [3, 2, 0]


def test_least_squares_with_an_intercept():
    rng = np.random.default_rng(1)
    x = rng.normal(size=(200, 7)) + 5
    slopes, intercept = rng.normal(size=(7, 4)), rng.normal(size=4)
    found, constant = fit(x, x @ slopes + intercept)
    np.testing.assert_allclose(found, slopes, atol=1e-10)
    np.testing.assert_allclose(constant, intercept, atol=1e-9)
    noisy = x @ slopes + intercept + rng.normal(size=(200, 4))
    expected = np.linalg.lstsq(np.column_stack([x, np.ones(200)]), noisy, rcond=None)[0]
    found, constant = fit(x, noisy)
    np.testing.assert_allclose(np.vstack([found, constant]), expected, atol=1e-9)
    np.testing.assert_allclose(predict(found, constant, x, rows=64), x @ expected[:7] + expected[7], atol=1e-4)


def test_errors(tmp_path):
    encoder = make_encoder("two_towers")
    with pytest.raises(SentrepError, match=r"^expansion: .* trained word tables: 2, shared words: 1;"):
        expand(encoder, ["x", "a"], VECTORS[:2])
    encoder.network = TwoTowers("uni", len(OWN), 4, 6, frozen=True)
    with pytest.raises(SentrepError, match="trained word tables: 0"):
        expand(encoder, OTHERS, VECTORS)
    AveragingEncoder(VECTORS, OTHERS, "whitespace", meta={"family": "word2vec"}).save(tmp_path)
    loaded = load_word_vectors(tmp_path)
    assert loaded.vocabulary == OTHERS
    assert (loaded.embeddings == VECTORS).all()
    other = tmp_path / "other"
    other.mkdir()
    TfIdfEncoder(np.ones(2, np.float32), ["a", "b"], "whitespace", {"family": "tfidf"}).save(other)
    with pytest.raises(SentrepError, match="found a model of family tfidf"):
        load_word_vectors(other)
