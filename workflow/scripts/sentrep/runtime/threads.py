"""Limit the number of threads of numerical libraries, by setting environment variables that they read on import."""

from __future__ import annotations

import os
import sys


def limit_threads(threads: int) -> None:
    """Limit BLAS, OpenMP and numba to ``threads`` threads.

    Call this function before importing numpy, numba or torch, because they read the environment variables only when
    they are imported. If numba has been imported, NUMBA_NUM_THREADS is not changed: numba reads this variable again
    whenever it compiles a function, and raises an error if the value differs from the number of running threads.

    Args:
        threads: number of processor cores that the scheduler assigned to this job.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        if not (variable == "NUMBA_NUM_THREADS" and "numba" in sys.modules):
            os.environ[variable] = str(threads)
    limit_spinning()


def limit_spinning() -> None:
    """Make OpenMP threads that wait at a barrier sleep after about ten microseconds of spinning.

    Environment variables that the user has set are kept.

    A training step of an averaging model takes a fraction of a millisecond and ends with a barrier, where threads spin
    for milliseconds by default. If other programs use the same cores, threads may spin while the thread that they wait
    for is not running. Such spinning made training up to 25 times slower. If threads sleep immediately
    instead of spinning, training on an idle machine is a fifth slower, because waking a thread takes 40 microseconds.
    The limit on spinning applies only to GNU OpenMP; with other implementations, threads sleep immediately.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
