"""Test that the files of a corpus, transfer task or retrieval task are read only for the section that names them."""

import re

import pytest
import yaml

from conftest import ROOT
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.readers import build_task

IRONY = {
    "label": "irony",
    "measure": "accuracy",
    "classes": ["no", "yes"],
    "layouts": [{"reader": "labelled_lines", "files": {"train": "train.txt", "test": "test.txt"}}],
}
TEXT = {"source": "sentences", "files": ["text.txt"], "reader": "sentences"}


def plan_of(**overrides):
    return make_plan(resolve(overrides))


def test_a_corpus_does_not_read_the_items_of_a_task_with_the_same_source():
    tasks = {name: {**IRONY, "sources": ["sentences"], "files": [f"{name}.d"]} for name in ("irony", "puns")}
    plan = plan_of(corpora={"books": TEXT}, transfer={"tasks": tasks})
    assert plan.source_files(plan.corpora["books"].source) == ["text.txt"]
    for name in tasks:
        (manifest,) = plan.transfer.manifests[name]
        source = f"own_files_{name}_task"
        assert manifest == f"results/sample/sources/{source}.json"
        assert source in plan.used_sources
        assert plan.source_files(source) == [f"{name}.d"]


def test_the_items_of_a_task_are_read_from_its_files():
    plan = plan_of(transfer={"tasks": {"irony": {**IRONY, "files": ["irony.d"]}}})
    members = [(f"irony.d/{split}.txt", b"yes a b\nno c d\n") for split in ("train", "test")]
    task = build_task("irony", plan.transfer.tasks["irony"], members, sample=False)
    assert task.source == "own_files_irony_task"
    assert {split: list(items.first) for split, items in task.parts.items()} == {
        split: ["a b", "c d"] for split in ("train", "test")
    }


def test_a_task_without_files_of_its_own_keeps_its_source():
    plan = plan_of(transfer={"tasks": {"mr": {"files": ["MR"]}}})
    assert plan.source_files("transfer_sample") is None
    assert plan.transfer.manifests["subj"] == ["results/sample/sources/transfer_sample.json"]
    assert plan.source_files("own_files_mr_task") == ["MR"]


def test_files_without_a_source_are_a_source_of_their_own():
    corpora = {name: {"files": [f"{name}.txt"], "reader": "text"} for name in ("one", "other")}
    models = {
        name: {"family": "random_vectors", "label": name, "corpus": name, "seeds": [1], "parameters": {"dimension": 9}}
        for name in corpora
    }
    plan = plan_of(corpora=corpora, models=models)
    for name in corpora:
        assert plan.manifest(name) == f"results/sample/sources/own_files_{name}_corpus.json"
        assert plan.source_files(plan.corpora[name].source) == [f"{name}.txt"]
        assert plan.corpora[name].source in plan.used_sources


def test_the_same_files_of_one_source_can_be_named_twice():
    plan = plan_of(corpora={"one": TEXT, "other": TEXT})
    assert plan.source_files("sentences") == ["text.txt"]


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            {"corpora": {"one": TEXT, "other": {**TEXT, "files": ["b.txt"]}}},
            r"config.corpora.other.files: expected the same files as in config.corpora.one.files \(text.txt\), because "
            r"both keys set the files of the source 'sentences', found b.txt; next to one of the two keys, set "
            r"`source` to null or to another source",
        ),
        (
            {"corpora": {"one": TEXT}, "retrieval": {"source": "sentences", "files": ["images"]}},
            r"config.retrieval.files: expected the same files as in config.corpora.one.files",
        ),
        ({"corpora": {"one": {"files": []}}}, "corpora.one.files: expected at least 1 entry"),
        (
            {
                "corpora": {
                    "one": {"files": ["a"], "collection": {"sources": ["classic_books"]}, "reader": "collection"},
                }
            },
            "expected exactly one of `source`, `files`, `collection` and `base`, or both `source` and `files`, "
            "found `files` and",
        ),
        ({"transfer": {"tasks": {"irony": IRONY}}}, "tasks.irony: expected `sources` or `files`, found neither"),
    ],
)
def test_mistakes(overrides, message):
    with pytest.raises(SentrepError, match=message):
        plan_of(**overrides)


def test_the_examples_of_the_documentation_can_be_combined():
    text = (ROOT / "docs" / "extending.md").read_text(encoding="utf-8")
    blocks = re.findall(r"\n\n((?:    .*\n|\n)+)", text)
    found = [yaml.safe_load(block) for block in blocks if re.match(r" +(preset|transfer):", block)]
    plan = plan_of(**{key: value for example in found for key, value in example.items() if key != "mirror"})
    assert plan.source_files(plan.corpora["books"].source) == ["/data/my-text.txt"]
    assert [plan.source_files(source) for source in plan.transfer.sources_of["irony"]] == [["/data/irony"]]


def test_proportions_of_splits_are_complete():
    """A split without a proportion would otherwise be found only when the pairs are mined."""
    proportions = {"train": 8, "validation": 1, "test": 1}
    plan_of(pairs={"wikipedia_20": {"settings": {"proportions": proportions}}})
    for wrong in ({"train": 8, "validation": 1}, {**proportions, "test": 0}, {**proportions, "dev": 1}):
        message = r"pairs\.wikipedia_20\.settings\.proportions.*expected.*(test|dev|above 0)"
        with pytest.raises(SentrepError, match=message):
            plan_of(pairs={"wikipedia_20": {"settings": {"proportions": wrong}}})
