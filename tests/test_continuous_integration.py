"""What GitHub runs is what .ci/run runs; profiles fit the rules."""

import re
import subprocess

import yaml

from conftest import ROOT
from helpers_project import copy_project, snakemake
from test_environments import pins


def test_github_runs_the_same_script():
    workflow = yaml.safe_load((ROOT / ".github/workflows/ci.yml").read_text())
    commands = [step.get("run") for step in workflow["jobs"]["checks"]["steps"]]
    assert ".ci/run" in commands
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(ROOT / ".ci/run")], check=True)
    version = next(step["with"]["python-version"] for step in workflow["jobs"]["checks"]["steps"] if "with" in step)
    assert f"python{version}" in (ROOT / "Makefile").read_text()


def test_catalog_entry():
    usage = yaml.safe_load((ROOT / ".snakemake-workflow-catalog.yml").read_text())["usage"]
    assert usage["software-stack-deployment"]["conda"] is True
    assert (ROOT / "envs").is_dir()
    assert isinstance(usage["report"], bool)


def test_slurm_profile_fits_the_rules():
    profile = yaml.safe_load((ROOT / "profiles/slurm/profile.yaml").read_text())
    default = yaml.safe_load((ROOT / "profiles/default/profile.yaml").read_text())
    text = "".join(path.read_text() for path in (ROOT / "workflow/rules").glob("*.smk"))
    rules = set(re.findall(r"^(?:use )?rule (?:\w+ as )?(\w+)", text, re.MULTILINE))
    named = {*profile["set-resources"], *profile["set-threads"], *profile["slurm-array-jobs"].split(",")}
    assert named <= rules
    # It takes the place of the default profile, so it says the same where a cluster is no different.
    for key in ("rerun-triggers", "rerun-incomplete", "printshellcmds"):
        assert profile[key] == default[key]
    # Rules that ask for all cores of the machine would ask for those of the whole cluster.
    greedy = re.findall(
        r"^rule (\w+):(?:(?!^rule ).)*?^    threads: [^\n]*workflow\.cores", text, re.MULTILINE | re.DOTALL
    )
    assert set(greedy) == set(profile["set-threads"])
    assert {"snakemake-executor-plugin-slurm"} <= set(pins((ROOT / "requirements-slurm.txt").read_text()))


def test_one_gpu_for_each_process_of_training(tmp_path):
    project = copy_project(tmp_path / "project")
    target = "results/sample/models/siamese_cbow/seed1"
    for settings, gpus in (["device=cpu"], 0), (["device=cuda"], 1), (["device=cuda", "processes=2"], 2):
        arguments = [target, "--dry-run", "--resources", "gpu=4", "--config", *settings]
        job = snakemake(project, *arguments).partition("rule train:")[2].partition("\n\n")[0]
        assert f"gpu={gpus}" in job
