"""Work spread over processes with a bounded number of pieces in flight, results in order."""

from __future__ import annotations

import multiprocessing
import os
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from typing import Any, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")


def ordered_map(
    work: Callable[[Item], Result],
    items: Iterable[Item],
    processes: int,
    initializer: Callable[..., None] | None = None,
    initargs: tuple[Any, ...] = (),
) -> Iterator[Result]:
    """Yield ``work(item)`` for each item, in order, from ``processes`` processes (in this one if there is one only).

    At most two items per process are taken ahead of the consumer, so memory does not grow with the input
    (``multiprocessing.Pool.imap`` would read all of it).
    """
    if processes <= 1:
        if initializer is not None:
            initializer(*initargs)
        yield from map(work, items)
        return
    context = multiprocessing.get_context("fork")  # the arguments are inherited, not pickled
    with ProcessPoolExecutor(processes, context, initializer, initargs) as pool:
        pool.submit(os.getpid)  # starts the processes now: `items` may start threads, after which forking is unsafe
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
