"""Test the user's own vectors (`inputs: {vectors: {files: [...]}}`) and sentence-transformers models in a run."""

import sys

import numpy as np
import pytest

from helpers_store import make_store
from sentrep.api.training import train_model
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.export import export_encoder
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families import pretrained_vectors, sentence_transformer
from sentrep.io.files import write_json
from sentrep.sources.checksums import Checksums
from sentrep.sources.mirror import find
from sentrep.sources.registry import source
from sentrep.training.run import Run
from test_pretrained_vectors import STORE, VECTORS, WORDS, content, run_on

SENTENCES = ["w0 w2 other", "nothing", "other other"]


def plan_of(inputs, **more):
    model = {"family": "pretrained_vectors", "label": "mine", "corpus": "books", "seeds": [1], "inputs": inputs, **more}
    return make_plan(resolve({"models": {"mine": model}, "only": ["mine"]}))


def test_files_of_any_place_are_an_input(tmp_path):
    path = tmp_path / "anywhere" / "v.bin"
    path.parent.mkdir()
    path.write_bytes(content("word2vec_binary"))
    plan = plan_of({"vectors": {"files": [str(path)]}})
    name = "own_files_mine_vectors"
    assert plan.model_inputs("mine", 1)["vectors"] == f"results/sample/sources/{name}.json"
    assert name in plan.used_sources
    assert plan.source_files(name) == plan.sources.places()["files"][name] == [str(path)]
    found = find(source(name), None, tmp_path, plan.source_files(name), Checksums())
    assert [entry["path"] for entry in found["files"]] == [str(path)]
    assert found["licence"] == "the user's"
    manifest = tmp_path / "manifest.json"
    write_json(manifest, found)
    parameters = pretrained_vectors.Parameters(layout="auto", words="all")
    encoder = pretrained_vectors.train(STORE, parameters, Run(1, inputs={"vectors": manifest}))
    assert encoder.vocabulary == WORDS
    np.testing.assert_array_equal(encoder.embeddings, VECTORS)


@pytest.mark.parametrize("kind", ["word2vec_binary", "word2vec_text", "glove"])
def test_the_layout_is_detected(tmp_path, kind):
    path = tmp_path / "v.any"
    path.write_bytes(content(kind))
    encoder = pretrained_vectors.train(STORE, pretrained_vectors.Parameters(layout="auto", words="all"), run_on(path))
    np.testing.assert_array_equal(encoder.embeddings, VECTORS)


@pytest.mark.parametrize(
    ("inputs", "message"),
    [
        ({"vectors": {}}, "expected exactly one of `model`, `pairs`, `source` and `files`, found none of the four"),
        ({"vectors": {"files": ["a"], "source": "mr"}}, "expected exactly one of .* found `files` and `source`"),
        ({"vectors": {"files": []}}, "files: expected at least 1 entry"),
        ({"vectors": {"files": "v.bin"}}, r"files: expected a list, found 'v.bin'; write \[v.bin\]"),
    ],
)
def test_mistakes(inputs, message):
    with pytest.raises(SentrepError, match=message):
        plan_of(inputs)


def test_training_refuses_an_input_that_the_family_does_not_read(tmp_path):
    from helpers_store import save_store

    save_store(make_store([[0, 1, 2, 3]] * 20), tmp_path / "store")
    with pytest.raises(SentrepError, match=r"random_vectors.inputs: expected no inputs, .* found 'vectors'; remove"):
        train_model(
            tmp_path / "store",
            tmp_path / "model",
            family_name="random_vectors",
            parameters={},
            seed=1,
            inputs={"vectors": tmp_path / "store"},
        )


def test_no_such_file(tmp_path):
    plan = plan_of({"vectors": {"files": [str(tmp_path / "none.bin")]}})
    name = "own_files_mine_vectors"
    with pytest.raises(SentrepError, match=rf"source {name}: expected files that match \S*/none\.bin, found no files"):
        find(source(name), None, tmp_path, plan.source_files(name))


def manifest_of(folder, tmp_path):
    manifest = tmp_path / "manifest.json"
    write_json(manifest, {"name": "own", "files": [{"path": str(p)} for p in sorted(folder.rglob("*")) if p.is_file()]})
    return manifest


@pytest.fixture
def library_model(tmp_path, monkeypatch):
    """Return a sentence-transformers folder with the vectors of WORDS."""
    pytest.importorskip("sentence_transformers")
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    encoder = AveragingEncoder(VECTORS, WORDS, "kenter", meta={"family": "word2vec"})
    export_encoder(encoder, "sentence-transformers", tmp_path / "st")
    return tmp_path / "st", encoder


def test_a_sentence_transformers_folder_is_a_model_of_a_run(library_model, tmp_path):
    folder, expected = library_model
    from helpers_store import save_store

    save_store(make_store([[0, 1, 2, 3]] * 20), tmp_path / "store")
    inputs = {"model": manifest_of(folder, tmp_path)}
    train_model(
        tmp_path / "store", tmp_path / "model", family_name="sentence_transformer", parameters={}, seed=1, inputs=inputs
    )
    for path in folder.rglob("*"):
        if path.is_file():
            path.unlink()  # the model's folder does not depend on other files
    loaded = load_encoder(tmp_path / "model")
    loaded.use("cpu")
    assert loaded.dimension == 4
    np.testing.assert_allclose(loaded.encode(SENTENCES), expected.encode(SENTENCES), atol=1e-6)
    assert loaded.meta["family"] == "sentence_transformer"


def test_without_the_package_it_is_one_line(tmp_path, monkeypatch):
    (tmp_path / "st").mkdir()
    (tmp_path / "st" / "modules.json").write_text("[]")
    run = Run(1, inputs={"model": manifest_of(tmp_path / "st", tmp_path)})
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    with pytest.raises(SentrepError, match=r"expected an installation of sentence-transformers.*pip install") as caught:
        sentence_transformer.train(STORE, sentence_transformer.Parameters(), run)
    assert "\n" not in str(caught.value)


def test_a_folder_of_something_else(tmp_path):
    (tmp_path / "st").mkdir()
    (tmp_path / "st" / "vectors.bin").write_text("x")
    run = Run(1, inputs={"model": manifest_of(tmp_path / "st", tmp_path)})
    with pytest.raises(
        SentrepError, match=r"including modules\.json, found vectors\.bin; list the folder of the model in"
    ):
        sentence_transformer.train(STORE, sentence_transformer.Parameters(), run)
