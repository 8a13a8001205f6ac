"""Test the rules that write the report, and Snakemake's own report, in a copy of the project."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from conftest import ROOT
from helpers_project import without_messages

PARTS = ("Snakefile", "config.yaml", "envs", "profiles", "workflow")


def snakemake(folder: Path, *arguments: str) -> str:
    command = [sys.executable, "-m", "snakemake", "--cores", "1", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode == 0, (done.stdout + done.stderr)[-3000:]
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def project(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("project")
    for name in PARTS:
        copy = shutil.copytree if (ROOT / name).is_dir() else shutil.copy
        copy(ROOT / name, folder / name)
    return folder


def test_the_report_is_made_from_all_results(project):
    planned = snakemake(project, "--snakefile", without_messages(project), "--dry-run", "results/report.html")
    (job,) = [part for part in planned.split("rule ") if part.startswith("report:")]
    for name in ("results/table1.csv", "results/provenance.json", "report.css", "report.js"):
        assert name in job


@pytest.mark.slow
def test_snakemakes_own_report(project):
    """An existing table is shown with its caption, and no rule runs to create it."""
    tables = {"sentrep/table1": "table1", "siamese_cbow/table1": "siamese_cbow/table1"}
    made_from = (f"sample/values/{item}.csv" for item in tables)
    made = (f"{stem}.{kind}" for stem in tables.values() for kind in ("csv", "md", "tex", "html"))
    for place, name in enumerate([*made_from, *made]):
        path = project / "results" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("<p>made before</p>")
        os.utime(path, (1_900_000_000 + place, 1_900_000_000 + place))
    arguments = ["--report", "report.html", "--rerun-triggers", "mtime", "--allowed-rules", "table", "--"]
    snakemake(project, *arguments, *(f"results/{stem}.csv" for stem in tables.values()))
    text = (project / "report.html").read_text()
    assert "results/table1.html" in text
    assert "All systems" in text
    assert "Table 1. Correlation with human judgements on 20 STS sets. This result is from the preset sample." in text
    assert "Siamese CBOW, table 1. Pearson" in text
