"""Test Paragraph Vector: inference against loops and in different processes, and training."""

import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from gensim.models import doc2vec

from helpers_store import make_store, random_store
from sentrep.api.training import train_model
from sentrep.encoders import paragraph as paragraph_encoder
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families import paragraph_vector, parse_parameters
from sentrep.families.paragraph_vector import Parameters, train
from sentrep.training.run import Run

STORE = random_store(3, 400, 30)
SENTENCES = ["w1 w2 w3", "w0", "w4 w4 w5 w1 unknown", "unknown", "", "w9 w8 w7 w6 w5 w4 w3 w2 w1 w0 w1 w2"]
VARIANTS = [
    {"architecture": "dm"},
    {"architecture": "dm", "aggregation": "mean", "sample": 0.01},
    {"architecture": "dm", "aggregation": "concat", "window": 3},
    {"architecture": "dm", "output": "negative_sampling", "negatives": 3},
    {"architecture": "dbow"},
    {"architecture": "dbow", "train_words": True, "output": "negative_sampling"},
]


def fitted(**values):
    return train(STORE, Parameters(**{"dimension": 12, "epochs": 2, **values}), Run(seed=1))


@pytest.mark.parametrize("values", VARIANTS, ids=str)
def test_a_sentence_has_one_vector_whatever_is_beside_it_and_after_a_reload(tmp_path, values):
    encoder = fitted(**values)
    vectors = encoder.encode(SENTENCES)
    assert vectors.shape == (6, 12)
    assert vectors.dtype == np.float32
    assert (vectors[[3, 4]] == 0).all()
    assert np.abs(vectors[[0, 1, 2, 5]]).min(axis=1).all()
    assert (encoder.encode(SENTENCES[::-1] * 2) == np.tile(vectors[::-1], (2, 1))).all()
    assert all((encoder.encode([s]) == v).all() for s, v in zip(SENTENCES, vectors, strict=True))
    encoder.meta["family"] = "paragraph_vector"
    encoder.save(tmp_path)
    assert (load_encoder(tmp_path).encode(SENTENCES) == vectors).all()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["inference.safetensors", "meta.json", "vocabulary.txt"]
    assert (fitted(**values).encode(SENTENCES) == vectors).all()  # a model that is trained again gives the same vectors
    total, known = encoder.count_tokens(SENTENCES)
    assert total.tolist() == [3, 1, 5, 1, 0, 12]
    assert known.tolist() == [3, 1, 4, 0, 0, 12]


def test_python_s_hash_seed_makes_no_difference(tmp_path):
    encoder = fitted()
    encoder.meta["family"] = "paragraph_vector"
    encoder.save(tmp_path)
    command = "import sys; from sentrep.encoders.registry import load_encoder; "
    command += "print(load_encoder(sys.argv[1]).encode(['w1 w2 w3']).tolist())"
    scripts = Path(paragraph_encoder.__file__).parents[2]
    # with PYTHONHASHSEED=1 instead of a random one
    environment = {**os.environ, "PYTHONPATH": str(scripts), "PYTHONHASHSEED": "1"}
    run = [sys.executable, "-c", command, str(tmp_path)]
    output = subprocess.run(run, env=environment, capture_output=True, text=True, check=True).stdout
    assert output == f"{encoder.encode(['w1 w2 w3']).tolist()}\n"


