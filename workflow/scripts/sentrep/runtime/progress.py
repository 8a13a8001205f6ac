"""Show the progress of a long loop: as a bar in a terminal, and elsewhere as a log line every few seconds."""

from __future__ import annotations

import contextlib
import logging
import sys
import time
from collections.abc import Iterator

log = logging.getLogger("sentrep.progress")
_subjects: list[str] = []


@contextlib.contextmanager
def about(subject: str) -> Iterator[None]:
    """Put a subject, such as the name and seed of a model, before the labels of progress displays.

    This context manager affects the displays that are created in its ``with`` block.
    """
    _subjects.append(subject)
    try:
        yield
    finally:
        _subjects.pop()


class Progress:
    """A display of a loop's progress, speed and remaining time.

    Args:
        total: number of units in the whole loop; 0 if unknown.
        unit: plural name of the units, for example "sentences".
        label: description of the loop, shown before the progress.
        interval: minimum number of seconds between two log lines; the line at the end of the loop is always written.
        done: number of units that an earlier, interrupted run completed.
    """

    def __init__(self, total: int, unit: str, label: str, interval: float = 10.0, done: int = 0) -> None:
        label = f"{_subjects[-1]} ({label})" if _subjects else label
        self.total, self.unit, self.label, self.interval = total, unit, label, interval
        self.done = self._before = done
        self.started = self._last_line = time.monotonic()
        self._bar = None
        if sys.stderr.isatty():
            from tqdm import tqdm

            self._bar = tqdm(
                total=total or None, initial=done, unit=f" {unit}", desc=label, unit_scale=True, file=sys.stderr
            )

    @property
    def rate(self) -> float:
        """Mean number of units completed per second since the display was created."""
        return (self.done - self._before) / max(time.monotonic() - self.started, 1e-9)

    def advance(self, units: int, **values: float) -> None:
        """Add ``units`` to the number of completed units, and show ``values``, such as ``loss=0.5``, in the display."""
        self.done += units
        if self._bar is not None:
            self._bar.set_postfix({key: f"{value:.4g}" for key, value in values.items()}, refresh=False)
            self._bar.update(units)
            return
        now = time.monotonic()
        if now - self._last_line >= self.interval or self.done >= self.total > 0:
            self._last_line = now
            share = f"{100 * self.done / self.total:.1f}%, " if self.total else ""
            left = f", {max(self.total - self.done, 0) / max(self.rate, 1e-9):.0f} s left" if self.total else ""
            extra = "".join(f", {key} {value:.4g}" for key, value in values.items())
            log.info(
                "%s: %s%d %s, %.0f %s/s%s%s",
                *(self.label, share, self.done, self.unit, self.rate, self.unit, left, extra),
            )

    def close(self) -> None:
        """Close the progress bar, if there is one."""
        if self._bar is not None:
            self._bar.close()
