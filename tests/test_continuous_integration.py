"""Test that GitHub runs all parts of .ci/run, and that the profiles match the rules."""

import os
import re
import subprocess
import tomllib

import yaml

from conftest import ROOT
from helpers_project import copy_project, snakemake
from test_environments import pins


def workflow(name: str) -> dict:
    return yaml.safe_load((ROOT / ".github/workflows" / name).read_text())


def test_github_runs_every_part_of_the_same_script():
    script = (ROOT / ".ci/run").read_text()
    assert (ROOT / ".ci/run").stat().st_mode & 0o111
    subprocess.run(["bash", "-n", str(ROOT / ".ci/run")], check=True)
    commands = [step.get("run", "") for job in workflow("ci.yml")["jobs"].values() for step in job["steps"]]
    in_parallel = [part for command in commands if command.startswith(".ci/run ") for part in command.split()[1:]]
    in_sequence = re.search(r'"\$\{@:-([a-z ]+)\}"', script)[1].split()
    assert sorted(in_parallel) == sorted(in_sequence) == sorted(re.findall(r"^(\w+)\(\) \{", script, re.MULTILINE))
    assert len(in_sequence) == 6


def test_github_jobs_set_up_the_environment_of_the_lock():
    jobs = [*workflow("ci.yml")["jobs"].values(), workflow("docs.yml")["jobs"]["build"]]
    assert all({"uses": "./.github/actions/environment"}.items() <= job["steps"][1].items() for job in jobs)
    action = yaml.safe_load((ROOT / ".github/actions/environment/action.yml").read_text())
    assert any("cache-dependency-glob" in step.get("with", {}) for step in action["runs"]["steps"])


def test_github_tests_every_declared_python():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    declared = [c.rsplit(" ", 1)[1] for c in project["project"]["classifiers"] if "Python :: 3." in c]
    assert workflow("ci.yml")["jobs"]["tests"]["strategy"]["matrix"]["python"] == declared == ["3.11", "3.12", "3.13"]
    assert project["project"]["requires-python"] == ">=3.11,<3.14"
    assert project["tool"]["basedpyright"]["pythonVersion"] == declared[0]
    assert project["tool"]["ruff"]["target-version"] == "py311"


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
    # This profile replaces the default profile, so settings that do not concern the cluster must be the same.
    for key in ("rerun-triggers", "rerun-incomplete", "printshellcmds"):
        assert profile[key] == default[key]
    # Otherwise, rules that request all cores would request all cores of the cluster.
    greedy = re.findall(
        r"^rule (\w+):(?:(?!^rule ).)*?^    threads: [^\n]*workflow\.cores", text, re.MULTILINE | re.DOTALL
    )
    assert set(greedy) == set(profile["set-threads"])
    assert {"snakemake-executor-plugin-slurm"} <= set(pins((ROOT / "requirements-slurm.txt").read_text()))


def test_one_gpu_for_each_process_of_training(tmp_path, monkeypatch):
    """With `device: auto`, a job needs a GPU if there is a driver and torch is not a build without CUDA."""
    project, driver, torch = (tmp_path / name for name in ("project", "driver", "torch"))
    copy_project(project)
    for path, text in (
        (driver / "nvidia-smi", "#!/bin/sh\n"),
        (torch / "torch-9+cu1.dist-info/METADATA", "Version: 9\n"),
    ):
        path.parent.mkdir(parents=True)
        path.write_text(text)
        path.chmod(0o755)
    path = os.pathsep.join([str(torch), *filter(None, [os.environ.get("PYTHONPATH")])])
    with_driver = {"PATH": f"{driver}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": path}
    # Snakemake prints either the message of a job or its resources.
    for name in ("Snakefile", "workflow/rules/training.smk"):
        path = project / name
        path.write_text(re.sub(r'^( +)""".*"""$', r"\1# no message", path.read_text(), flags=re.MULTILINE))
    for model, settings, machine, gpus in (
        ("siamese_cbow", ["device=cpu"], with_driver, 0),
        ("siamese_cbow", ["device=cuda"], {}, 1),
        ("siamese_cbow", ["device=cuda", "processes=2"], {}, 2),
        ("siamese_cbow", ["device=auto"], with_driver, 1),
        ("tfidf", ["device=auto"], with_driver, 0),  # a family that never uses a GPU
    ):
        arguments = [f"results/sample/models/{model}/seed1", "--dry-run", "--resources", "gpu=4", "--config", *settings]
        with monkeypatch.context() as environment:
            for name, value in machine.items():
                environment.setenv(name, value)
            job = snakemake(project, *arguments).partition("rule train:")[2].partition("\n\n")[0]
        assert f"gpu={gpus}" in job, (model, settings)
