"""Test the model card of an exported model: corpus, parameters, and scores if they are known."""

import numpy as np
import pandas as pd
import pytest

from sentrep.cli import main
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.card import card, known_scores
from sentrep.errors import SentrepError
from sentrep.io.files import write_json

META = {
    "family": "word2vec",
    "seed": 7,
    "parameters": {"dimension": 4},
    "corpus": {"tokens": 12345, "sentences": 678, "source": {"name": "novels"}},
}


@pytest.fixture
def model(tmp_path):
    folder = tmp_path / "results" / "novels" / "models" / "mine" / "seed7"
    folder.mkdir(parents=True)
    vectors = np.random.default_rng(0).normal(size=(3, 4))
    AveragingEncoder(vectors, ["a", "b", "c"], "kenter", meta=META).save(folder)
    return folder


def scores(path, **columns):
    rows = {
        "protocol": ["paper", "paper", "official", "paper"],
        "year": [2012, 2014, 2012, 2012],
        "dataset": ["MSRpar", "images", "MSRpar", "SMT"],
        "pearson": [0.4, 0.6, 0.9, None],
        "spearman": [0.3, 0.5, 0.9, None],
        **columns,
    }
    path.parent.mkdir(parents=True, exist_ok=True)
    pd.DataFrame(rows).to_csv(path, index=False)


def exported(model, tmp_path, *options):
    assert main(["export", str(model), str(tmp_path / "out"), "--format", "sentence-transformers", *options]) == 0
    return (tmp_path / "out" / "README.md").read_text()


def test_corpus_and_parameters_are_named(model, tmp_path):
    readme = exported(model, tmp_path)
    assert "Corpus: novels, 12,345 tokens in 678 sentences." in readme
    assert 'Parameters: `{"dimension": 4}`, seed 7.' in readme
    assert "## Scores" not in readme


def test_unknown_number_of_sentences_is_left_out():
    meta = {**META, "corpus": {"tokens": 12345, "source": {"name": "novels"}}}
    assert "Corpus: novels, 12,345 tokens.\n" in card(meta, "about", [], [])


def test_scores_of_a_run_are_found(model, tmp_path):
    scores(tmp_path / "results" / "novels" / "scores" / "mine" / "seed7" / "scores.csv")
    readme = exported(model, tmp_path)
    assert "the mean of Pearson's r is 0.5000" in readme
    assert "| 2012 MSRpar | 0.4000 | 0.3000 |\n| 2014 images | 0.6000 | 0.5000 |\n" in readme
    assert "0.9000" not in readme


def test_scores_of_an_evaluation(model, tmp_path):
    folder = tmp_path / "evaluation"
    scores(folder / "scores.csv", model=["seed7", "seed7", "seed7", "tf-idf"])
    write_json(folder / "evaluation.json", {"models": ["seed7"]})
    assert "| 2014 images | 0.6000 | 0.5000 |" in exported(model, tmp_path, "--scores", str(folder))
    write_json(folder / "evaluation.json", {"models": ["other", "another"]})
    with pytest.raises(
        SentrepError, match=r"expected the sentence-pair scores of seed7, found none .*: other, another"
    ):
        known_scores(model, folder)
