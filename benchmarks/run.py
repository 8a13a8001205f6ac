"""Run the benchmarks, which compare sentrep with other implementations on the same data and cores.

    python benchmarks/run.py [--quick] [--text FILE | --store DIR] [--dump FILE] [--only NAME ...]

benchmarks/README.md describes the parts of the benchmarks. By default, all parts are run; ``--only`` selects some of
them by name. The results are written to ``<machine>.csv``, with one row for each implementation of each task, and to
``<machine>.md``, a Markdown table; with ``--quick`` or ``--only``, the files have other names. Without ``--text``,
``--store`` and ``--dump``, all text is synthetic. Nothing is downloaded.
"""

from __future__ import annotations

import argparse
import importlib
import sys
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from common import RESULTS, Row, Work, markdown, measure, skipped, write_csv
from host import file_name, load_line, machine, versions
from inputs import Settings


@dataclass(frozen=True)
class Part:
    """A part of the benchmarks: a group of related tasks.

    Attributes:
        name: name for ``--only``, and for the row of results if the part is skipped or fails.
        module: module whose functions yield tasks or rows.
        works: name of a function that takes the settings and yields tasks; "" if ``rows`` is given.
        rows: name of a function that takes the settings and yields rows of results; "" if ``works`` is given.
        gpu: whether the part needs a GPU.
    """

    name: str
    module: str
    works: str = ""
    rows: str = ""
    gpu: bool = False


# Parts that start processes come first, because forking is unsafe after OpenMP has started its threads.
PARTS = (
    Part("text", "text_to_store", "works"),
    Part("wikipedia", "wikipedia_parsers", "works"),
    Part("tweets", "twitter_mining", "works"),
    Part("sts", "sts_scoring", "works"),
    Part("transfer", "transfer", "works"),
    Part("growth", "growth", rows="rows"),
    Part("bounds", "bounds", rows="rows"),
    Part("siamese_cbow", "siamese_cbow", "works"),
    Part("static_embedding", "static_embedding", "works"),
    Part("word2vec", "word2vec", "works"),
    Part("cbos", "cbos", "works"),
    Part("fastsent", "fastsent", "works"),
    Part("quick_thoughts", "quick_thoughts", "works"),
    Part("siamese_cbow_gpu", "siamese_cbow_gpu", rows="rows", gpu=True),
    Part("word2vec_gpu", "word2vec", "gpu_works", gpu=True),
    Part("quick_thoughts_gpu", "quick_thoughts", rows="rows", gpu=True),
    Part("skip_thought_gpu", "skip_thought", rows="rows", gpu=True),
)


def run_part(part: Part, settings: Settings, has_gpu: bool) -> Iterator[Row]:
    """Run a part, and yield its rows of results, or a row with the reason for skipping the part."""
    if part.gpu and not has_gpu:
        yield skipped(part.name, "no GPU available")
        return
    try:
        module = importlib.import_module(part.module)
    except ImportError as error:
        missing = isinstance(error, ModuleNotFoundError)
        yield skipped(part.name, f"{error.name} is not installed" if missing else f"the import failed ({error})")
        return
    if part.works:
        found: Callable[[Settings], Iterator[Work]] = getattr(module, part.works)
        for work in found(settings):
            yield from measure(work, settings.repetitions)
    else:
        yield from getattr(module, part.rows)(settings)


def write(rows: list[Row], name: str, described: dict[str, str], settings: Settings, load: str) -> Path:
    """Write the results to a CSV file and a Markdown file, and return the path of the Markdown file."""
    write_csv(settings.output / f"{name}.csv", rows)
    size = "QUICK RUN: small sizes, only to test the benchmarks; do not quote these numbers. " if settings.quick else ""
    about = (
        f"{size}{', '.join(f'{key}: {value}' for key, value in described.items())}. Corpus: {settings.corpus}. "
        f"{load[0].upper()}{load[1:].rstrip('.')}. {versions()}.\n\n"
    )
    page = settings.output / f"{name}.md"
    page.write_text(about + markdown(rows), encoding="utf-8")
    return page


def run_all(names: list[str] | None, settings: Settings, has_gpu: bool) -> tuple[list[Row], int]:
    """Run the named parts, or all parts if ``names`` is None; return their rows and the number of failed parts.

    If a part fails, a row with the error follows the rows of its completed tasks, and the other parts are still run.
    """
    rows: list[Row] = []
    failed = 0
    for part in PARTS:
        if names and part.name not in names:
            continue
        started = time.monotonic()
        try:
            rows += run_part(part, settings, has_gpu)
        except Exception as error:
            traceback.print_exc()
            rows.append(Row(part.name, "", 0, "", note=f"failed: {type(error).__name__}: {error}"))
            failed += 1
        print(f"{part.name}: {time.monotonic() - started:.0f} s", flush=True)
    return rows, failed


def main(words: list[str] | None = None) -> int:
    """Run the selected parts of the benchmarks, print and write the results, and return the number of failed parts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    corpora = parser.add_mutually_exclusive_group()
    corpora.add_argument("--text", type=Path, help="text file with one sentence per line")
    corpora.add_argument("--store", type=Path, help="token store of a pipeline run: results/PRESET/stores/CORPUS")
    parser.add_argument("--dump", type=Path, help="MediaWiki export, .xml or .xml.bz2")
    parser.add_argument("--quick", action="store_true", help="use small sizes, only to test the benchmarks")
    parser.add_argument(
        "--repetitions",
        type=int,
        help="number of measured repetitions for each implementation (default: 5, or 2 with --quick)",
    )
    parser.add_argument("--only", nargs="+", choices=[part.name for part in PARTS], metavar="NAME")
    parser.add_argument("--output", type=Path, default=RESULTS)
    a = parser.parse_args(words)
    began, load = time.monotonic(), load_line()
    described = machine()
    settings = Settings(a.quick, a.repetitions or (2 if a.quick else 5), a.text, a.store, a.dump, a.output)
    print(load, *(f"{key}: {value}" for key, value in described.items()), sep="\n", flush=True)
    rows, failed = run_all(a.only, settings, described["gpu"] != "none")
    # Results of a partial or quick run must not replace those of a full run.
    name = "-".join([file_name(described), *(["quick"] if a.quick else []), *(["only", *a.only] if a.only else [])])
    page = write(rows, name, described, settings, load)
    print("", markdown(rows), sep="\n")
    print(f"{time.monotonic() - began:.0f} s in all; wrote {page} and {page.with_suffix('.csv').name}")
    return failed


if __name__ == "__main__":
    sys.exit(main())
