"""Limits on threads, set through environment variables that numerical libraries read when they are loaded."""

from __future__ import annotations

import os


def limit_threads(threads: int) -> None:
    """Keep BLAS, OpenMP and numba within the cores that the scheduler gave this job.

    Call it before numpy, numba or torch is imported: they read these variables once.

    Args:
        threads: number of processor cores.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        os.environ[variable] = str(threads)
    limit_spinning()


def limit_spinning() -> None:
    """Let OpenMP's threads spin for about ten microseconds at a barrier, then sleep; a user's settings stay.

    A training step of an averaging model takes a fraction of a millisecond and ends with a barrier. By default threads
    spin there for milliseconds. On cores shared with other programs they then spin while the thread they wait for is
    not running, which was up to 25 times slower. Threads that sleep at once lose a fifth on an idle machine, as waking
    takes 40 microseconds. GNU's library has a count of spins; others offer only the choice to sleep.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
