"""Test the evaluation of vectors in all formats: agreement with the workflow, baselines, intervals and the verdict."""

import gzip
import json
import sys

import numpy as np
import pandas as pd
import pytest

import sentrep
from conftest import ROOT
from sentrep.api.evaluation import read_data
from sentrep.api.opening import open_encoder
from sentrep.cli import main
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.export import export_encoder
from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.bootstrap import intervals
from sentrep.evaluation.sts.sets import gold_scores
from sentrep.io.files import write_json

WORDS = ["cat", "dog", "bird", "house", "Paris"]
PAIRS = [("a cat", "a dog", 3.0), ("a bird", "a house", 1.0), ("a cat", "a cat", 5.0), ("a dog", "a house", 0.5)]


@pytest.fixture(autouse=True)
def cache(tmp_path, monkeypatch):
    monkeypatch.setenv("SENTREP_CACHE", str(tmp_path / "cache"))


@pytest.fixture
def encoder():
    vectors = np.random.default_rng(3).normal(size=(len(WORDS), 6)).astype(np.float32)
    return AveragingEncoder(vectors, WORDS, "kenter", meta={"family": "random_vectors"})


@pytest.fixture
def pairs(tmp_path):
    path = tmp_path / "mine.tsv"
    path.write_text("".join(f"{a}\t{b}\t{score}\n" for a, b, score in PAIRS))
    return path


@pytest.fixture(scope="module")
def sample_model(tmp_path_factory):
    """Return a model of the words in the sample pairs."""
    sets, _ = read_data(["sample"], None, tmp_path_factory.mktemp("cache"))
    words = sorted({word for sts in sets for text in sts.sentences1 for word in text.lower().split() if word.isalpha()})
    vectors = np.random.default_rng(0).normal(size=(len(words), 20)).astype(np.float32)
    folder = tmp_path_factory.mktemp("models") / "model"
    folder.mkdir()
    AveragingEncoder(vectors, words, "kenter", meta={"family": "random_vectors", "warnings": ["a warning"]}).save(
        folder
    )
    return folder


def run_workflow(folder, model):
    """Score a model with the functions that the rules of the workflow call, and return its scores."""
    sys.path.insert(0, str(ROOT / "workflow" / "scripts"))
    import fetch
    import score
    import sts_sets
    from sentrep.sources.registry import read_sources

    manifests = []
    for year in (2012, 2013, 2014, 2015):
        name = f"sts_{year}_sample"
        row = vars(read_sources()[name])
        manifests.append(str(folder / f"{name}.json"))
        config = {"places": {"mirror": None, "files": {}, "checksums": str(folder / "checksums.json")}}
        fetch.main(source=name, row=row, downloads=str(folder), manifest=manifests[-1], config=config)
    pairs, description = str(folder / "sts.jsonl"), str(folder / "sts.json")
    years = [2012, 2013, 2014, 2015]
    sts_sets.main(sources=manifests, years=years, source_names="", sample=True, pairs=pairs, description=description)
    files = {name: str(folder / f"{name}.csv") for name in ("scores", "similarities", "unknown_words")}
    score.main(model=str(model), pairs=pairs, description=description, device="cpu", **files)
    return pd.read_csv(files["scores"]), pd.read_csv(files["similarities"])


def test_numbers_equal_the_workflows(sample_model, tmp_path):
    expected, similarities = run_workflow(tmp_path, sample_model)
    command = ["evaluate", str(sample_model), "--data", "sample", "--no-baselines", "--output", str(tmp_path / "out")]
    assert main(command) == 0
    found = pd.read_csv(tmp_path / "out" / "scores.csv")
    key = ["protocol", "year", "dataset"]
    both = expected.merge(found, on=key, suffixes=("", "_found"))
    assert len(both) == len(expected) == len(found) == 40
    for column in ("pearson", "spearman", "oov_rate", "all_oov_pairs", "pairs", "scored_pairs"):
        np.testing.assert_allclose(both[f"{column}_found"], both[column], rtol=1e-5)
    sets, _ = read_data(["sample"], None, tmp_path)
    ends = intervals({"model": [similarities]}, gold_scores(sets))
    ends = ends[(ends["metric"] == "pearson")].merge(
        found[found["protocol"] == "paper"], on=key, suffixes=("_table", "")
    )
    assert len(ends) == 20
    np.testing.assert_allclose(ends[["low", "high"]], ends[["low_table", "high_table"]], atol=1e-4)


