"""Shorten the reasons that Snakemake gives for running a job, and estimate the time left in a run.

Snakemake logs through the ``logging`` module of the standard library, so :class:`ReadableLog` can filter Snakemake's
messages without importing Snakemake.
"""

from __future__ import annotations

import logging
import re
import time

_LONGEST = 240  # maximum number of characters in a reason for running a job
_ITEMS = 3  # maximum number of files shown from each list
_FIRST = 5  # number of jobs that must be done before the time left is estimated
_EVERY = 60  # minimum number of seconds between estimates


class ReadableLog(logging.Filter):
    """A log filter that shortens the reasons why jobs are run, and logs the estimated time left at most once a minute.

    Args:
        logger: Snakemake's logger.
    """

    def __init__(self, logger: logging.Logger) -> None:
        super().__init__()
        self._logger = logger
        self._began = self._last = time.monotonic()

    def filter(self, record: logging.LogRecord) -> bool:
        """Shorten a record's reason, log the time left (at most once a minute), and return True to keep the record."""
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
    """Shorten Snakemake's reason for running a job.

    A reason can contain lists, for example of changed input files. Only the first three items of each list are kept,
    followed by the number of omitted items. If the result is longer than 240 characters, it is cut and ends with "...".
    """
    parts = [re.match(r"(.*?: )?(.*)", part, re.DOTALL) for part in reason.split("; ")]
    short = []
    for part in filter(None, parts):
        items = part[2].split(", ")
        more = f" and {len(items) - _ITEMS} more" if len(items) > _ITEMS else ""
        short.append(f"{part[1] or ''}{', '.join(items[:_ITEMS])}{more}")
    text = "; ".join(short)
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST].rstrip()}..."


def time_left(done: int, total: int, seconds: float) -> str:
    """Return a phrase with the estimated time left in a run, based on the mean time per finished job.

    Args:
        done: number of finished jobs.
        total: total number of jobs.
        seconds: number of seconds since the run began.
    """
    left = seconds / done * (total - done)
    return f"about {_duration(left)} left, if the remaining jobs take as long on average as the first {done:,}"


def _duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 90 * 60 else f"{seconds / 3600:.1f} h"
