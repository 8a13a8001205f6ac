"""Test the sample tasks: they match the generator's output, have suitable sizes, and contain no real items."""

import sys

import pytest

from helpers_evaluation import ROOT, needs_mirror
from helpers_transfer import FOLDERS, TASKS, real_task, sample_members
from sentrep.evaluation.transfer.readers import build_task
from sentrep.sources.registry import source

sys.path.append(str(ROOT / "workflow" / "sample"))

from make_transfer_tasks import transfer_files, write_transfer_tasks

FOLDER = ROOT / "workflow" / "sample" / "transfer"
MADE = [name for name in FOLDERS if name != "mr"]


def test_the_files_are_the_generators(tmp_path):
    written = {path.relative_to(tmp_path): path.read_bytes() for path in write_transfer_tasks(tmp_path)}
    kept = {path.relative_to(FOLDER): path.read_bytes() for path in FOLDER.rglob("*") if path.is_file()}
    assert written == kept
    assert transfer_files(seed=2) != transfer_files(seed=1) == transfer_files()


@pytest.mark.parametrize("name", MADE)
def test_every_item_is_once_in_a_split_of_single_sentences(name):
    task = build_task(name, TASKS[name], sample_members(), sample=True)
    for part in task.parts.values():
        if part.second is None:
            assert len(set(part.first)) == len(part.first)
    if task.classes:
        train = task.parts.get("train", task.parts.get("all"))
        assert min((train.targets == number).sum() for number in range(len(task.classes))) >= 20


def test_sources_say_that_they_are_samples():
    assert "synthetic sample items" in source("transfer_sample").version


@needs_mirror
@pytest.mark.parametrize("name", ["cr", "subj", "trec", "sick"])
def test_no_item_is_from_the_real_task(name):
    made = build_task(name, TASKS[name], sample_members(), sample=True)
    real = {text.lower() for part in real_task(name).parts.values() for text in part.first if len(text.split()) > 5}
    assert not real & {text.lower() for part in made.parts.values() for text in part.first}
