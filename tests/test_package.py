"""Test the wheel: its data and metadata, and the command line of an installation without the checkout."""

import os
import re
import subprocess
import sys
import tomllib
import zipfile

import pytest

from conftest import ROOT

TEXT = "".join(f"The {animal} number {i} sat on the mat.\n" for i in range(40) for animal in ("cat", "dog", "bird"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """Build the wheel in a copy of the project, because building leaves files behind."""
    folder = tmp_path_factory.mktemp("wheel")
    copy = folder / "copy"
    git = ["git", "ls-files", "-co", "--exclude-standard"]
    files = subprocess.run(git, cwd=ROOT, capture_output=True, text=True, check=True)
    for name in files.stdout.split("\n"):
        if name.startswith(("workflow/", "setup.py", "pyproject", "README")) and (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            (copy / name).write_bytes((ROOT / name).read_bytes())
    pip = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation"]
    subprocess.run([*pip, "--wheel-dir", str(folder), str(copy)], check=True, capture_output=True)
    return next(folder.glob("*.whl"))


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory):
    """Return a function that runs the installed command line in an empty folder."""
    folder = tmp_path_factory.mktemp("site")
    pip = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--target", str(folder), str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)
    work = tmp_path_factory.mktemp("work")
    environment = {**os.environ, "PYTHONPATH": str(folder), "SENTREP_CACHE": str(work / "cache")}

    def run(*words):
        command = [sys.executable, "-m", "sentrep", *words]
        return subprocess.run(command, cwd=work, env=environment, capture_output=True, text=True, check=False)

    run.work = work
    return run


@pytest.mark.slow
def test_the_wheel_has_its_data(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = set(archive.namelist())
    assert {f"sentrep/workflow/{name}" for name in ("sources.tsv", "tables.yaml", "presets/base.yaml")} <= names
    assert {"sentrep/py.typed", "sentrep/__init__.pyi", "sentrep/report/report.html.jinja"} <= names
    assert sum("sample/sts" in name for name in names) == 40
    assert not any("/scripts/" in name for name in names)


@pytest.mark.slow
def test_an_installation_trains_and_evaluates(installed):
    (installed.work / "my.txt").write_text(TEXT)
    assert installed("train", "my.txt", "model").returncode == 0
    assert installed("encode", "model", "my.txt", "vectors.npy").returncode == 0
    done = installed("evaluate", "model", "--data", "sample")
    assert done.returncode == 0, done.stderr
    assert "mean of 20" in done.stdout


@pytest.mark.slow
def test_an_installation_writes_tables_and_reports(installed):
    run = str(ROOT / "results" / "published" / "novels_encoding_time")
    done = installed("report", run, "--output", "report.html")
    assert done.returncode == 0, done.stderr
    assert "Encoding time" in (installed.work / "report.html").read_text(encoding="utf-8")


@pytest.mark.slow
def test_a_missing_package_is_one_line(installed):
    (installed.work / "my.txt").write_text(TEXT)
    code = (
        "import sys; sys.modules['gensim'] = sys.modules['gensim.models'] = None; from sentrep.cli import main; "
        "sys.exit(main(['train', 'my.txt', 'm', '--family', 'paragraph_vector']))"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow" / "scripts"), "SENTREP_CACHE": str(installed.work)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=installed.work, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert "expected the Python package gensim" in done.stderr.splitlines()[-1]
    assert not (installed.work / "m").exists()


@pytest.mark.slow
def test_help_is_quick(installed):
    times = []
    for _ in range(3):
        before = os.times().children_user
        assert installed("--help").returncode == 0
        times.append(os.times().children_user - before)
    assert min(times) < 0.3  # processor time


@pytest.mark.parametrize(
    ("code", "own"),
    [
        ("import sentrep", 5),
        ("from sentrep.cli import main\ntry:\n    main(['--help'])\nexcept SystemExit:\n    pass", 20),
    ],
)
def test_starting_imports_almost_nothing(code, own):
    """Only the standard library and few modules are imported; they are counted because times depend on the machine."""
    code += "\nimport sys\nsys.stderr.write(' '.join(sys.modules))"
    environment = {**os.environ, "PYTHONPATH": str(ROOT / "workflow" / "scripts")}
    # Without the site module, whose .pth files import packages of the environment.
    command = [sys.executable, "-S", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    modules = done.stderr.split()
    assert {name.partition(".")[0] for name in modules} - sys.stdlib_module_names == {"__main__", "sentrep"}
    assert 1 <= sum(name.startswith("sentrep") for name in modules) <= own
    assert len(modules) < 250


def test_requirements_are_pinned():
    """Every dependency of the package is pinned in requirements.txt, to a version that the package allows."""
    from packaging.requirements import Requirement

    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    texts = [*project["dependencies"], *(text for name in extras if name != "dev" for text in extras[name])]
    declared = [Requirement(text) for text in texts]
    lines = (ROOT / "requirements.txt").read_text(encoding="utf-8").splitlines()
    pinned = dict(re.split(r"==| ", line)[:2] for line in lines if "==" in line)
    assert len(declared) >= 20
    for requirement in declared:
        if requirement.name != "sentrep":
            assert requirement.specifier.contains(pinned[requirement.name]), requirement
    assert set(pinned) == {requirement.name for requirement in declared} - {"sentrep"}
