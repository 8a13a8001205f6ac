"""Measure how the time to pair tweets, build token stores and read Wikipedia dumps grows with the amount of data.

    python benchmarks/growth.py [--quick] [--output DIR]

Each task is timed on one core with amounts of synthetic data that span three orders of magnitude. For small amounts of
data, the time is the median of several runs. The times are written to ``<machine>-growth.csv`` and plotted in
``<machine>-growth.svg``. On logarithmic axes, a straight line is fitted to the times of each task. Its slope is called
the exponent: 1 means linear growth, and 2 means quadratic growth, which would result from comparing each tweet with all
others. Because fixed costs flatten the curve for small amounts of data, the performance goal refers to the exponent for
the last order of magnitude, that is, for amounts from a tenth of the largest amount upwards. The exponent for all
amounts is also reported.
"""

from __future__ import annotations

import argparse
import csv
import os
import statistics
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import numpy as np
from common import RESULTS, Goal, Row, figure, timed
from host import file_name, load_line, machine
from inputs import Settings, synthetic_tweets, write_synthetic_books, write_synthetic_dump
from text_to_store import make_store, write_manifest
from wikipedia_parsers import our_reader

from sentrep.io.files import atomic_file
from sentrep.pairs.twitter.index import index_tweets
from sentrep.pairs.twitter.rules import mine
from sentrep.tables import style

TWEETS, TEXT, WIKI = "pairs of tweets", "raw text to token store", "reading Wikipedia XML"
NEAR_LINEAR = Goal("median", "<=", 1.1)
EXPONENT = "exponent"


@dataclass(frozen=True)
class Point:
    """The time that a task takes for one amount of data.

    Attributes:
        work: name of the task.
        unit: unit of the amount of data.
        amount: amount of data.
        seconds: median wall time of the runs.
        cpu_seconds: median CPU time of the runs.
        turns: number of runs.
    """

    work: str
    unit: str
    amount: float
    seconds: float
    cpu_seconds: float
    turns: int


def slope(points: Sequence[Point], decades: float = np.inf) -> float:
    """Fit a straight line to the measured times on logarithmic axes by least squares, and return its slope.

    Args:
        points: measurements of one task.
        decades: only measurements whose amounts are at most this many orders of magnitude below the largest amount are
            used for the fit.

    Raises:
        ValueError: fewer than two points can be used for the fit.
    """
    largest = max(point.amount for point in points)
    used = [p for p in points if np.log10(largest / p.amount) <= decades + 0.05]
    if len(used) < 2:
        raise ValueError(f"expected at least two points to fit a slope, found {len(used)}")
    return float(np.polyfit(np.log([p.amount for p in used]), np.log([p.seconds for p in used]), 1)[0])


def amounts(smallest: int, largest: int, per_decade: int = 2) -> list[int]:
    """Return amounts from ``smallest`` to ``largest`` that are evenly spaced on a logarithmic axis."""
    n = max(2, round(np.log10(largest / smallest) * per_decade) + 1)
    return [round(value) for value in np.geomspace(smallest, largest, n)]


def time_of(work: str, unit: str, amount: float, turn: Callable[[], object]) -> Point:
    """Time a task on one amount of data; if the first run takes less than 2 s, use the median of several runs."""
    first = timed(turn)
    turns = [first] + [timed(turn) for _ in range(4 if first[1] < 0.3 else 2 if first[1] < 2 else 0)]
    wall, cpu = (statistics.median(turn[i] for turn in turns) for i in (1, 2))
    point = Point(work, unit, amount, wall, cpu, len(turns))
    print(f"{work}: {amount:,.0f} {unit} in {wall:.3g} s", flush=True)
    return point


