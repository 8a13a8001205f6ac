"""Work spread over processes with a bounded number of pieces in flight, results in order."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


class OrderedMap(Protocol):
    """What :func:`worker_processes` yields."""

    def __call__(self, work: Callable[[Item], Result], items: Iterable[Item]) -> Iterator[Result]:
        """Yield ``work(item)`` for each item, in order."""


@contextlib.contextmanager
def worker_processes(
    processes: int, initializer: Callable[..., None] | None = None, initargs: tuple[Any, ...] = ()
) -> Iterator[OrderedMap]:
    """Start processes; yield a ``map`` that works in them (in this one if there is one only).

    At most two items per process are taken ahead of the consumer, so memory does not grow with the input
    (``multiprocessing.Pool.imap`` would read all of it).
    """
    if processes <= 1:
        if initializer is not None:
            initializer(*initargs)
        yield map
        return
    context = multiprocessing.get_context("fork")  # the arguments are inherited, not pickled
    with ProcessPoolExecutor(processes, context, initializer, initargs) as pool:
        pool.submit(os.getpid)  # starts the processes now: items may start threads, after which forking is unsafe

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
    """Yield ``work(item)`` for each item, in order, from processes of its own (see :func:`worker_processes`)."""
    with worker_processes(processes, initializer, initargs) as ordered:
        yield from ordered(work, items)