def tabulated_sigmoid(x):
    """Return the sigmoid as in gensim, which reads it from a table of 1,000 values between -6 and 6."""
    at = int((x + 6) * (1000 // 6 // 2)) / 1000 * 2 - 1
    return 1 / (1 + np.exp(-6 * at))


def inferred(encoder, words):
    """Infer a vector with hierarchical softmax as loops, with the same random numbers as the encoder."""
    model, settings = encoder.model, encoder.settings
    start = encoder.start(words)  # random numbers are drawn as in inference: first the initial vector, then the windows
    vector, random = start[0][0].astype(np.float64), start[1]
    ids = [model.wv.key_to_index[word] for word in words]
    codes, points = model.wv.expandos["code"], model.wv.expandos["point"]
    for rate in np.linspace(settings["inference_learning_rate"], 1e-4, settings["inference_epochs"]):
        shrunk = random.randint(0, settings["window"], len(ids)) if model.dm else [0] * len(ids)
        for i, target in enumerate(ids):
            around = []
            if model.dm:
                reach = settings["window"] - shrunk[i]
                around = [ids[j] for j in range(max(0, i - reach), min(len(ids), i + reach + 1)) if j != i]
            h = vector + sum(model.wv.vectors[j].astype(np.float64) for j in around)
            mean = settings["aggregation"] == "mean"
            if mean:
                h = h / (1 + len(around))
            error = np.zeros_like(vector)
            for code, point in zip(codes[target], points[target], strict=True):
                score = h @ model.syn1[point]
                if abs(score) < 6:
                    error += (1 - code - tabulated_sigmoid(score)) * rate * model.syn1[point]
            vector = vector + (error if mean or not model.dm else error / (1 + len(around)))
    return vector


@pytest.mark.parametrize("values", [VARIANTS[0], {**VARIANTS[1], "sample": 0.0}, VARIANTS[4]], ids=str)
def test_inference_is_the_loop(values):
    encoder = fitted(**values, learning_rate=0.2, epochs=8)
    for sentence in ("w1 w2 w3", "w0", "w4 w4 w5 w1", SENTENCES[5]):
        words = tuple(sentence.split())
        expected = inferred(encoder, words)
        assert np.abs(expected - encoder.start(words)[0]).max() > 0.01  # inference changes the vector
        np.testing.assert_allclose(encoder.encode([sentence])[0], expected, atol=1e-5)


@pytest.mark.parametrize("aggregation", ["sum", "mean", "concat"])
def test_gensim_has_the_settings_that_were_asked_for(aggregation):
    settings = {"architecture": "dm", "aggregation": aggregation, "window": 4, "sample": 0.003, "ns_exponent": 0.5}
    model = fitted(**settings, output="negative_sampling", negatives=7).model
    assert (model.dm, model.cbow_mean, model.dm_concat) == (True, aggregation == "mean", aggregation == "concat")
    assert (model.hs, model.negative, model.window, model.sample, model.ns_exponent) == (0, 7, 4, 0.003, 0.5)
    dbow = fitted(architecture="dbow", train_words=True).model
    assert (dbow.dbow, dbow.dbow_words, dbow.hs, dbow.negative) == (True, 1, 1, 0)


def shuffled_twice(rng, words):
    return rng.permutation(np.tile(words, 2))


@pytest.mark.parametrize("values", [VARIANTS[0], VARIANTS[3], VARIANTS[4]], ids=str)
def test_sentences_of_the_same_words_are_alike(values):
    rng, run = np.random.default_rng(0), Run(seed=1)
    store = make_store([shuffled_twice(rng, rng.integers(0, 40, 6)).tolist() for _ in range(800)], 40)
    parameters = Parameters(**{"dimension": 16, "epochs": 10, "inference_epochs": 20, **values})
    encoder = train(store, parameters, run)
    bags = [rng.integers(0, 40, 6) for _ in range(30)] * 2
    vectors = encoder.encode([" ".join(f"w{i}" for i in shuffled_twice(rng, bag)) for bag in bags])
    vectors /= np.linalg.norm(vectors, axis=1)[:, None]
    cosines = vectors[:30] @ vectors[30:].T
    same = np.eye(30) == 1
    assert cosines[same].mean() > 0.8
    assert cosines[~same].mean() < 0.3
    assert run.history[-1]["epoch"] == 10
    assert 0.024 < run.history[0]["learning_rate"] <= 0.025
    assert run.history[-1]["learning_rate"] == pytest.approx(1e-4)


def test_a_file_for_the_sentences_changes_nothing_and_vanishes(monkeypatch, tmp_path):
    expected = fitted().encode(SENTENCES)
    monkeypatch.setattr(paragraph_vector, "_LARGEST_IN_MEMORY", 0)
    monkeypatch.setattr(paragraph_vector.tempfile, "tempdir", str(tmp_path))
    assert (fitted().encode(SENTENCES) == expected).all()
    assert list(tmp_path.iterdir()) == []

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(paragraph_vector.os, "posix_fallocate", full)
    with pytest.raises(SentrepError, match=r"No space left.*set TMPDIR"):
        fitted()


def test_the_training_command_leaves_a_model_and_its_history(tmp_path):
    store = tmp_path / "store"
    store.mkdir()
    write_store(store, STORE)
    values = {"architecture": "dbow", "dimension": 8}
    model = train_model(store, tmp_path / "model", family_name="paragraph_vector", parameters=values, seed=2)
    assert (load_encoder(tmp_path / "model").encode(SENTENCES) == model.encode(SENTENCES)).all()
    assert (tmp_path / "model" / "training.csv").read_text().startswith("examples,epoch,learning_rate,")


def write_store(folder, store):
    for name in ("ids", "sentence_offsets", "document_offsets"):
        np.save(folder / f"{name}.npy", getattr(store, name))
    lines = (f"{word}\t{count}\n" for word, count in zip(store.vocabulary, store.counts, strict=True))
    (folder / "vocabulary.tsv").write_text("".join(lines))
    (folder / "meta.json").write_text('{"encoding_tokeniser": "whitespace"}')


def test_what_cannot_be_trained_is_refused():
    with pytest.raises(SentrepError, match="expected at least one word"):
        train(make_store([[], []], 1), Parameters(), Run(seed=1))
    for values in ({"window": 0}, {"sample": 1.0}, {"final_learning_rate": 0.2}, {"architecture": "cbow"}):
        with pytest.raises(SentrepError):
            parse_parameters("paragraph_vector", values, "models.x.parameters")
    assert doc2vec.Doc2Vec(dm=1, dm_mean=0).cbow_mean == 1  # this is why `cbow_mean` is set instead