def measure(settings: Settings) -> Iterator[Point]:
    """Measure all tasks, and yield the time of each task for each amount of data."""
    mine(index_tweets(synthetic_tweets(1000)))  # compile the functions before they are timed
    for n in amounts(*settings.size((1_000, 1_000_000), (300, 3_000))):
        tweets = list(synthetic_tweets(n))
        yield time_of(TWEETS, "tweets", n, lambda tweets=tweets: mine(index_tweets(tweets)))
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for place, n in enumerate(amounts(*settings.size((10_000, 10_000_000), (2_000, 20_000)))):
            books = folder / "books.tar.xz"
            write_synthetic_books(books, -(-n // 40_000), min(n, 40_000))
            manifest = write_manifest(folder, [books])
            if place == 0:
                make_store(manifest, folder)  # compile the functions before they are timed
            tokens = make_store(manifest, folder)
            yield time_of(TEXT, "tokens", tokens, lambda manifest=manifest: make_store(manifest, folder))
        for n in amounts(*settings.size((4, 4_000), (2, 20))):
            dump = folder / "dump.xml.bz2"
            size = write_synthetic_dump(dump, n)
            yield time_of(WIKI, "bytes", size, lambda dump=dump: our_reader(dump))


def draw(points: Sequence[Point], path: Path) -> None:
    """Plot the time of each task against the amount of data, with a dotted line that shows linear growth.

    Each task has its own panel with logarithmic axes. The dotted line goes through the point for the largest amount.
    """
    works = list(dict.fromkeys(point.work for point in points))
    chart, axes = style.new_figure(1, len(works), 3.2 * len(works), 2.9)
    for panel, work in zip(axes[0], works, strict=True):
        own = [point for point in points if point.work == work]
        x, y = (np.array([getattr(point, name) for point in own]) for name in ("amount", "seconds"))
        panel.plot(x, y[-1] * x / x[-1], color=style.GREY, linestyle=":", linewidth=1)
        panel.plot(x, y, color=style.BLUE, marker="o")
        style.set_log_scale(panel, "xy")
        panel.set_title(work)
        panel.set_xlabel(own[0].unit)
        panel.set_ylabel("seconds")
        text = (
            f"exponent {slope(own):.2f}\n({slope(own, 1):.2f} over the last order of magnitude)\n"
            "dotted line: linear growth"
        )
        panel.text(0.04, 0.96, text, transform=panel.transAxes, va="top", fontsize=8)
    metadata: dict[str, Any] = {"Date": None, "Title": "Time against the amount of data"}
    with atomic_file(path) as temporary:
        chart.savefig(temporary, format="svg", metadata=metadata)


def write(points: Sequence[Point], output: Path, name: str) -> None:
    """Write the measurements to a CSV file, and plot them in an SVG file."""
    output.mkdir(parents=True, exist_ok=True)
    with (
        atomic_file(output / f"{name}-growth.csv") as temporary,
        temporary.open("w", newline="", encoding="utf-8") as file,
    ):
        writer = csv.DictWriter(file, list(asdict(points[0])))
        writer.writeheader()
        writer.writerows(asdict(point) for point in points)
    draw(points, output / f"{name}-growth.svg")


def as_rows(points: Sequence[Point]) -> Iterator[Row]:
    """Yield rows of results: two exponents for each task, and the time to find pairs in the largest set of tweets."""
    for work in dict.fromkeys(point.work for point in points):
        own = [point for point in points if point.work == work]
        largest = own[-1]
        span = np.log10(largest.amount / own[0].amount)
        title = f"{work}: growth in time over {span:.1f} orders of magnitude of data"
        if work == TWEETS:
            goal = Goal("median", "<=", 60) if largest.amount >= 1_000_000 else None
            done = f"{largest.amount:,.0f} tweets, including cleaning"
            yield figure(title, done, "s", largest.seconds, goal)
        yield figure(
            title,
            f"last order of magnitude, up to {largest.amount:,.0f} {own[0].unit}",
            EXPONENT,
            slope(own, 1),
            NEAR_LINEAR,
        )
        yield figure(title, "all amounts", EXPONENT, slope(own))


def rows(settings: Settings) -> Iterator[Row]:
    """Yield the rows of results for ``run.py``, and write the measurements and the figure."""
    before = round(os.getloadavg()[0], 2)
    points = list(measure(settings))
    write(points, settings.output, file_name(machine()) + ("-quick" if settings.quick else ""))
    for row in as_rows(points):
        row.load_before = before
        yield row


def main() -> None:
    """Measure all tasks, and write and print the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="use small sizes, only to check that everything works")
    parser.add_argument("--output", type=Path, default=RESULTS)
    a = parser.parse_args()
    print(load_line())
    for row in rows(Settings(quick=a.quick, output=a.output)):
        goal = f" (goal: {row.goal}, {row.met})" if row.goal else ""
        print(f"{row.work}, {row.contestant}: {row.median:.3g} {row.unit}{goal}")
    print(load_line())


if __name__ == "__main__":
    main()
