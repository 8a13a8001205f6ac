"""Test the output of a run: short reasons, the remaining time, the summary at its end, and errors of failed jobs."""

import logging
import os
import re
import subprocess
import sys
import time

import pytest

import helpers_tables
from conftest import ROOT
from helpers_project import copy_finished, copy_project, snakemake
from sentrep.report.ending import failure, success
from sentrep.runtime import progress
from sentrep.runtime.workflow_log import ReadableLog, short_reason, time_left
from sentrep.tables.values import Values

FILES = ", ".join(f"results/novels/models/model{n}/seed1" for n in range(300))
LOG = """Execute 1 jobs...
[Sun Nov 22 23:05:56 2026]
Job 0: Find the files of source books, or download them.
{blocks}
Exiting because a job execution failed. Look above for error messages
"""
BLOCK = """[Sun Nov 22 23:06:09 2026]
Error in rule {rule}:
    message: None
    jobid: 0
    output: results/x.json
    log: {log} (check log file(s) for error details)
"""


def test_reasons_are_short():
    assert len(FILES) > 2000
    long = f"Missing output files: results/a.csv; Input files updated by another job: {FILES}"
    assert short_reason(long) == (
        "Missing output files: results/a.csv; Input files updated by another job: results/novels/models/model0/seed1, "
        "results/novels/models/model1/seed1, results/novels/models/model2/seed1 and 297 more"
    )
    kept = "Params have changed since last execution"
    assert short_reason(kept) == kept
    assert len(short_reason("Params have changed: " + "x" * 5000)) == 243


def test_records_are_shortened_and_the_time_left_is_estimated(monkeypatch, caplog):
    logger = logging.getLogger("sentrep.test_output")
    clock = iter([0.0, 30.0, 70.0, 80.0])
    monkeypatch.setattr("sentrep.runtime.workflow_log.time.monotonic", lambda: next(clock))
    logger.addFilter(ReadableLog(logger))
    with caplog.at_level(logging.INFO):
        logger.info("job", extra={"reason": f"Input files updated by another job: {FILES}"})
        for done in (2, 5, 10, 11):
            logger.info("progress", extra={"done": done, "total": 110})
    assert len(caplog.records[0].reason) < 240
    assert [r.message for r in caplog.records[1:]] == [
        *("progress", "progress", "about 12 min left, if the remaining jobs take as long on average as the first 10"),
        *("progress", "progress"),
    ]
    assert time_left(5, 10, 20.0).startswith("about 20 s left")
    assert time_left(1, 101, 100.0).startswith("about 2.8 h left")


def test_the_last_line_is_the_error_of_the_job(tmp_path):
    books, other = tmp_path / "books.log", tmp_path / "other.log"
    books.write_text("23:06:07 reading\n23:06:08 error: source books: expected files, found none; set `mirror: DIR`\n")
    other.write_text("23:00:00 Traceback (most recent call last):\n  File x\nKeyError: 'a'\n\n")
    blocks = [("fetch", books), ("train", other), ("fetch", books), ("score", tmp_path / "none.log")]
    log = tmp_path / "snakemake.log"
    log.write_text(LOG.format(blocks="".join(BLOCK.format(rule=rule, log=path) for rule, path in blocks)))
    assert failure([log]).splitlines() == [
        f"error: fetch: source books: expected files, found none; set `mirror: DIR` ({books})",
        f"error: train: KeyError: 'a' ({other})",
        "error: score: no log file; the job may have been killed before it wrote one, or may not have started",
    ]
    log.write_text("".join(BLOCK.format(rule=f"rule{n}", log=books) for n in range(9)))
    assert failure([log]).splitlines()[-1] == f"number of other failed jobs: 4; see {log}"
    assert failure([]) == ""


def test_the_headline_ends_a_run(tmp_path):
    results = tmp_path / "results"
    results.mkdir()
    Values.of(helpers_tables.values(name="sentrep/table1")).write(results / "values.csv")
    assert success(results, "novels", 0.0) == ""  # the results are incomplete
    (results / "provenance.json").write_text("{}")
    text = success(results, "novels", 0.0)
    heading, _, columns, *rows = text.splitlines()
    assert heading.startswith("Mean Pearson's r over ")
    assert heading.endswith(" sets under the paper's protocol (preset novels)")
    assert columns.split() == ["model", "seeds", "mean", "r", "95%", "interval", "published"]
    best, *_ = rows
    assert best.startswith("Siamese CBOW")
    assert best.endswith(".4620") or ".46" in best
    assert any(row.startswith("Untrained (untrained)") for row in rows)
    assert "report: not written" in text
    assert "sentrep encode" in text
    assert f"{results}/novels/models/siamese_cbow/seed1" in text
    (results / "report.html").write_text("x")
    assert f"report: {results}/report.html" in success(results, "novels", 0.0)
    os.utime(results / "provenance.json", (1, 1))
    assert success(results, "novels", time.time()) == ""  # these are the results of an earlier run


@pytest.mark.slow
def test_readme_shows_what_a_run_prints(tmp_path):
    """The README shows the first lines of the summary. Scores may differ slightly between processors."""
    project = copy_finished(tmp_path / "sentrep")
    snakemake(project, "results/provenance.json")
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (shown,) = re.findall(r"```text\n(Mean Pearson.*?)\n```", text, re.DOTALL)
    lines, printed = shown.splitlines(), success(project / "results", "sample", 0.0).splitlines()
    assert lines[:3] == printed[:3]
    assert len(lines) > 3
    for line, expected in zip(lines[3:], printed[3:], strict=False):
        (label, *numbers), (same, *others) = (re.split(r"\s{2,}", text) for text in (line, expected))
        assert label == same
        assert list(map(float, numbers)) == pytest.approx(list(map(float, others)), abs=0.02)


def test_progress_names_model_and_seed(caplog):
    with caplog.at_level(logging.INFO, logger="sentrep.progress"):
        with progress.about("cbos_small, seed 3"):
            progress.Progress(10, "sentences", "cbos", interval=0).advance(5)
        progress.Progress(10, "sentences", "cbos", interval=0).advance(5)
    inside, outside = caplog.messages
    assert inside.startswith("cbos_small, seed 3 (cbos): 50.0%, 5 sentences")
    assert outside.startswith("cbos: 50.0%")


@pytest.mark.parametrize("cores", ["0", "-2"])
def test_no_cores_are_one_line(cores):
    command = [sys.executable, "-m", "snakemake", "--cores", cores, "--dry-run", "results/table1.csv"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=300, check=False)
    assert done.returncode == 1
    assert f"--cores: expected `all` or a number of at least 1, found {cores};" in done.stdout + done.stderr


@pytest.mark.slow
def test_the_error_of_a_job_is_the_last_line_of_a_run(tmp_path):
    project = copy_project(tmp_path / "project")
    command = [sys.executable, "-m", "snakemake", "--cores", "1", "results/novels/sources/books.json"]
    command += ["--config", "preset=novels"]
    done = subprocess.run(command, cwd=project, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 1
    last = (done.stdout + done.stderr).rstrip().splitlines()[-1]
    assert last.startswith("error: fetch: source books: expected files that match books/novels-0*.tar.xz")
