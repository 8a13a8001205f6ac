"""Test that compiled code in the cache is not used after one of its source files has changed."""

import os
import subprocess
import sys

import numpy as np
import pytest

from sentrep.training.averaging import cpu_gradients, cpu_losses
from sentrep.training.compiled import sources

_PIECES = """from numba import njit

@njit
def answer(x):
    return x + {number}
"""
_ENTRY = """import pieces
from numba import njit
from sentrep.training.compiled import sources

SOURCES = sources(pieces)

@njit(cache=True)
def entry(x, sources):
    return pieces.answer(x)
"""
_RUN = """import entry
print(entry.entry(1, entry.SOURCES), sum(entry.entry.stats.cache_hits.values()))
"""


def test_the_type_names_the_modules():
    one, two = sources(cpu_losses), sources(cpu_gradients)
    assert one.dtype == sources(cpu_losses).dtype
    assert len({one.dtype, two.dtype, sources(cpu_losses, cpu_gradients).dtype}) == 3
    assert one.shape == (0,)
    assert isinstance(one, np.ndarray)


@pytest.mark.slow
def test_a_changed_callee_is_compiled_anew(tmp_path):
    (tmp_path / "entry.py").write_text(_ENTRY)

    def run(number):
        (tmp_path / "pieces.py").write_text(_PIECES.format(number=number))
        path = os.pathsep.join([str(tmp_path), *sys.path])
        environment = {**os.environ, "PYTHONPATH": path, "PYTHONDONTWRITEBYTECODE": "1"}
        done = subprocess.run([sys.executable, "-c", _RUN], env=environment, capture_output=True, text=True, check=True)
        return done.stdout.split()

    assert run(10) == ["11", "0"]
    assert run(10) == ["11", "1"]  # loaded from the cache
    assert run(20) == ["21", "0"]