def test_baselines_are_the_workflows(sample_model, tmp_path):
    """If the corpus is a store, the baselines are the models that the rules train on it."""
    from sentrep.api.stores import Preprocessing, open_store
    from sentrep.api.training import train_model

    text = tmp_path / "text.txt"
    sets, _ = read_data(["sample"], None, tmp_path)
    text.write_text("\n".join(sentence for sts in sets for sentence in sts.sentences1))
    with open_store([text], Preprocessing()) as store:
        train_model(store, tmp_path / "idf", family_name="random_vectors", parameters={"idf": True}, seed=1)
        found = sentrep.evaluate(sample_model, data=["sample"], corpus=store)
    expected, _ = run_workflow(tmp_path, tmp_path / "idf")
    ours = found.scores[found.scores["model"] == "untrained x idf"]
    both = expected.merge(ours, on=["protocol", "year", "dataset"])
    assert len(both) == 40
    np.testing.assert_array_equal(both["pearson_x"], both["pearson_y"])


def write_glove(encoder, path):
    rows = zip(encoder.vocabulary, encoder.embeddings, strict=True)
    path.write_text("".join(f"{word} {' '.join(map(str, vector))}\n" for word, vector in rows))


def write_gensim(encoder, path):
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(encoder.dimension)
    vectors.add_vectors(encoder.vocabulary, encoder.embeddings)
    vectors.save(str(path))


def write_gensim_apart(encoder, path):
    from gensim.models import KeyedVectors

    vectors = KeyedVectors(encoder.dimension)
    vectors.add_vectors(encoder.vocabulary, encoder.embeddings)
    vectors.save(str(path), separately=["vectors"])


def write_exported(kind, name):
    def write(encoder, path):
        folder = path.with_name(f"{path.name}.folder")
        export_encoder(encoder, kind, folder)
        (folder / name).rename(path)

    return write


def write_compressed(encoder, path):
    plain = path.with_name("plain")
    write_exported("word2vec-text", "vectors.txt")(encoder, plain)
    path.write_bytes(gzip.compress(plain.read_bytes()))


@pytest.mark.parametrize(
    ("name", "write"),
    [
        ("glove.txt", write_glove),
        ("vectors.kv", write_gensim),
        ("apart.kv", write_gensim_apart),
        ("vectors.bin", write_exported("word2vec", "vectors.bin")),
        ("crawl.vec", write_exported("word2vec-text", "vectors.txt")),
        ("crawl.vec.gz", write_compressed),
    ],
)
def test_files_of_word_vectors(encoder, tmp_path, name, write):
    write(encoder, tmp_path / name)
    found = open_encoder(tmp_path / name, sentences=["A cat in Paris", "no dog"])
    # the words of the sentences, in the case that the tokeniser produces
    assert sorted(found.vocabulary) == ["cat", "dog", "paris"]
    expected = encoder.embeddings[[0, 4]].mean(axis=0)
    np.testing.assert_allclose(found.encode(["A cat in Paris"])[0], expected, rtol=1e-6)
    assert len(open_encoder(tmp_path / name).vocabulary) == len(WORDS)


@pytest.mark.parametrize(
    ("tokeniser", "words"),
    [("kenter", ["cat", "dog", "paris"]), ("treebank", ["Paris", "cat"]), ("whitespace", ["Paris", "cat"])],
)
def test_words_in_the_file_have_the_case_that_the_tokeniser_produces(encoder, tmp_path, tokeniser, words):
    write_glove(encoder, tmp_path / "glove.txt")
    (tmp_path / "glove.txt").write_text((tmp_path / "glove.txt").read_text().replace("paris ", "Paris "))
    found = open_encoder(tmp_path / "glove.txt", sentences=["A cat in Paris", "no Dog"], tokeniser_name=tokeniser)
    assert sorted(found.vocabulary) == words


