"""Test that faults that previously caused a traceback are reported in one line."""

import errno
import gzip
import json
import os
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from conftest import ROOT
from helpers_faults import ENVIRONMENT, without_rights
from helpers_project import copy_project, snakemake
from helpers_store import random_store, save_store
from sentrep.cli import main
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.io.yaml_files import read_yaml
from sentrep.runtime.one_line import one_line_errors

MODEL = "results/sample/models/siamese_cbow/seed1"


@pytest.fixture
def store(tmp_path) -> Path:
    save_store(random_store(3, 400, 60), tmp_path / "store")
    return tmp_path / "store"


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--seed", "-1"], "seed: expected a number from 0"),
        (["--seed", str(2**64)], "seed: expected a number from 0"),
        (["--parameters", "[]"], "--parameters: expected a JSON object, found []"),
        (["--parameters", "3"], "--parameters: expected a JSON object"),
        (
            ["--parameters", '{"dimension": 1000000000000}'],
            "memory: expected enough memory for this job, found too little",
        ),
    ],
)
def test_options_of_training(store, tmp_path, capsys, options, message):
    arguments = ["train", str(store), str(tmp_path / "m"), "--family", "random_vectors", "--device", "cpu"]
    assert main([*arguments, *options]) == 1
    error = capsys.readouterr().err.splitlines()[-1]
    assert error.startswith("error: ")
    assert message in error
    assert sorted(path.name for path in tmp_path.iterdir()) == ["store"]


@pytest.mark.parametrize(
    "error", [MemoryError(), RuntimeError("[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried"),
              RuntimeError("CUDA out of memory. Tried to allocate"), ValueError("array is too big")]
)  # fmt: skip
def test_too_little_memory(error):
    with pytest.raises(SentrepError, match="expected enough memory for this job, found too little"), one_line_errors():
        raise error


def test_a_limit_on_memory_is_one_line(store, tmp_path):
    """Limit the memory as `ulimit -v` and job schedulers do."""
    code = "import resource, sys; from sentrep.cli import main; import numpy, sentrep.families.random_vectors; "
    code += "resource.setrlimit(resource.RLIMIT_AS, (3 << 30,) * 2); sys.exit(main(sys.argv[1:]))"
    arguments = ["train", str(store), str(tmp_path / "m"), "--family", "random_vectors", "--device", "cpu"]
    arguments += ["--parameters", '{"dimension": 20000000}']
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: memory: expected enough")
    assert "Traceback" not in done.stderr


def test_a_text_that_expands_beyond_the_memory_is_one_line(tmp_path):
    """A bomb: 6 MB that expand to 2 GB."""
    (tmp_path / "bomb.txt.gz").write_bytes(gzip.compress(b"A sentence is here. " * 1_000_000) * 100)
    code = "import resource, sys; from sentrep.cli import main; import sentrep.corpora.build_store; "
    code += "used = int(open('/proc/self/statm').read().split()[0]) * resource.getpagesize(); "
    code += "resource.setrlimit(resource.RLIMIT_AS, (used + (600 << 20),) * 2); sys.exit(main(sys.argv[1:]))"
    arguments = ["train", str(tmp_path / "bomb.txt.gz"), str(tmp_path / "m"), "--family", "random_vectors"]
    arguments += ["--format", "text", "--threads", "1", "--device", "cpu", "--cache", str(tmp_path / "cache")]
    done = subprocess.run(
        [sys.executable, "-c", code, *arguments], env=ENVIRONMENT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1].startswith("error: memory: expected enough")
    assert "Traceback" not in done.stderr
    assert not (tmp_path / "m").exists()
    assert not list((tmp_path / "cache").rglob("*.*"))


def test_other_errors_keep_their_traceback():
    with pytest.raises(ZeroDivisionError), one_line_errors():
        raise ZeroDivisionError


