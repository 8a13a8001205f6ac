"""Test that moving the files of a source does not rerun any job, but changing their content does."""

import logging
import os
import shutil
from pathlib import Path

import pytest

from conftest import ROOT
from helpers_project import copy_project, snakemake
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.io.files import read_json, write_json
from sentrep.sources import checksums
from sentrep.sources.checksums import Checksums, identity
from sentrep.sources.mirror import find
from sentrep.sources.registry import source

SETS = ROOT / "workflow" / "sample" / "sts"
PAIRS = "results/novels/evaluation/sts.jsonl"


@pytest.fixture
def mirror(tmp_path) -> Path:
    """Write hand-written pairs to the place of the real ones."""
    shutil.copytree(SETS, tmp_path / "mirror" / "sts")
    return tmp_path / "mirror"


def plan(mirror, tmp_path, **more):
    os.chdir(tmp_path)
    return make_plan(resolve({"preset": "novels", "mirror": str(mirror), "papers": ["siamese_cbow"], **more}))


def change(path: Path) -> None:
    """Change one byte without changing the size."""
    content = path.read_bytes()
    path.write_bytes(content[:-2] + bytes([content[-2] ^ 1]) + content[-1:])


def test_the_identity_is_the_content(mirror, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    first = plan(mirror, tmp_path).sources.state("sts_2012")
    assert len(first) == 64
    other = Path(shutil.copytree(mirror, tmp_path / "elsewhere" / "deep"))
    assert plan(other, tmp_path).sources.state("sts_2012") == first
    text = other / "sts" / "2012" / "STS.input.MSRpar.txt"
    os.utime(text, (1, 1))
    assert plan(other, tmp_path).sources.state("sts_2012") == first
    change(text)
    assert plan(other, tmp_path).sources.state("sts_2012") != first
    shutil.copy(mirror / "sts" / "2012" / text.name, text)
    assert plan(other, tmp_path).sources.state("sts_2012") == first
    text.rename(text.with_name("STS.input.other.txt"))
    assert plan(other, tmp_path).sources.state("sts_2012") != first


def test_named_files_at_another_place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    states = []
    for folder in ("a", "b/c"):
        path = tmp_path / folder / "text.txt"
        path.parent.mkdir(parents=True)
        path.write_text("A text.\n")
        corpora = {"books": {"source": "sentences", "files": [str(path)], "reader": "sentences"}}
        states.append(plan(tmp_path, tmp_path, corpora=corpora).sources.state("sentences"))
    assert states[0] == states[1] != ""


def test_a_download_has_the_identity_of_its_copy_in_a_mirror(tmp_path):
    row = next(r for r in map(source, ("msrp_train", "trec", "mr", "sick_train", "questions_words")) if r.addresses)
    row = type(row)(**{**vars(row), "sha256": "ab" * 32})
    copy = tmp_path / row.place.name
    copy.write_bytes(b"x")
    known = Checksums()
    known._known = {f"{copy.resolve()}\t1\t{copy.stat().st_mtime_ns}": "ab" * 32}  # noqa: SLF001
    assert identity(row, [], known) == identity(row, [copy], known) != ""


def test_checksums_are_computed_once(mirror, tmp_path, monkeypatch):
    computed = []
    monkeypatch.setattr(checksums, "sha256", lambda path: computed.append(path.name) or f"{path.stat().st_size:064}")
    files = sorted((mirror / "sts" / "2013").iterdir())
    for times in (len(files), len(files)):
        known = Checksums(tmp_path / "known.json")
        identity(source("sts_2013"), files, known)
        assert len(computed) == times > 5
    os.utime(files[0], (1, 1))
    identity(source("sts_2013"), files, Checksums(tmp_path / "known.json"))
    assert computed[-1:] == [files[0].name]
    assert len(computed) == len(files) + 1
    (tmp_path / "known.json").write_text("{damaged")
    identity(source("sts_2013"), files, Checksums(tmp_path / "known.json"))
    assert len(computed) == 2 * len(files) + 1


def test_manifests_follow_moved_files(mirror, tmp_path, monkeypatch, caplog):
    caplog.set_level(logging.INFO)
    monkeypatch.chdir(tmp_path)
    before = plan(mirror, tmp_path)
    manifest = Path(before.paths.manifest.format(source="sts_2014"))
    manifest.parent.mkdir(parents=True)
    write_json(manifest, find(source("sts_2014"), str(mirror), ""))
    os.utime(manifest, (1000, 1000))
    content = manifest.read_bytes()
    before.sources.relocate()
    assert manifest.read_bytes() == content
    moved = mirror.rename(tmp_path / "moved")
    plan(moved, tmp_path).sources.relocate()
    entries = read_json(manifest)["files"]
    assert all(Path(entry["path"]).parent == moved / "sts" / "2014" for entry in entries)
    assert [entry["sha256"] for entry in entries] == [entry["sha256"] for entry in read_json(manifest)["files"]]
    assert manifest.stat().st_mtime == 1000
    assert "source sts_2014: found the moved files in" in caplog.text
    change(Path(entries[0]["path"]))
    content = manifest.read_bytes()
    plan(moved, tmp_path).sources.relocate()  # the content differs, so the rule runs again
    assert manifest.read_bytes() == content


@pytest.mark.slow
def test_snakemake_reruns_nothing_for_a_moved_mirror(mirror, tmp_path):
    project = copy_project(tmp_path / "project")

    def run(place: Path, *arguments: str) -> str:
        return snakemake(project, PAIRS, *arguments, "--config", "preset=novels", f"mirror={place}", "papers=[cbos]")

    run(mirror)
    pairs = (project / PAIRS).stat().st_mtime_ns
    moved = mirror.rename(tmp_path / "moved")
    assert "Nothing to be done" in run(moved, "--dry-run")
    run(moved)
    assert (project / PAIRS).stat().st_mtime_ns == pairs
    (project / PAIRS).unlink()  # jobs that read the files again find them
    run(moved)
    change(moved / "sts" / "2015" / "STS.gs.images.txt")
    assert "Params have changed" in run(moved, "--dry-run")
