"""Limits on threads, set through environment variables that numerical libraries read when they are loaded."""

from __future__ import annotations

import os
import sys


def limit_threads(threads: int) -> None:
    """Limit BLAS, OpenMP and numba to the cores that the scheduler assigned to this job.

    Call it before importing numpy, numba or torch, which read these variables once. If numba is loaded, its variable is
    left alone: numba reads it again when it compiles, and refuses another number than that of its threads.

    Args:
        threads: number of processor cores.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        if not (variable == "NUMBA_NUM_THREADS" and "numba" in sys.modules):
            os.environ[variable] = str(threads)
    limit_spinning()


def limit_spinning() -> None:
    """Let OpenMP's threads spin for about ten microseconds at a barrier, then sleep; settings of the user are kept.

    A training step of an averaging model takes a fraction of a millisecond and ends with a barrier. By default threads
    spin there for milliseconds. On cores shared with other programs, they then spin while the thread that they wait for
    is not running, which was up to 25 times slower. Threads that sleep immediately are a fifth slower on an idle
    machine, because waking takes 40 microseconds. GNU's library has a spin count; others only offer the choice to
    sleep.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
