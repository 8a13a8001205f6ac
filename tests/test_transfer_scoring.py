"""Test features, tables of scores, saved predictions, ensembles and scripts."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp

from helpers_evaluation import encoder_of, run_script
from helpers_transfer import TASKS, make_task, sample_members, word_encoder
from sentrep.encoders.base import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.evaluation.encoding import encode
from sentrep.evaluation.transfer.features import pair_features
from sentrep.evaluation.transfer.predictions import (
    Predictions,
    combine,
    ensemble_weights,
    measures,
    read_predictions,
    read_snapshot_predictions,
    write_predictions,
)
from sentrep.evaluation.transfer.protocols import PROTOCOLS, evaluate
from sentrep.evaluation.transfer.readers import build_task
from sentrep.evaluation.transfer.scoring import score_ensemble, score_snapshots, score_tasks
from sentrep.evaluation.transfer.tasks import SCORE_COLUMNS, SNAPSHOT_COLUMNS, write_task
from sentrep.io.csv_files import read_csv

IDENTITY = {"preset": "sample", "model": "m", "seed": 3}


class TwoParts(AveragingEncoder):
    """An encoder whose vectors consist of two parts."""

    @property
    def part_widths(self):
        return (2, 4)


def test_normalisation_is_by_part():
    vectors = np.random.default_rng(0).standard_normal((3, 6)).astype(np.float32)
    whole = encoder_of(dict(zip("abc", vectors, strict=True)))
    assert whole.part_widths == (6,)
    np.testing.assert_allclose(np.linalg.norm(encode(whole, ["a", "b"], "unit", "x").vectors, axis=1), 1, atol=1e-6)
    parted = encode(TwoParts(vectors, list("abc"), "whitespace"), ["a", "c", "a", "zzz"], "unit", "x")
    for row, word in ((0, 0), (1, 2), (2, 0)):
        for part in (slice(0, 2), slice(2, 6)):
            expected = vectors[word, part] / np.linalg.norm(vectors[word, part])
            np.testing.assert_allclose(parted.vectors[row, part], expected, atol=1e-6)
    assert not parted.vectors[3].any()
    assert parted.zeros == 1
    lengths = np.linalg.norm(vectors[[0, 2, 0]], axis=1)
    assert parted.scale == pytest.approx(lengths.sum() / 4, rel=1e-6)
    raw = encode(whole, ["a"], "none", "x")
    np.testing.assert_array_equal(raw.vectors[0], vectors[0])


def test_sparse_vectors_are_normalised_by_part_too():
    vectors = np.random.default_rng(4).standard_normal((3, 6)).astype(np.float32)

    class Sparse(TwoParts):
        def _encode(self, sentences):
            return sp.csr_array(super()._encode(sentences))

    models = [kind(vectors, list("abc"), "whitespace") for kind in (TwoParts, Sparse)]
    dense, sparse = (encode(model, "abcd", "unit", "x") for model in models)
    assert sp.issparse(sparse.vectors)
    assert sparse.zeros == dense.zeros == 1
    np.testing.assert_allclose(sparse.vectors.toarray(), dense.vectors, atol=1e-6)


def test_sparse_and_dense_features_agree():
    dice = np.random.default_rng(1)
    u, v = dice.standard_normal((2, 5, 7)) * (dice.random((2, 5, 7)) < 0.4)
    dense = pair_features(u, v)
    np.testing.assert_allclose(dense, np.hstack([np.abs(u - v), u * v]))
    np.testing.assert_allclose(pair_features(sp.csr_array(u), sp.csr_array(v)).toarray(), dense)


def test_sparse_vectors_are_scored_like_dense_ones():
    from sentrep.encoders.tfidf import TfIdfEncoder

    class Dense(TfIdfEncoder):
        def _encode(self, sentences):
            return super()._encode(sentences).toarray().astype(np.float32)

    words = [f"w{number}" for number in range(40)]
    idf = np.random.default_rng(2).uniform(1, 5, 40).astype(np.float32)
    task = make_task({"all": 60})
    sparse, dense = (
        evaluate(task, kind(idf, words, "whitespace"), PROTOCOLS["kiros"], "unit")[0] for kind in (TfIdfEncoder, Dense)
    )
    assert (sparse.chosen == dense.chosen).all()
    np.testing.assert_allclose(sparse.log_probabilities, dense.log_probabilities, atol=1e-3)
    pairs = make_task({"train": 200, "dev": 60, "test": 60}, pairs=True, measure="relatedness")
    predicted, _ = evaluate(pairs, TfIdfEncoder(idf, words, "whitespace"), PROTOCOLS["kiros"], "unit")
    assert measures(pairs, predicted)["pearson"] > 0.3


@pytest.fixture(scope="module")
def scored():
    tasks = [
        make_task({"all": 60}),
        make_task({"train": 40, "dev": 20, "test": 30}, pairs=True, measure="relatedness"),
    ]
    tasks[1] = type(tasks[1])(
        "second", "SECOND", *[getattr(tasks[1], f) for f in ("measure", "classes", "scores", "parts")]
    )
    settings = {"kiros": None, "senteval": "unit"}
    return tasks, *score_tasks(word_encoder(scale=3.0), tasks, settings, IDENTITY)


def test_scores(scored):
    _, scores, predictions = scored
    assert list(scores) == SCORE_COLUMNS
    assert scores["metric"].tolist() == ["accuracy"] * 2 + ["pearson", "spearman", "mse"] * 2
    assert scores["protocol"].tolist() == ["kiros", "senteval", *["kiros"] * 3, *["senteval"] * 3]
    assert (scores["normalisation"] == "unit").all()
    assert (scores["scale"] > 1).all()
    assert (scores["dimension"] == 6).all()
    first = scores.iloc[0]
    assert (first["preset"], first["model"], first["seed"], first["folds"], first["items"]) == (
        "sample",
        "m",
        3,
        10,
        60,
    )
    own = predictions["kiros", "made"]
    said = own.log_probabilities.argmax(axis=1) == own.targets
    accuracies = [100 * said[own.rounds == fold].mean() for fold in range(10)]
    assert first["value"] == pytest.approx(np.mean(accuracies))
    assert first["fold_sd"] == pytest.approx(np.std(accuracies, ddof=1))
    assert [float(text) for text in first["chosen"].split()] == own.chosen.tolist()
    assert scores["folds"].tolist()[2:] == [0] * 6
    assert scores["fold_sd"].isna().tolist() == [False, False, *[True] * 6]


def test_predictions_are_kept(scored, tmp_path):
    _, _, predictions = scored
    write_predictions(tmp_path / "p.npz", predictions)
    found = read_predictions(tmp_path / "p.npz")
    assert list(found) == list(predictions)
    for key, own in predictions.items():
        for field in ("log_probabilities", "targets", "rounds", "validation", "chosen", "folds"):
            np.testing.assert_array_equal(getattr(found[key], field), getattr(own, field))
    content = (tmp_path / "p.npz").read_bytes()
    middle = len(content) // 2
    damaged = (b"no", content[:middle], content[:-9], content[:middle] + b"\0" * 99 + content[middle + 99 :], None)
    for content in damaged:
        (tmp_path / "p.npz").unlink() if content is None else (tmp_path / "p.npz").write_bytes(content)
        with pytest.raises(SentrepError, match="expected a file of a model's predictions"):
            read_predictions(tmp_path / "p.npz")


def made(log_probabilities, validation, rounds=(0, 0, 1, 1), targets=(0, 1, 1, 0)):
    arrays = np.array(log_probabilities, dtype=np.float32), np.array(targets), np.array(rounds)
    return Predictions(*arrays, np.array(validation, dtype=float), np.ones(len(validation)), 10)


def test_ensemble_by_hand():
    dice = np.random.default_rng(4)
    logs = np.log(dice.dirichlet([1, 1], (3, 4)))
    scores = np.array([[0.5, 0.9], [0.7, 0.1], [0.8, 0.6]])
    members = {str(k): made(logs[k], scores[k]) for k in range(3)}
    found = combine(members, "x")
    for item in range(4):
        share = scores[:, found.rounds[item]] / scores[:, found.rounds[item]].sum()
        expected = sum(share[k] * logs[k, item] for k in range(3))
        np.testing.assert_allclose(found.log_probabilities[item], expected, rtol=1e-5)
    assert found.chosen.tolist() == [3, 3]
    alone = combine({"0": members["0"]}, "x")
    np.testing.assert_allclose(alone.log_probabilities, logs[0], rtol=1e-6)


def test_ensemble_weights():
    found = ensemble_weights([np.array([1.0, -0.5, 0.0]), np.array([3.0, 0.5, 0.0])])
    np.testing.assert_allclose(found, [[0.25, 0, 0.5], [0.75, 1, 0.5]])


@pytest.mark.parametrize("change", [{"targets": (1, 1, 1, 0)}, {"rounds": (0, 1, 1, 1)}])
def test_ensemble_of_other_items(change):
    logs = np.zeros((4, 2))
    with pytest.raises(SentrepError, match="x: expected the same test items for a and b, found different test items"):
        combine({"a": made(logs, [1, 1]), "b": made(logs, [1, 1], **change)}, "x")
    with pytest.raises(SentrepError, match="expected models to combine"):
        combine({}, "x")


def test_a_member_without_a_task(scored):
    tasks, _, predictions = scored
    fewer = {key: value for key, value in predictions.items() if key != ("kiros", "second")}
    with pytest.raises(
        SentrepError, match="SECOND, kiros: expected predictions from every model in the ensemble, found none from b"
    ):
        score_ensemble(tasks, {"a": predictions, "b": fewer}, IDENTITY)


def test_a_snapshot_that_is_a_copy_of_the_model_has_its_score(tmp_path):
    task = make_task({"train": 80, "test": 40}, pairs=True, measure="paraphrase")
    task = dataclasses.replace(task, name="msrp", label="MSRP")
    encoder, folder = word_encoder(8), tmp_path / "snapshots" / "0.5"
    folder.mkdir(parents=True)
    encoder.meta = {"family": "random_vectors", "model": "m"}
    encoder.save(folder)
    scores, predictions = score_tasks(encoder, [task], {"kiros": None}, IDENTITY)
    of_snapshots, predicted = score_snapshots(tmp_path, [task], {"kiros": None}, IDENTITY, "cpu")
    pd.testing.assert_frame_equal(of_snapshots[SCORE_COLUMNS], scores)
    found, expected = (p["kiros", "msrp"].log_probabilities for p in (predicted[0.5], predictions))
    np.testing.assert_array_equal(found, expected)


def test_scripts(tmp_path):
    """Run all scripts, from the sample files to the table of all scores."""
    encoder = word_encoder(8)
    model = tmp_path / "model"
    model.mkdir()
    encoder.meta = {"family": "random_vectors", "model": "m"}
    encoder.save(model)
    paths = []
    for name in ("cr", "trec", "sick"):
        paths.append(tmp_path / f"{name}.jsonl")
        task = build_task(name, TASKS[name], sample_members(), sample=True)
        for part in task.parts.values():  # keep only words that the encoder knows
            part.first[:] = [f"w{len(text) % 40} w{len(set(text)) % 7}" for text in part.first]
        write_task(paths[-1], task)
    (model / "snapshots" / "0.5").mkdir(parents=True)
    encoder.save(model / "snapshots" / "0.5")
    outputs = {name: tmp_path / f"{name}.csv" for name in ("scores", "snapshots")}
    outputs["predictions"] = tmp_path / "p.npz"
    run_script(
        "transfer_scores",
        input={"model": model, "tasks": paths[:2]},
        output=outputs,
        params={"normalisation": {"kiros": None}, "identity": IDENTITY, "device": "cpu"},
    )
    run_script(
        "transfer_ensemble",
        input={"members_predictions": [outputs["predictions"]] * 2, "tasks": paths[:2]},
        output={"scores": tmp_path / "ensemble.csv", "predictions": tmp_path / "ensemble.npz"},
        params={"members": ["a", "b"], "identity": {**IDENTITY, "model": "ensemble"}},
    )
    run_script(
        "collect_transfer",
        input={"score_files": [outputs["scores"], tmp_path / "ensemble.csv"]},
        output={"scores": tmp_path / "transfer.csv"},
    )
    table = read_csv(tmp_path / "transfer.csv", SCORE_COLUMNS)
    assert table["task"].tolist() == ["cr", "trec"] * 2
    assert table["model"].tolist() == [
        "m",
        "m",
        "ensemble",
        "ensemble",
    ]
    # an ensemble of two equal models equals one model
    one, two = (read_predictions(path)["kiros", "cr"] for path in (outputs["predictions"], tmp_path / "ensemble.npz"))
    assert (one.log_probabilities.argmax(axis=1) == two.log_probabilities.argmax(axis=1)).all()
    assert table["value"].tolist()[:2] == table["value"].tolist()[2:]
    assert table["dimension"].isna().tolist() == [False, False, True, True]
    assert isinstance(table, pd.DataFrame)
    assert table["sample"].all()
    # The snapshot is a copy of the model, so it has the same scores and predictions.
    snapshots = read_csv(outputs["snapshots"], SNAPSHOT_COLUMNS)
    assert snapshots["epochs"].tolist() == [0.5, 0.5]
    pd.testing.assert_frame_equal(snapshots[SCORE_COLUMNS], read_csv(outputs["scores"], SCORE_COLUMNS))
    of_snapshots = read_snapshot_predictions(outputs["predictions"])
    assert list(of_snapshots) == [0.5]
    assert of_snapshots[0.5].keys() == read_predictions(outputs["predictions"]).keys()
    np.testing.assert_array_equal(of_snapshots[0.5]["kiros", "cr"].log_probabilities, one.log_probabilities)
