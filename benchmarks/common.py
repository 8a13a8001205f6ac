"""Run the implementations of benchmark tasks alternately, and build the tables of results.

A :class:`Work` is a task with its implementations, of which the first is sentrep's. For each implementation, the tables
show the median speed or time over several runs (turns), and the ratio of sentrep's speed to this speed.
"""

from __future__ import annotations

import csv
import os
import resource
import statistics
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, field, fields
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal

from host import versions

SCRIPTS = Path(__file__).resolve().parents[1] / "workflow" / "scripts"
if str(SCRIPTS) not in sys.path:
    sys.path.insert(0, str(SCRIPTS))

RESULTS = Path(__file__).resolve().parent / "results"
SECONDS = "s"


@dataclass(frozen=True)
class Goal:
    """A performance goal.

    Attributes:
        of: the quantity to which the goal refers, either the "ratio" or the "median" of an implementation.
        sense: ">=" if ``number`` is a lower bound, "<=" if it is an upper bound.
        number: the bound.
    """

    of: Literal["ratio", "median"]
    sense: Literal[">=", "<="]
    number: float

    def met(self, value: float) -> bool:
        """Return whether a ratio or a median meets the goal."""
        return value >= self.number if self.sense == ">=" else value <= self.number

    def __str__(self) -> str:
        return f"{self.of} {self.sense} {self.number:,g}"


def at_least(times: float) -> Goal:
    """Return the goal that sentrep is at least ``times`` times as fast as another implementation."""
    return Goal("ratio", ">=", times)


@dataclass(frozen=True)
class Contestant:
    """An implementation of a task.

    Attributes:
        name: name in tables.
        turn: function that runs the task once.
        amount: amount of data processed per turn, such as the number of examples; not used if the results are times.
        goal: goal for the ratio or for the median of this implementation, or None.
        note: remark on the result.
        against: name of the implementation to compare with; "" for the first, the value of ``name`` for no comparison.
        threads: number of processor cores; 0 means the number specified for the task.
    """

    name: str
    turn: Callable[[], object]
    amount: float = 1.0
    goal: Goal | None = None
    note: str = ""
    against: str = ""
    threads: int = 0


@dataclass(frozen=True)
class Work:
    """A task that several implementations perform.

    Attributes:
        name: name in tables.
        unit: unit of the results: "s" for times, otherwise a unit of speed such as "examples/s".
        contestants: implementations, of which the first is sentrep's.
        threads: number of processor cores used by each implementation that does not specify its own number.
    """

    name: str
    unit: str
    contestants: Sequence[Contestant]
    threads: int = 1


@dataclass
class Row:
    """The results of one implementation of a task; missing results are None.

    Attributes:
        work: name of the task.
        contestant: name of the implementation.
        threads: number of processor cores.
        unit: unit of the results.
        median: median of the results of all turns.
        slowest: result of the slowest turn.
        fastest: result of the fastest turn.
        ratio: speed of sentrep divided by the speed of this implementation.
        goal: text of the :class:`Goal`; "" if there is no goal.
        met: "met" or "not met"; "" if there is no goal.
        per_cpu_second: like ``median``, but based on the CPU time of all threads and processes, not on the wall time.
        turns: number of measured turns.
        note: remark on the result, or the reason why there is no result.
        load_before: load average over the minute before the task.
        load_after: load average over the minute before the end of the task.
        date: date and time in UTC.
        versions: versions of Python and of libraries; see :func:`host.versions`.
    """

    work: str
    contestant: str
    threads: int
    unit: str
    median: float | None = None
    slowest: float | None = None
    fastest: float | None = None
    ratio: float | None = None
    goal: str = ""
    met: str = ""
    per_cpu_second: float | None = None
    turns: int = 0
    note: str = ""
    load_before: float | None = None
    load_after: float | None = None
    date: str = field(default_factory=lambda: datetime.now(UTC).isoformat(timespec="seconds"))
    versions: str = field(default_factory=versions)


COLUMNS = [column.name for column in fields(Row)]
Turn = tuple[float, float]  # wall seconds, CPU seconds


def in_turns(work: Work, repetitions: int) -> dict[str, list[Turn] | str]:
    """Run the implementations of a task alternately, so that changes in load affect all of them; return their times.

    In each round, every implementation runs once. The first round is for compilation and warm-up and is not counted. If
    an implementation other than the first fails in this round, its error message is returned instead of its times.
    """
    taken: dict[str, list[Turn] | str] = {contestant.name: [] for contestant in work.contestants}
    for repetition in range(repetitions + 1):
        for contestant in work.contestants:
            turns = taken[contestant.name]
            if isinstance(turns, str):
                continue
            set_torch_threads(contestant.threads or work.threads)
            try:
                seconds = timed(contestant.turn)[1:]
            except Exception as error:
                if repetition or contestant is work.contestants[0]:
                    raise
                taken[contestant.name] = f"failed: {type(error).__name__}: {error}"
                continue
            if repetition:
                turns.append(seconds)
    return taken


