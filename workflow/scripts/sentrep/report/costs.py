"""What the steps of a run took: time, memory and load, from Snakemake's benchmark files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sentrep.provenance.publish import read_benchmarks
from sentrep.report.folder import Folder
from sentrep.tables.layout import Cell, Row, Section, Table

COLUMNS = ("step", "seconds", "peak_memory_mb", "mean_load")
LONGEST = 15


@dataclass(frozen=True)
class Step:
    """One job: its name, seconds of wall time, peak memory (MB) and mean load (%); NaN where it was too short."""

    name: str
    seconds: float
    memory: float
    load: float

    @property
    def kind(self) -> str:
        """What kind of step it is: the first part of its name."""
        return self.name.split("/")[0].replace("_", " ")


def read_steps(folder: Folder) -> list[Step]:
    """Return the steps of a run or of a published folder; none if it says nothing about them."""
    rows: Sequence[dict[str, str]] = (
        folder.rows("costs.csv", COLUMNS) if folder.benchmarks is None else read_benchmarks(folder.benchmarks)
    )
    return [
        Step(row["step"], *(_number(row[name]) for name in ("seconds", "peak_memory_mb", "mean_load"))) for row in rows
    ]


def summary(steps: Sequence[Step]) -> str:
    """Return the cost of the whole run, in one sentence."""
    total = sum(step.seconds for step in steps)
    longest = max(steps, key=lambda step: step.seconds)
    memory = max(step.memory for step in steps if step.memory == step.memory)
    return (
        f"{len(steps):,} measured steps took {duration(total)} one after the other; the longest, {longest.name}, took "
        f"{duration(longest.seconds)}; none needed more than {memory / 1024:.1f} GB of memory."
    )


def kind_table(steps: Sequence[Step]) -> Table:
    """Return the costs by kind of step."""
    kinds: dict[str, list[Step]] = {}
    for step in steps:
        kinds.setdefault(step.kind, []).append(step)
    ordered = sorted(kinds.items(), key=lambda item: -sum(step.seconds for step in item[1]))
    rows = tuple(
        Row(
            Cell(kind),
            (
                Cell(str(len(group))),
                Cell(f"{sum(step.seconds for step in group):,.1f}"),
                Cell(f"{max(step.seconds for step in group):,.1f}"),
                Cell(_whole(max(step.memory for step in group))),
            ),
        )
        for kind, group in ordered
    )
    columns = ("steps", "seconds in all", "longest, seconds", "peak memory, MB")
    return Table("Cost by kind of step", "Kind", (("", columns),), (Section("", rows),))


def step_table(steps: Sequence[Step], title: str) -> Table:
    """Return the costs of steps, the longest first."""
    rows = tuple(
        Row(
            Cell(step.name),
            (Cell(f"{step.seconds:,.1f}"), Cell(_whole(step.memory)), Cell(_whole(step.load))),
        )
        for step in sorted(steps, key=lambda step: -step.seconds)
    )
    return Table(title, "Step", (("", ("seconds", "peak memory, MB", "mean load, %")),), (Section("", rows),))


def duration(seconds: float) -> str:
    """Write a time: "12 s", "3 min 20 s", "2 h 5 min"."""
    whole = round(seconds)
    if whole < 60:
        return f"{seconds:.1f} s" if seconds < 10 else f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


def _number(text: str) -> float:
    try:
        return float(text)
    except ValueError:
        return float("nan")


def _whole(value: float) -> str:
    return "" if value != value else f"{value:,.0f}"
