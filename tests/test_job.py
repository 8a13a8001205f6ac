"""Test jobs of rules: threads are limited before libraries are imported, and functions get their arguments."""

import os
import subprocess
import sys
from types import SimpleNamespace

import pytest

from conftest import ROOT
from helpers_evaluation import Names
from sentrep.runtime.job import call
from sentrep.runtime.threads import limit_threads

PROBE = """
import os
import sys
from pathlib import Path

assert os.environ["OMP_NUM_THREADS"] == os.environ["NUMBA_NUM_THREADS"] == {threads!r}
assert not {{"numpy", "scipy", "pandas", "torch", "numba"}} & set(sys.modules), "imported before the limit"


def main(text: str, output: str) -> None:
    Path(output).write_text(text)
"""
JOB = """
from types import SimpleNamespace

from sentrep.runtime.job import call

call(
    SimpleNamespace(
        input={{}}, output={{"output": {output!r}}}, params={params!r}, wildcards={{}}, log=[], threads=3
    )
)
"""


@pytest.mark.parametrize(("params", "threads"), [({}, "3"), ({"cores": 1}, "1")])
def test_threads_are_limited_before_imports(tmp_path, params, threads):
    (tmp_path / "probe.py").write_text(PROBE.format(threads=threads))
    given = {"call": "probe.main", "code": "digest", "text": "done", **params}
    job = JOB.format(output=str(tmp_path / "out.txt"), params=given)
    environment = {"PYTHONPATH": f"{tmp_path}:{ROOT / 'workflow' / 'scripts'}", "OMP_NUM_THREADS": "64"}
    subprocess.run([sys.executable, "-c", job], env=environment, check=True)
    assert (tmp_path / "out.txt").read_text() == "done"


def test_arguments(tmp_path, monkeypatch):
    (tmp_path / "collected.py").write_text(
        "GIVEN = {}\n\n\ndef main(a, b, c, d, threads, provenance, seed, **more):\n    GIVEN.update(locals())\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    snakemake = SimpleNamespace(
        input=Names(a="a.csv", extra="x.csv"),
        output=Names(b="b.csv"),
        params=Names(call="collected.main", code="digest", c=[1], keywords={"d": 2}),
        wildcards=Names(seed="1", model="m"),
        log=[],
        threads=2,
    )
    call(snakemake)
    import collected

    expected = {"a": "a.csv", "b": "b.csv", "c": [1], "d": 2, "threads": 2, "provenance": {"code": "digest"}}
    assert {**expected, "seed": "1", "more": {"extra": "x.csv"}} == collected.GIVEN


def test_names_of_arguments_are_distinct(tmp_path, capsys):
    snakemake = SimpleNamespace(
        input=Names(a="a.csv"), output=Names(), params=Names(call="os.path.join", a=1), log=[], threads=1
    )
    with pytest.raises(SystemExit):
        call(snakemake)
    assert "two of its inputs, outputs and parameters have the same name" in capsys.readouterr().err


def test_the_threads_of_a_loaded_numba_are_left_alone(monkeypatch):
    monkeypatch.delenv("NUMBA_NUM_THREADS", raising=False)
    assert "numba" in sys.modules
    limit_threads(1)
    assert "NUMBA_NUM_THREADS" not in os.environ  # otherwise, numba would refuse to compile
    assert os.environ["OMP_NUM_THREADS"] == "1"


def test_a_finished_job_ends_without_clean_up(tmp_path):
    """The log is complete and the status is 0, but exit handlers are not called."""
    job = (
        "import atexit, logging\n"
        "from sentrep.runtime.job import end\n"
        "logging.basicConfig(filename='job.log', level='INFO')\n"
        "logging.info('last line')\n"
        "print('printed')\n"
        "atexit.register(open, 'cleaned', 'w')\n"
        "end()\n"
    )
    environment = {"PYTHONPATH": str(ROOT / "workflow" / "scripts")}
    done = subprocess.run([sys.executable, "-c", job], env=environment, cwd=tmp_path, capture_output=True, check=True)
    assert done.stdout == b"printed\n"
    assert "last line" in (tmp_path / "job.log").read_text()
    assert not (tmp_path / "cleaned").exists()
