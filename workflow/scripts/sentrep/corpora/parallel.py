"""Apply a function to items in worker processes; only a few items are read ahead, and results are in input order."""

from __future__ import annotations

import contextlib
import ctypes
import multiprocessing
import os
import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

from sentrep.errors import SentrepError

Item = TypeVar("Item")
Result = TypeVar("Result")

_PR_SET_PDEATHSIG = 1

OrderedMap = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""A function like ``map`` that may call the mapped function in other processes."""


@contextlib.contextmanager
def worker_processes(
    processes: int, initializer: Callable[..., None] | None = None, initargs: tuple[Any, ...] = ()
) -> Iterator[OrderedMap]:
    """Start worker processes, and yield a function like ``map`` that calls the mapped function in these processes.

    About two items per process are read ahead of the consumer, so that memory use does not grow with the size of the
    input; ``multiprocessing.Pool.imap`` would read the complete input. Worker processes end when this process ends; on
    Linux, they also end if this process is killed.

    Args:
        processes: number of worker processes; with 1, all work is done in this process.
        initializer: function that each process calls when it starts, or None.
        initargs: arguments of ``initializer``.

    Raises:
        SentrepError: a worker process ended unexpectedly, for example because it was killed.
    """
    if processes <= 1:
        if initializer is not None:
            initializer(*initargs)
        yield map
        return
    context = multiprocessing.get_context("fork")  # the arguments of the initializer are inherited, not pickled
    began = (os.getpid(), initializer, initargs)
    with one_line_if_killed(), ProcessPoolExecutor(processes, context, _begin_worker, began) as pool:
        # Start the processes now, because iterating over items may start threads, after which forking is unsafe.
        pool.submit(os.getpid)

        def ordered(work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
            pending: deque[Any] = deque()
            try:
                for item in items:
                    pending.append(pool.submit(work, item))
                    if len(pending) > 2 * processes:
                        yield pending.popleft().result()
                while pending:
                    yield pending.popleft().result()
            finally:
                for future in pending:
                    future.cancel()

        yield ordered


@contextlib.contextmanager
def one_line_if_killed() -> Iterator[None]:
    """Raise a one-line error if a worker process ends unexpectedly during a ``with`` block."""
    try:
        yield
    except BrokenProcessPool:
        raise SentrepError(
            "worker processes",
            expected="all processes to finish",
            found="a process that ended unexpectedly, possibly because memory ran out",
            remedy="run the same command again with fewer processor cores or more memory",
        ) from None


def _begin_worker(parent: int, initializer: Callable[..., None] | None, initargs: tuple[Any, ...]) -> None:
    """Prepare a new worker process: replace signal handlers, make it end with its parent, and call the initializer."""
    # If an inherited signal handler raised an exception, the worker would stay alive, and the parent would wait for it.
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C reaches all processes, and the parent ends its workers
    end_with(parent)
    if initializer is not None:
        initializer(*initargs)


def end_with(parent: int) -> None:
    """Make the kernel end this process when its parent ends, even if the parent is killed (Linux only).

    Args:
        parent: id of the parent process.
    """
    with contextlib.suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
    if os.getppid() != parent:  # the parent has already ended
        os._exit(1)


def ordered_map(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    processes: int,
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
) -> Iterator[Result]:
    """Apply ``work`` to items in new worker processes, and yield the results in order; see :func:`worker_processes`."""
    with worker_processes(processes, initializer, initargs) as ordered:
        yield from ordered(work, items)
