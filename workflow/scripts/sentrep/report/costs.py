"""Build the report section on costs: the time, memory and CPU load of jobs, as measured by Snakemake."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from sentrep.provenance.publish import read_benchmarks
from sentrep.report.list_tables import list_table
from sentrep.report.result_files import ResultFiles
from sentrep.tables.layout import Table

COLUMNS = ("step", "seconds", "peak_memory_mb", "mean_load")


class Job(NamedTuple):
    """The cost of a job: wall time in seconds, peak memory in MB, and mean CPU load in percent.

    Memory and load are NaN if the job was too short for them to be measured.
    """

    name: str
    seconds: float
    memory: float
    load: float

    @property
    def kind(self) -> str:
        """The kind of job: the part of the job's name before the first slash, with spaces instead of underscores."""
        return self.name.split("/")[0].replace("_", " ")


def read_jobs(files: ResultFiles, preset: str) -> list[Job]:
    """Return the costs of all measured jobs of a run, from the longest job to the shortest.

    Args:
        files: results folder of a run, which contains benchmark files, or a folder written by ``sentrep publish``,
            which contains ``costs.csv``.
        preset: name of the preset of the run.
    """
    benchmarks = files.root / preset / "benchmarks"
    rows = read_benchmarks(benchmarks) if benchmarks.is_dir() else files.rows("costs.csv", COLUMNS)
    jobs = [Job(row["step"], *(_number(row[name]) for name in COLUMNS[1:])) for row in rows]
    return sorted(jobs, key=lambda job: -job.seconds)


def summary(jobs: Sequence[Job]) -> str:
    """Return sentences that state the total time of all jobs, the longest job, and the highest peak memory.

    Args:
        jobs: costs of at least one job, from the longest job to the shortest.
    """
    total = duration(sum(job.seconds for job in jobs))
    text = (
        f"{len(jobs):,} measured {'job' if len(jobs) == 1 else 'jobs'} took {total} in total. The longest, "
        f"{jobs[0].name}, took {duration(jobs[0].seconds)}."
    )
    memory = [job.memory for job in jobs if not math.isnan(job.memory)]
    return f"{text} No job needed more than {max(memory) / 1024:.1f} GB of memory." if memory else text


def kind_table(jobs: Sequence[Job]) -> Table | None:
    """Summarise the costs of each kind of job in a table; return None if there are no jobs.

    The columns show the number of jobs, their total time, the time of the longest job, and the highest peak memory.

    Args:
        jobs: costs of all jobs, from the longest job to the shortest.
    """
    kinds: dict[str, list[Job]] = {}
    for job in jobs:
        kinds.setdefault(job.kind, []).append(job)
    totals = {kind: sum(job.seconds for job in group) for kind, group in kinds.items()}
    rows = [
        (kind, len(group), f"{totals[kind]:,.1f}", f"{group[0].seconds:,.1f}", _whole(max(job.memory for job in group)))
        for kind, group in sorted(kinds.items(), key=lambda item: -totals[item[0]])
    ]
    headings = ("Kind", "jobs", "total seconds", "longest, seconds", "peak memory, MB")
    return list_table("Cost by kind of job", headings, rows)


def job_table(jobs: Sequence[Job]) -> Table | None:
    """Return a table with the time, peak memory and mean CPU load of each job; None if there are no jobs."""
    rows = [(job.name, f"{job.seconds:,.1f}", _whole(job.memory), _whole(job.load)) for job in jobs]
    headings = ("Job", "seconds", "peak memory, MB", "mean load, %")
    return list_table("Cost of each job, longest first", headings, rows)


def duration(seconds: float) -> str:
    """Format a duration, given in seconds, for example as "12 s", "3 min 20 s" or "2 h 5 min"."""
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
        return math.nan


def _whole(value: float) -> str:
    return "" if math.isnan(value) else f"{value:,.0f}"
