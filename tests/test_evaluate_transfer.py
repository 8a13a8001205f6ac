"""Test `sentrep evaluate --transfer`: agreement with the workflow, missing tasks, and the output."""

import json
import shutil
import weakref

import numpy as np
import pandas as pd
import pytest

import sentrep
from conftest import ROOT
from sentrep.api.compared import score_each
from sentrep.cli import main
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.corpora.tokenisers import tokeniser
from sentrep.encoders.base import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.tasks import SCORE_COLUMNS
from sentrep.io.files import write_json
from sentrep.sources.mirror import find
from sentrep.sources.registry import source

SAMPLE = ROOT / "workflow" / "sample" / "transfer"


@pytest.fixture(scope="module")
def model(tmp_path_factory):
    """Return a model folder whose vocabulary contains the words of the sample tasks."""
    text = (SAMPLE / "TREC" / "train_5500.label").read_text(encoding="utf-8", errors="replace")
    words = sorted({word for line in text.splitlines() for word in tokeniser("kenter")(line)})
    vectors = np.random.default_rng(0).normal(size=(len(words), 5)).astype(np.float32)
    folder = tmp_path_factory.mktemp("models") / "mine"
    folder.mkdir()
    AveragingEncoder(vectors, words, "kenter", meta={"family": "word2vec", "warnings": ["a warning"]}).save(folder)
    return folder


def of_the_workflow(model, folder, task):
    """Score a model with the functions that the rules of the workflow call."""
    import transfer_scores
    import transfer_tasks

    plan = make_plan(resolve({"preset": "sample"}))
    manifest = folder / "manifest.json"
    write_json(manifest, find(source("transfer_sample"), None, folder))
    items, scores = folder / "task.jsonl", folder / "scores.csv"
    transfer_tasks.main({task: plan.transfer.tasks[task]}, {task: [str(manifest)]}, True, [str(items)])
    transfer_scores.main(
        model=str(model),
        tasks=[str(items)],
        identity={"preset": "", "model": "mine", "seed": 1},
        normalisation=plan.config.transfer.protocols,
        device="cpu",
        scores=str(scores),
        predictions=str(folder / "predictions.npz"),
        snapshots=str(folder / "snapshots.csv"),
    )
    return pd.read_csv(scores)


def test_numbers_equal_the_workflows(model, tmp_path, capsys, monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT / "workflow" / "scripts"))
    expected = of_the_workflow(model, tmp_path, "trec")
    command = ["evaluate", str(model), "--transfer", "--data", "sample", "--task", "trec", "--no-baselines"]
    assert main([*command, "--output", str(tmp_path / "out")]) == 0
    found = pd.read_csv(tmp_path / "out" / "scores.csv")
    assert list(found.columns) == SCORE_COLUMNS
    assert set(found["protocol"]) == {"kiros", "senteval"}
    pd.testing.assert_frame_equal(found.drop(columns="preset"), expected.drop(columns="preset"))
    shown = capsys.readouterr().out
    accuracy = found.set_index("protocol")["value"]["kiros"]
    heading, row, *_ = shown.splitlines()
    assert heading.split() == ["protocol", "kiros", "mine"]
    assert row.split() == ["TREC,", "accuracy", f"{accuracy:.1f}"]
    assert "note: mine: a warning" in shown
    summary = json.loads((tmp_path / "out" / "evaluation.json").read_text())
    assert (summary["models"], summary["baselines"], summary["missing"]) == (["mine"], [], [])


def test_tasks_without_data_are_missing(model, tmp_path, monkeypatch):
    def refuse(*arguments, **named):
        raise SentrepError("file", expected="a download", found="no network", remedy="connect")

    monkeypatch.setattr("sentrep.sources.mirror.download", refuse)
    (tmp_path / "senteval").mkdir()
    shutil.copytree(SAMPLE / "TREC", tmp_path / "senteval" / "TREC")
    found = sentrep.evaluate_transfer(model, tasks=["trec", "sick"], mirror=tmp_path, cache=tmp_path / "c")
    assert set(found.scores["task"]) == {"trec"}
    assert [reason.partition(":")[0] for reason in found.missing] == ["SICK"]
    assert found.baselines == ["untrained", "untrained x idf", "tf-idf"]
    assert set(found.scores["model"]) == {"mine", *found.baselines}
    with pytest.raises(SentrepError, match="transfer tasks: expected the data of at least one task, found none"):
        sentrep.evaluate_transfer(model, tasks=["sick"], mirror=tmp_path, cache=tmp_path / "c")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (
            ["--transfer", "--task", "trek"],
            "--task: expected a known transfer task, found 'trek'; did you mean 'trec'?",
        ),
        (["--task", "trec"], "--task: expected --task together with --transfer"),
        (
            ["--transfer", "--data", "lee"],
            "--data: expected --data sample (the only choice with --transfer), found --data lee",
        ),
    ],
)
def test_mistakes(model, capsys, options, message):
    assert main(["evaluate", str(model), *options]) == 1
    assert message in capsys.readouterr().err


def test_only_one_model_is_in_memory_at_a_time(tmp_path):
    alive: list[weakref.ref] = []

    def score(name, encoder):
        assert not any(seen() for seen in alive), name
        alive.append(weakref.ref(encoder))

    models = {name: lambda sentences: np.ones((len(sentences), 2)) for name in "abc"}
    options = {"corpus": None, "baselines": False, "tokeniser": "kenter", "device": "cpu", "cache": tmp_path}
    assert score_each(models, ["a sentence"], score, **options) == []
    assert len(alive) == 3