def test_sentence_transformers_and_functions_give_the_same_scores(encoder, pairs, tmp_path, monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    export_encoder(encoder, "sentence-transformers", tmp_path / "st")
    found = sentrep.evaluate(
        {"ours": encoder, "st": tmp_path / "st", "function": encoder.encode},
        data=[pairs],
        baselines=False,
    )
    scores = found.scores[found.scores["protocol"] == "paper"].set_index("model")["pearson"]
    assert scores["st"] == pytest.approx(scores["ours"], abs=1e-5)
    assert scores["function"] == scores["ours"]
    assert found.differences["paper"][1].difference == 0


def test_the_table_and_its_files(sample_model, tmp_path, capsys):
    command = ["evaluate", str(sample_model), "--data", "sample", "--data", "lee", "--output", str(tmp_path / "out")]
    assert main(command) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines()[0].split() == ["Pearson's", "r", "model", "untrained", "untrained", "x", "idf", "tf-idf"]
    assert "2005 Lee" in shown
    assert "mean of 21" in shown
    assert "note: model: a warning" in shown
    summary = json.loads((tmp_path / "out" / "evaluation.json").read_text())
    assert summary["verdict"] in shown
    assert summary["verdict"].startswith("Comparison by mean Pearson's r over 21 sets: model is ")
    assert summary["baselines"] == ["untrained", "untrained x idf", "tf-idf"]
    assert len(pd.read_csv(tmp_path / "out" / "tests.csv")) > 21 * 6
    assert main(command) == 1
    assert main([*command, "--overwrite"]) == 0


def test_a_constant_model_is_shown_as_undefined(pairs, capsys, tmp_path):
    vectors = AveragingEncoder(np.ones((2, 3)), ["the", "a"], "kenter", meta={"family": "random_vectors"})
    export_encoder(vectors, "word2vec", tmp_path / "constant")
    assert main(["evaluate", str(tmp_path / "constant" / "vectors.bin"), "--data", str(pairs), "--no-baselines"]) == 0
    assert "undefined" in capsys.readouterr().out


def test_models_of_the_same_name(sample_model, pairs, tmp_path):
    found = sentrep.evaluate([sample_model, sample_model], data=["sample"], baselines=False)
    assert found.models == ["model", f"{sample_model.parent.name}/model"]
    assert found.verdict.startswith(
        f"Comparison by mean Pearson's r over 20 sets: model is not distinguishable from {found.models[1]}"
    )


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            b"",
            "in the format of word2vec, GloVe, fastText (.vec) or gensim (KeyedVectors), found an empty file",
        ),
        (b"\xba\x16\x4f\x2f\x0c\0\0\0", "found a binary fastText model; pass a file in one of these formats"),
        (b"one two three\n", "expected word vectors"),
        (b"3 2\ncat 1 2\ndog 3 4\n", "expected 3 word vectors, found the end of the file after vector 2"),
        (b"2 2\ncat 1 2\ndog 3\n", "line 3: expected a word and 2 numbers"),
        (b"cat 1 2\ndog 3 x\n", "line 2: expected numbers after the word"),
        (b"zzz 1 2\nyyy 3 4\n", "expected vectors for words in the texts, found none"),
        (b"\x80\x04K\x01.", "expected a gensim KeyedVectors object, found another kind of object"),
        (b"\x80\x04cposix\nsystem\n.", "the pickle uses posix.system"),
    ],
)
def test_files_that_are_no_vectors(pairs, tmp_path, capsys, content, message):
    (tmp_path / "vectors").write_bytes(content)
    assert main(["evaluate", str(tmp_path / "vectors"), "--data", str(pairs), "--output", str(tmp_path / "out")]) == 1
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("name", "files", "message"),
    [
        ("p.tsv", {"p.tsv": "a\tb\t1\nc\td\n"}, "p.tsv:2: expected two sentences and a number"),
        ("p.tsv", {"p.tsv": "a\tb\tx\n"}, "p.tsv:1: expected two sentences and a number"),
        ("p.tsv", {"p.tsv": ""}, "expected lines with two sentences and a score, found no lines"),
        (
            "d",
            {"d/STS.input.x.txt": "a\tb\n", "d/STS.gs.x.txt": "1\n2\n"},
            "expected as many lines as in STS.input.x.txt (number of lines: 1), found 2",
        ),
        ("none", {}, "expected sts, lee, sample"),
    ],
)
def test_pairs_that_cannot_be_read(encoder, tmp_path, name, files, message):
    for path, text in files.items():
        (tmp_path / path).parent.mkdir(exist_ok=True)
        (tmp_path / path).write_text(text)
    with pytest.raises(SentrepError) as error:
        sentrep.evaluate(encoder, data=[tmp_path / name])
    assert message in str(error.value)


def test_models_that_cannot_be_opened(pairs, tmp_path, monkeypatch):
    (tmp_path / "st").mkdir()
    write_json(tmp_path / "st" / "modules.json", [])
    monkeypatch.setitem(sys.modules, "sentence_transformers", None)
    for model, message in (
        (tmp_path / "none", "expected a model folder, a file of word vectors"),
        (tmp_path / "st", "expected an installation of sentence-transformers"),
        (np.zeros_like, "expected an array of shape"),
    ):
        with pytest.raises(SentrepError, match=message):
            sentrep.evaluate(model, data=[pairs], baselines=False)
    with pytest.raises(SentrepError, match="expected either sts or sample, found both"):
        sentrep.evaluate(tmp_path, data=["sts", "sample"])
