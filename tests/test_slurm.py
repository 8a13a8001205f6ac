"""A real Slurm of one node runs part of the sample preset: single jobs, sweeps as job arrays, resources, failures."""

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from conftest import ROOT
from helpers_project import copy_project
from helpers_slurm import Slurm

pytestmark = pytest.mark.slow
FIGURE = "results/siamese_cbow/figure3.svg"
PROFILE = yaml.safe_load((ROOT / "profiles" / "slurm" / "profile.yaml").read_text())


@pytest.fixture(scope="module")
def slurm(tmp_path_factory) -> Iterator[Slurm]:
    pytest.importorskip("snakemake_executor_plugin_slurm", reason="pip install -r requirements-slurm.txt")
    cluster = Slurm(tmp_path_factory.mktemp("slurm"))
    cluster.start()
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    """A copy of the project whose profile asks for what this node has, and asks Slurm more often."""
    folder = copy_project(tmp_path_factory.mktemp("project") / "sentrep")
    small = {name: {**values, "mem_mb": 900, "runtime": 30} for name, values in PROFILE["set-resources"].items()}
    changes = {"set-resources": small, "default-resources": {"mem_mb": 500, "runtime": 30}, "latency-wait": 20}
    # Without an accounting database only squeue knows jobs.
    changes |= {"slurm-status-command": "squeue", "slurm-no-account": True, "slurm-keep-successful-logs": True}
    changes |= {"slurm-init-seconds-before-status-checks": 5, "restart-times": 0}
    changes |= {"set-threads": dict.fromkeys(PROFILE["set-threads"], os.cpu_count())}
    (folder / "profiles/slurm/profile.yaml").write_text(yaml.safe_dump({**PROFILE, **changes}))
    return folder


def submit(slurm: Slurm, project: Path, *arguments: str, expect: int = 0) -> str:
    command = [sys.executable, "-m", "snakemake", "--workflow-profile", "profiles/slurm", *arguments]
    return slurm.run(*command, cwd=project, expect=expect)


@pytest.fixture(scope="module")
def output(slurm, project) -> str:
    """What Snakemake said while Slurm made a figure and all that it needs: a sweep of four models."""
    return submit(slurm, project, FIGURE)


def test_every_step_was_a_job_that_completed(slurm, project, output):
    steps = int(re.search(r"(\d+) of \1 steps \(100%\) done", output)[1])
    jobs = slurm.jobs()
    for job in jobs:  # for the log in docs/slurm.md
        print({key: job[key] for key in ("JobId", "JobState", "SubmitTime", "StartTime", "EndTime", "Tres")})
    assert len(jobs) == steps
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}
    assert (project / FIGURE).stat().st_size > 10_000
    assert "Nothing to be done" in submit(slurm, project, "--dry-run", FIGURE)


def test_the_sweep_was_one_array(project, output):
    arrays = re.findall(r"Submitted array job with Snakemake IDs ([\d,]+) and SLURM job ID (\d+)", output)
    points = len(list((project / "results/sample/models").glob("siamese_cbow*/seed1")))
    number = next(number for ids, number in arrays if len(ids.split(",")) == points)
    logs = sorted(path.name for path in (project / ".snakemake/slurm_logs/rule_train").glob("*.log"))
    assert logs == [f"{number}_{task}.log" for task in range(1, points + 1)]


def test_slurm_was_asked_for_what_the_profile_says(slurm, output):
    asked = [dict(entry.split("=") for entry in job["Tres"].split(",")) for job in slurm.jobs()]
    # An array's jobs get a little more, for the list of its tasks.
    assert {entry["mem"] for entry in asked} <= {"500M", "501M", "900M", "901M"}
    assert {entry["cpu"] for entry in asked} == {"1", str(os.cpu_count())}
    assert {job["TimeLimit"] for job in slurm.jobs()} == {"30"}


def test_a_job_that_fails(slurm, project, output):
    """The line that says why is in the log that Snakemake names; nothing half-written is left."""
    target = "results/sample/models/siamese_cbow/seed1"
    settings = "models={siamese_cbow: {parameters: {learning_rate: 1.0e+30, learning_rate_total: null}}}"
    failed = submit(slurm, project, target, "--force", "--config", settings, expect=1)
    assert "SLURM status is: 'FAILED'" in failed
    assert "logs/sample/models/siamese_cbow/seed1.log" in failed
    log = (project / "logs/sample/models/siamese_cbow/seed1.log").read_text()
    assert "error: siamese_cbow: expected a finite loss, found nan in batch" in log
    assert not (project / target).exists()
    assert slurm.jobs()[-1]["JobState"] == "FAILED"
