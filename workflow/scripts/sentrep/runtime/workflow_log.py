"""Readable output of Snakemake: short reasons, and an estimate of the time left.

This package does not import Snakemake: :class:`ReadableLog` is a filter of the standard library's logging, and
Snakemake hands its records to it.
"""

from __future__ import annotations

import logging
import re
import time

_LONGEST = 240  # characters of a reason
_ITEMS = 3  # files of a list that are named
_FIRST = 5  # jobs that must be done before the time left is estimated
_EVERY = 60  # seconds between two estimates


class ReadableLog(logging.Filter):
    """Shorten the reasons of jobs, and log after some of them how long the others may take.

    Args:
        logger: Snakemake's logger.
    """

    def __init__(self, logger: logging.Logger) -> None:
        super().__init__()
        self._logger = logger
        self._began = self._last = time.monotonic()

    def filter(self, record: logging.LogRecord) -> bool:
        """Change a record in place; none is left out."""
        if reason := getattr(record, "reason", None):
            record.reason = short_reason(str(reason))
        done, total = getattr(record, "done", None), getattr(record, "total", None)
        if isinstance(done, int) and isinstance(total, int) and _FIRST <= done < total:
            now = time.monotonic()
            if now - self._last >= _EVERY:
                self._last = now
                self._logger.info(time_left(done, total, now - self._began))
        return True


def short_reason(reason: str) -> str:
    """Return why a job runs, with at most three files of each list, and at most 240 characters."""
    parts = [re.match(r"(.*?: )?(.*)", part, re.DOTALL) for part in reason.split("; ")]
    short = []
    for part in filter(None, parts):
        items = part[2].split(", ")
        more = f" and {len(items) - _ITEMS} more" if len(items) > _ITEMS else ""
        short.append(f"{part[1] or ''}{', '.join(items[:_ITEMS])}{more}")
    text = "; ".join(short)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}..."


def time_left(done: int, total: int, seconds: float) -> str:
    """Return how long the other jobs of a run will take if they take as long as those that are done."""
    left = seconds / done * (total - done)
    return f"about {_duration(left)} left, if the other {total - done:,} jobs take as long as the first {done:,}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