@pytest.mark.parametrize("text", ["[]", "3", "null", "{}", '{"preset": "sample"', "\0"])
def test_damaged_records_of_a_run(tmp_path, capsys, text):
    """The file provenance.json has another structure or lacks required keys."""
    (tmp_path / "results").mkdir()
    (tmp_path / "results/provenance.json").write_text(text)
    (tmp_path / "results/values.csv").touch()
    commands = (
        ["publish", "--project", str(tmp_path), str(tmp_path / "out")],
        ["verify", "--project", str(tmp_path)],
        ["claims", str(tmp_path / "results")],
        ["report", str(tmp_path / "results")],
    )
    for command in commands:
        assert main(command) == 1
        error = capsys.readouterr().err
        assert error.startswith("error: ")
        assert error.count("\n") == 1


def test_a_missing_key_is_one_line_at_any_depth(tmp_path):
    (tmp_path / "x.json").write_text(json.dumps({"a": [{"b": 1}]}))
    value = read_json(tmp_path / "x.json")
    assert value == {"a": [{"b": 1}]}
    assert value.get("c") is None
    for missing in (lambda: value["c"], lambda: value["a"][0]["d"]):
        with pytest.raises(SentrepError, match=r"x\.json: expected the key '[cd]', found no such key"):
            missing()


SECTIONS = ["models", "corpora", "transfer", "retrieval", "tables", "sweeps", "pairs", "analogies", "aggregation",
            "nearest_sentences", "papers", "evaluation"]  # fmt: skip


@pytest.mark.parametrize("value", [None, 3, "text", ["a"]])
@pytest.mark.parametrize("section", SECTIONS)
def test_an_empty_section_of_the_configuration(section, value):
    with pytest.raises(SentrepError, match=rf"config\.{section}"):
        make_plan(resolve({section: value}))


@pytest.mark.parametrize(
    ("models", "message"),
    [
        ({"a": {"base": "b"}, "b": {"base": "c"}, "c": {"base": "a"}}, "found the cycle a -> b -> c -> a"),
        ({"a": {"base": "a"}}, "found the cycle a -> a"),
        ({"a": {"base": ["b"]}}, "expected a known model"),
        ({"a": {"base": "b"}, "b": 3}, r"config\.models\.[ab]"),
    ],
)
def test_models_that_are_based_on_each_other(models, message):
    with pytest.raises(SentrepError, match=message):
        resolve({"models": models})


COMPILE = textwrap.dedent("""
    import sys
    from pathlib import Path
    from sentrep.runtime.one_line import one_line_errors
    from sentrep.errors import SentrepError
    try:
        with one_line_errors():
            from sentrep.corpora.whitespace import squeeze_lines
            print(squeeze_lines("a  b")[0])
    except SentrepError as error:
        sys.exit(f"error: {error}")
""")


def test_a_truncated_file_of_compiled_code(tmp_path):
    """Previously, numba failed in every run until the file was deleted."""
    environment = {**ENVIRONMENT, "NUMBA_CACHE_DIR": str(tmp_path)}

    def run() -> subprocess.CompletedProcess:
        command = [sys.executable, "-c", COMPILE]
        return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert run().stdout == "a b\n"
    for pattern in ("*.nbi", "*.nbc"):
        files = list(tmp_path.rglob(pattern))
        assert files
        for path in files:
            path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])
        for _ in files:
            done = run()
            if done.returncode == 0:
                break
            assert done.stderr.startswith("error: ")
            assert done.stderr.count("\n") == 1
            assert "run the same command again" in done.stderr
        assert run().stdout == "a b\n"


def test_a_full_disk_does_not_delete_compiled_code(tmp_path):
    """numba's caching code also raises errors that do not mean that its files are damaged."""
    index = tmp_path / "loop.nbi"
    index.write_bytes(b"compiled")
    caching = "def load(self, error):\n    raise error\n"
    scope: dict[str, Any] = {}
    exec(compile(caching, "numba/core/caching.py", "exec"), scope)
    numbas = SimpleNamespace(_index_path=str(index))
    with pytest.raises(OSError, match="No space left"), one_line_errors():
        scope["load"](numbas, OSError(errno.ENOSPC, "No space left on device"))
    assert index.exists()
    with pytest.raises(SentrepError, match="found a damaged file"), one_line_errors():
        scope["load"](numbas, ValueError("truncated"))
    assert not index.exists()


