"""Map a function over items in worker processes, in order, with a bounded number of items in flight."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


OrderedMap = Callable[[Callable[[Any], Any], Iterable[Any]], Iterator[Any]]
"""A function like ``map`` whose work may run in other processes."""


@contextlib.contextmanager
def worker_processes(
    processes: int, initializer: Callable[..., None] | None = None, initargs: tuple[Any, ...] = ()
) -> Iterator[OrderedMap]:
    """Start worker processes and yield a ``map`` that runs in them (in this process if ``processes`` is 1).

    At most two items per process are read ahead of the consumer, so memory does not grow with the input
    (``multiprocessing.Pool.imap`` would read all of it).
    """
    if processes <= 1:
        if initializer is not None:
            initializer(*initargs)
        yield map
        return
    context = multiprocessing.get_context("fork")  # the arguments are inherited, not pickled
    with ProcessPoolExecutor(processes, context, initializer, initargs) as pool:
        # start the processes now: iterating over items may start threads, and then forking is unsafe
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


def ordered_map(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    processes: int,
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
) -> Iterator[Result]:
    """Yield ``work(item)`` for each item, in order, from new worker processes (see :func:`worker_processes`)."""
    with worker_processes(processes, initializer, initargs) as ordered:
        yield from ordered(work, items)
