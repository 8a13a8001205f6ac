"""Test that a real Slurm cluster of one node runs the whole sample workflow: jobs, job arrays and resources.

On two cores, this takes almost an hour, nearly all of it for starting Python.
"""

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
    """Return a copy of the project whose profile requests the resources of this node and queries Slurm more often."""
    folder = copy_project(tmp_path_factory.mktemp("project") / "sentrep")
    small = {name: {**values, "mem_mb": 900, "runtime": 60} for name, values in PROFILE["set-resources"].items()}
    changes = {"set-resources": small, "default-resources": {"mem_mb": 500, "runtime": 60}, "latency-wait": 20}
    # Without an accounting database, only squeue lists jobs.
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
    """Return the output of Snakemake for a run in which Slurm created all results."""
    return submit(slurm, project)


def test_every_step_was_a_job_that_completed(slurm, project, output):
    steps = int(re.search(r"(\d+) of \1 steps \(100%\) done", output)[1])
    jobs = slurm.jobs()
    for job in jobs:  # this output is used for the log in docs/slurm.md
        print({key: job[key] for key in ("JobId", "JobState", "SubmitTime", "StartTime", "EndTime", "Tres")})
    # `rule all` has no outputs and is not submitted as a job.
    assert len(jobs) == steps - 1 > 300
    assert {job["JobState"] for job in jobs} == {"COMPLETED"}
    assert "Nothing to be done" in submit(slurm, project, "--dry-run")


def test_a_sweep_was_one_array(project, output):
    arrays: dict[str, set[str]] = {}
    for path in (project / ".snakemake/slurm_logs/rule_train").glob("*_*.log"):
        # the first job of the array is named before this line
        model = re.findall(r"model=([^,\s]+)", path.read_text())[-1]
        arrays.setdefault(model, set()).add(path.name.split("_")[0])
    for sweep in ("siamese_cbow~negatives=", "siamese_cbow~dimension=", "cbos~context="):
        own = [numbers for model, numbers in arrays.items() if model.startswith(sweep)]
        assert len(own) > 2
        assert len(set.union(*own)) == 1, sweep


def test_slurm_was_asked_for_what_the_profile_says(slurm, output):
    asked = [dict(entry.split("=") for entry in job["Tres"].split(",")) for job in slurm.jobs()]
    # The jobs of an array request slightly more memory, for the list of tasks.
    assert {entry["mem"] for entry in asked} <= {"500M", "501M", "900M", "901M"}
    assert {entry["cpu"] for entry in asked} == {"1", str(os.cpu_count())}
    assert {job["TimeLimit"] for job in slurm.jobs()} == {"60"}


def test_a_job_that_fails(slurm, project, output):
    """The log that Snakemake names contains the reason, and no partial output is left."""
    target = "results/sample/models/siamese_cbow/seed1"
    settings = "models={siamese_cbow: {parameters: {learning_rate: 1.0e+30, learning_rate_total: null}}}"
    failed = submit(slurm, project, target, "--force", "--config", settings, expect=1)
    assert "SLURM status is: 'FAILED'" in failed
    assert "logs/sample/models/siamese_cbow/seed1.log" in failed
    log = (project / "logs/sample/models/siamese_cbow/seed1.log").read_text()
    assert "error: siamese_cbow: expected a finite loss, found a loss of nan in batch" in log
    assert not (project / target).exists()
    assert slurm.jobs()[-1]["JobState"] == "FAILED"