def test_a_checkout_and_a_home_that_cannot_be_written(tmp_path):
    """Previously, numba found no folder for its cache, and the library could not be imported."""
    shutil.copytree(
        ROOT / "workflow/scripts/sentrep", tmp_path / "x/sentrep", ignore=shutil.ignore_patterns("__pycache__")
    )
    (tmp_path / "home").mkdir()
    for path in [tmp_path / "home", *(p for p in (tmp_path / "x").rglob("*") if p.is_dir())]:
        path.chmod(0o555)
    try:
        variables = [f"PYTHONPATH={tmp_path / 'x'}", f"HOME={tmp_path / 'home'}", f"TMPDIR={tmp_path}"]
        status, printed = without_rights("env", "-u", "NUMBA_CACHE_DIR", *variables, sys.executable, "-c", COMPILE)
    finally:
        for path in [tmp_path / "home", *(p for p in (tmp_path / "x").rglob("*") if p.is_dir())]:
            path.chmod(0o755)
    assert (status, printed) == (0, "a b\n")
    assert list(tmp_path.glob(f"sentrep-numba-{os.getuid()}/**/*.nbi"))


@pytest.mark.parametrize("label", ["a\nb", "", " ", "a\0", "a\rb", "a\x85b", None, 7])
def test_a_label_that_is_no_line(label):
    """Previously, such a label broke the rows of tables."""
    with pytest.raises(
        SentrepError, match=r"config\.models\.siamese_cbow\.label: expected (a non-empty label without control|text)"
    ):
        resolve({"models": {"siamese_cbow": {"label": label}}})


def test_a_label_with_dollars_in_a_figure(tmp_path):
    """Previously, matplotlib interpreted the label as a formula and failed."""
    from sentrep.tables import style

    for label in (r"$\foo$", "$5 and 6$", "a_b^c"):
        figure, axes = style.new_figure(1, 1, 3, 2)
        axes[0, 0].plot([0, 1], [0, 1])
        style.label_ends(axes[0, 0], [(1, 1, label, style.BLUE)])
        style.save(figure, {"svg": tmp_path / "x.svg", "pdf": tmp_path / "x.pdf"}, label)
        assert f"<!-- {label} -->" in (tmp_path / "x.svg").read_text()


LABELS = {"*x": False, "@x": False, "[a] b": False, "%5": False, "'*x'": True, '"%5"': True, "'[a] b'": True}


@pytest.mark.slow
def test_labels_that_yaml_reads_otherwise(tmp_path):
    """Previously, Snakemake named neither the file nor the line."""
    project = copy_project(tmp_path / "project")
    for label, right in LABELS.items():
        (project / "config.yaml").write_text(f"models:\n  siamese_cbow:\n    label: {label}\n")
        output = snakemake(project, "--dry-run", MODEL, expect=0 if right else 1)
        if not right:
            assert "config.yaml: expected valid YAML, found " in output
            assert "line 3" in output
            assert "put quotation marks around strings that begin with a special character" in output
        assert "Traceback" not in output


def test_a_key_that_occurs_twice(tmp_path):
    path = tmp_path / "config.yaml"
    path.write_text("base: &base {a: 1}\nmodels:\n  <<: *base\n  a: 2\n")
    assert read_yaml(path)["models"] == {"a": 2}
    path.write_text("models: {a: 1}\nsweeps: {}\nmodels: {b: 1}\n")
    with pytest.raises(SentrepError, match=r"config.yaml: expected valid YAML, found .*'models' twice .*line 3"):
        read_yaml(path)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["a [b]", "c:d"])
def test_a_project_and_a_mirror_with_signs_in_their_paths(tmp_path, name):
    project = copy_project(tmp_path / name)
    mirror = tmp_path / "mirror [1]"
    (mirror / "books").mkdir(parents=True)
    (mirror / "books/novels-000.tar.xz").touch()
    config = ["--config", "preset=novels", f"mirror={mirror}", "papers=[siamese_cbow]"]
    output = snakemake(project, "results/novels/sources/books.json", *config, expect=int(":" in name))
    if ":" in name:
        assert "expected a path without ':'" in output
        assert "Traceback" not in output
    else:
        (entry,) = read_json(project / "results/novels/sources/books.json")["files"]
        assert Path(entry["path"]).name == "novels-000.tar.xz"
