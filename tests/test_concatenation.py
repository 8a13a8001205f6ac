"""Test the concatenation of models: vectors, numbers of parameters, self-contained folders, and errors."""

import shutil

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from helpers_store import random_store
from sentrep.api.training import train_model
from sentrep.cli import main
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.concatenation import Concatenation
from sentrep.encoders.neural import NeuralEncoder
from sentrep.encoders.registry import load_encoder
from sentrep.encoders.tfidf import TfIdfEncoder
from sentrep.errors import SentrepError
from sentrep.evaluation.training_costs import stored_numbers
from sentrep.families.concatenation import Parameters, train
from sentrep.networks.two_towers import Network
from sentrep.training.run import Run

TEXTS = ["a b", "b c c", "d", "nothing", ""]


def averaging():
    vectors = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
    return AveragingEncoder(vectors, ["a", "b", "c"], "whitespace", meta={"family": "word2vec"})


def neural():
    torch.manual_seed(0)
    meta = {"family": "quick_thoughts"}
    return NeuralEncoder("two_towers", Network("uni", 3, 4, 5), ["<unk>", "b", "d"], "whitespace", meta=meta)


def saved(folder, **parts):
    paths = {}
    for name, part in parts.items():
        paths[name] = folder / name
        paths[name].mkdir()
        part.save(paths[name])
    return paths


def test_vectors_stand_side_by_side_in_the_order_of_the_inputs(tmp_path):
    one, other = averaging(), neural()
    encoder = train(None, Parameters(), Run(0, inputs=saved(tmp_path, zebra=one, ant=other)))
    vectors = encoder.encode(TEXTS)
    assert (vectors.shape, vectors.dtype, encoder.dimension) == ((5, 14), np.float32, 14)
    np.testing.assert_array_equal(vectors[:, :4], one.encode(TEXTS))
    np.testing.assert_array_equal(vectors[:, 4:], other.encode(TEXTS))
    tokens, known = encoder.count_tokens(TEXTS)
    assert (tokens.tolist(), known.tolist()) == ([2, 3, 1, 1, 0], [2, 3, 1, 0, 0])


def test_widths_of_the_parts_are_those_of_the_encoders():
    inner = Concatenation({"a": averaging(), "b": neural()})
    # Two encoders with five units each are two parts.
    assert neural().part_widths == (5, 5)
    assert Concatenation({"inner": inner, "c": averaging()}).part_widths == (4, 5, 5, 4)


def test_numbers_of_all_parts_are_counted(tmp_path):
    parts = saved(tmp_path, a=averaging(), b=neural())
    both = Concatenation({"a": averaging(), "b": neural()}, {"family": "concatenation"})
    (tmp_path / "both").mkdir()
    both.save(tmp_path / "both")
    assert stored_numbers(parts["a"]) == 12
    assert stored_numbers(tmp_path / "both") == 12 + stored_numbers(parts["b"])
    shutil.copytree(parts["a"], parts["a"] / "snapshots" / "0.5")
    assert stored_numbers(parts["a"]) == 12


def test_the_folder_needs_nothing_else(tmp_path):
    inner = Concatenation({"a": averaging(), "b": neural()}, {"family": "concatenation"})
    outer = Concatenation({"inner": inner, "c": averaging()}, {"family": "concatenation"})
    (tmp_path / "model").mkdir()
    outer.save(tmp_path / "model")
    shutil.move(tmp_path / "model", tmp_path / "moved")
    np.testing.assert_array_equal(load_encoder(tmp_path / "moved").encode(TEXTS), outer.encode(TEXTS))
    (tmp_path / "moved" / "parts" / "c" / "vocabulary.txt").unlink()
    with pytest.raises(
        SentrepError, match=r"vocabulary\.txt: expected the file whose checksum is recorded in meta.json, found no file"
    ):
        load_encoder(tmp_path / "moved")


def test_sparse_parts_stay_sparse():
    sparse = TfIdfEncoder(np.ones(2, np.float32), ["a", "d"], "whitespace")
    vectors = Concatenation({"a": averaging(), "b": sparse}).encode(TEXTS)
    assert sp.issparse(vectors)
    assert vectors.shape == (5, 6)
    np.testing.assert_allclose(vectors.toarray()[:, 4:], sparse.encode(TEXTS).toarray())


def test_training_and_encoding_like_any_model(tmp_path):
    store = random_store(0, 20, 9)
    folder = tmp_path / "store"
    folder.mkdir()
    for name in ("ids", "sentence_offsets", "document_offsets"):
        np.save(folder / f"{name}.npy", getattr(store, name))
    lines = (f"{word}\t{count}\n" for word, count in zip(store.vocabulary, store.counts, strict=True))
    (folder / "vocabulary.tsv").write_text("".join(lines))
    (folder / "meta.json").write_text("{}")
    inputs = saved(tmp_path, uni=neural(), bi=averaging())
    encoder = train_model(
        *(folder, tmp_path / "model"), family_name="concatenation", parameters={}, seed=1, device="cpu", inputs=inputs
    )
    (tmp_path / "text").write_text("\n".join(TEXTS) + "\n")
    assert main(["encode", str(tmp_path / "model"), str(tmp_path / "text"), str(tmp_path / "vectors.npy")]) == 0
    np.testing.assert_array_equal(np.load(tmp_path / "vectors.npy"), encoder.encode(TEXTS))


@pytest.mark.parametrize("names", [[], ["only"]])
def test_one_model_is_not_enough(tmp_path, names):
    inputs = saved(tmp_path, **{name: averaging() for name in names})
    with pytest.raises(SentrepError, match=rf"^inputs: expected two or more models to concatenate, found {len(names)}"):
        train(None, Parameters(), Run(0, inputs=inputs))
