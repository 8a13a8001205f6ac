"""Test word vectors whose norms, directions or mean are exchanged: families/transformed_vectors.py."""

import numpy as np
import pytest

from helpers_store import make_store
from sentrep.encoders.base import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.families.transformed_vectors import Parameters, train
from sentrep.training.run import Run


@pytest.fixture
def store():
    return make_store([[0, 0, 1], [2, 0, 1], [0, 3]])


@pytest.fixture
def run(store, tmp_path):
    dice = np.random.default_rng(0)
    for name in ("directions", "norms"):
        vectors = dice.normal(size=(store.vocabulary_size, 5)).astype(np.float32)
        (tmp_path / name).mkdir()
        AveragingEncoder(vectors, store.vocabulary, "whitespace", meta={"family": "random_vectors"}).save(
            tmp_path / name
        )
    return Run(seed=1, inputs={name: tmp_path / name for name in ("directions", "norms")})


def vectors_of(run, name):
    return AveragingEncoder.load(run.inputs[name]).embeddings.astype(np.float64)


def test_norms_of_one_model_and_directions_of_another(store, run):
    found = train(store, Parameters(norms="other"), run).embeddings
    directions, norms = vectors_of(run, "directions"), vectors_of(run, "norms")
    for ours, direction, norm in zip(found, directions, norms, strict=True):
        assert np.linalg.norm(ours) == pytest.approx(np.linalg.norm(norm), rel=1e-6)
        cosine = ours @ direction / np.linalg.norm(ours) / np.linalg.norm(direction)
        assert cosine == pytest.approx(1, abs=1e-6)


def test_unit_norms_and_centring(store, run):
    run.inputs.pop("norms")
    unit = train(store, Parameters(norms="unit"), run).embeddings
    assert np.linalg.norm(unit, axis=1) == pytest.approx(1, rel=1e-6)
    words = train(store, Parameters(centre="words"), run).embeddings
    assert words.mean(axis=0) == pytest.approx(0, abs=1e-6)
    tokens = train(store, Parameters(centre="tokens"), run).embeddings
    assert tokens[store.ids].mean(axis=0) == pytest.approx(0, abs=1e-6)
    assert np.allclose(words - tokens, (words - tokens)[0], atol=1e-6)


def test_words_are_weighted_by_their_idf(store, run):
    run.inputs.pop("norms")
    found = train(store, Parameters(idf=True), run).embeddings
    sentences = np.array([3, 2, 1, 1])  # the number of sentences (of three) that contain each word
    expected = np.log(3 / sentences)[:, None] * vectors_of(run, "directions")
    np.testing.assert_allclose(found, expected, rtol=1e-6, atol=1e-7)


def test_wrong_inputs_are_refused(store, run, tmp_path):
    with pytest.raises(SentrepError, match="inputs: expected exactly `directions`, found `directions` and `norms`"):
        train(store, Parameters(), run)
    (tmp_path / "other").mkdir()
    other = AveragingEncoder(np.ones((2, 5)), ["a", "b"], "whitespace", meta={"family": "random_vectors"})
    other.save(tmp_path / "other")
    run.inputs["norms"] = tmp_path / "other"
    with pytest.raises(
        SentrepError, match=r"inputs\.norms: expected a model with the same vocabulary as the input `directions`"
    ):
        train(store, Parameters(norms="other"), run)
