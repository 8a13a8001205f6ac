"""Set environment variables that limit the number of threads of numerical libraries."""

from __future__ import annotations

import os
import sys


def limit_threads(threads: int) -> None:
    """Limit BLAS, OpenMP and numba to ``threads`` threads each.

    The limits are set in environment variables. Call this function before numpy, numba or torch is imported, because
    these libraries read the variables on import. If numba has already been imported, ``NUMBA_NUM_THREADS`` is not
    changed: numba reads this variable again whenever it compiles a function, and raises an error if the value differs
    from the number of threads that it has started.

    Args:
        threads: maximum number of threads, usually the number of CPU cores that are assigned to the job.
    """
    for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"):
        if not (variable == "NUMBA_NUM_THREADS" and "numba" in sys.modules):
            os.environ[variable] = str(threads)
    limit_spinning()


def limit_spinning() -> None:
    """Let OpenMP threads spin at a barrier for about ten microseconds before they sleep.

    Environment variables that the user has set are kept.

    A training step of an averaging model takes a fraction of a millisecond and ends with a barrier, where threads spin
    for milliseconds by default. If other programs use the same cores, threads may spin while the thread that they wait
    for is not running. On a busy machine, such spinning made training up to 25 times slower. If threads sleep
    immediately instead of spinning, training on an idle machine is a fifth slower, because waking a thread takes 40
    microseconds. The limit of ten microseconds applies only to GNU OpenMP; with other implementations, threads sleep
    immediately.
    """
    os.environ.setdefault("OMP_WAIT_POLICY", "passive")
    os.environ.setdefault("GOMP_SPINCOUNT", "1000")