def timed(work: Callable[[], Any]) -> tuple[Any, float, float]:
    """Call ``work``; return its result, the wall time and the CPU time (including finished subprocesses) in seconds."""
    wall, cpu = time.perf_counter(), cpu_seconds()
    result = work()
    return result, time.perf_counter() - wall, cpu_seconds() - cpu


def cpu_seconds() -> float:
    """Return the CPU seconds that this process and its finished children have used so far."""
    return sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))


def set_torch_threads(threads: int) -> None:
    """Set the number of torch threads, which numba may have changed through the shared OpenMP runtime."""
    if "torch" in sys.modules:
        sys.modules["torch"].set_num_threads(threads)


def summarise(work: Work, taken: dict[str, list[Turn] | str]) -> list[Row]:
    """Return one row of results for each implementation, with medians and ratios."""
    rows: list[Row] = []
    for contestant in work.contestants:
        turns = taken[contestant.name]
        if isinstance(turns, str):
            rows.append(Row(work.name, contestant.name, work.threads, work.unit, note=turns))
            continue
        wall, cpu = ([_figure(work, contestant, turn[i]) for turn in turns] for i in (0, 1))
        slower_first = sorted(wall, reverse=work.unit == SECONDS)
        threads = contestant.threads or work.threads
        row = Row(work.name, contestant.name, threads, work.unit, note=contestant.note, turns=len(turns))
        row.median, row.per_cpu_second = statistics.median(wall), statistics.median(cpu)
        row.slowest, row.fastest = slower_first[0], slower_first[-1]
        rows.append(row)
    medians = {row.contestant: row.median for row in rows}
    for row, contestant in zip(rows, work.contestants, strict=True):
        ours = contestant.against or rows[0].contestant
        if ours != row.contestant and row.median is not None:
            ratio = medians[ours] / row.median
            row.ratio = 1 / ratio if work.unit == SECONDS else ratio
        judge(row, contestant.goal)
    return rows


def judge(row: Row, goal: Goal | None) -> None:
    """Add a goal to a row of results, and state whether the goal is met."""
    value = getattr(row, goal.of) if goal else None
    if goal and value is not None:
        row.goal, row.met = str(goal), "met" if goal.met(value) else "not met"


def _figure(work: Work, contestant: Contestant, seconds: float) -> float:
    return seconds if work.unit == SECONDS else contestant.amount / max(seconds, 1e-9)


def measure(work: Work, repetitions: int) -> list[Row]:
    """Measure the implementations of a task alternately, and return their rows of results."""
    before = os.getloadavg()[0]
    rows = summarise(work, in_turns(work, repetitions))
    for row in rows:
        row.load_before, row.load_after = round(before, 2), round(os.getloadavg()[0], 2)
    return rows


def figure(
    work: str,
    contestant: str,
    unit: str,
    value: float,
    goal: Goal | None = None,
    *,
    ratio: float | None = None,
    threads: int = 1,
    note: str = "",
) -> Row:
    """Return a row of results for a quantity that was measured once or derived from measurements."""
    load = round(os.getloadavg()[0], 2)
    row = Row(work, contestant, threads, unit, value, value, value, ratio, turns=1, note=note)
    row.load_before = row.load_after = load
    judge(row, goal)
    return row


def skipped(work: str, reason: str) -> Row:
    """Return a row that states why a part of the benchmarks was skipped."""
    return Row(work, "", 0, "", note=f"skipped: {reason}")


def number(value: float | str | None) -> str:
    """Format a number as an integer if it is at least 100, else with three significant digits; return "" for None."""
    if value is None or isinstance(value, str):
        return value or ""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


def markdown(rows: Iterable[Row]) -> str:
    """Return the rows as a Markdown table, followed by their numbered notes."""
    lines = [
        "| task | implementation | threads | median (slowest - fastest) | median by CPU time | sentrep is | goal | |",
        "|---|---|--:|--:|--:|--:|--:|---|",
    ]
    notes: list[str] = []
    last = ""
    for row in rows:
        mark = ""
        if row.note:
            if row.note not in notes:
                notes.append(row.note)
            mark = f" [{notes.index(row.note) + 1}]"
        figures = "-"
        if row.median is not None:
            spread = f" ({number(row.slowest)} - {number(row.fastest)})" if row.turns > 1 else ""
            figures = f"{number(row.median)}{spread} {row.unit}"
        ratio = f"{number(row.ratio)} times as fast" if row.ratio is not None else ""
        name = row.work if row.work != last else ""
        last = row.work
        contestant = (row.contestant or "skipped") + mark
        cells = [name, contestant, row.threads or "", figures, number(row.per_cpu_second), ratio, row.goal, row.met]
        lines.append(f"| {' | '.join(map(str, cells))} |")
    return "\n".join([*lines, "", *(f"[{i}] {note}" + "  " for i, note in enumerate(notes, 1))]) + "\n"


def write_csv(path: Path, rows: Sequence[Row]) -> None:
    """Write rows to a CSV file with one column per field of :class:`Row`; an existing file is replaced."""
    from sentrep.io.files import atomic_file

    with atomic_file(path) as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        for row in rows:
            writer.writerow({k: float(f"{v:.6g}") if isinstance(v, float) else v for k, v in asdict(row).items()})
