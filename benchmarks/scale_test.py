"""Test the pipeline at full scale, from raw text to trained vectors, on a synthetic corpus as large as BookCorpus.

    python benchmarks/scale_test.py --folder DIR [--sentences N [N ...]] [--cores 2] [--kill] [--output DIR]

BookCorpus cannot be distributed, but this test shows which resources a run on BookCorpus needs. Two compressed text
files are written to a mirror folder. By default, the two files together have 74,004,228 lines and about a billion
words, as many as BookCorpus. The words have Zipfian frequencies and are drawn from a vocabulary of 315,643 words. With
the preset ``paper``, Snakemake then fetches the text, prepares the sentences, builds a token store, and trains Siamese
CBOW for one epoch. The folder given by ``--folder``, which must be new or empty, contains all files of the test except
the results. It is deleted at the end, even if the test fails. ``--kill`` kills all processes halfway through the
training and restarts the workflow.

The results are written to ``<machine>-scale-test.csv``. If several numbers of sentences are given, the figure
``<machine>-scale-test.svg`` shows how the time and the memory of each step grow with the number of sentences.
"""

from __future__ import annotations

import argparse
import contextlib
import csv
import gzip
import os
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from common import RESULTS
from host import file_name, load_line, machine

from sentrep.io.files import atomic_file
from sentrep.tables import style

ROOT = Path(__file__).resolve().parents[1]
BOOKCORPUS, VOCABULARY = 74_004_228, 315_643
_SYLLABLES = [f"{c}{v}" for c in "bcdfghjklmnprstvwxyz" for v in "aeiou"]
_CHUNK = 100_000  # number of sentences to draw at a time
_STEPS = {"sentences": "sentences/books", "store": "stores/books", "training": "models/siamese_cbow/seed1"}
_MODEL = "results/paper/models/siamese_cbow/seed1"
_LOG = "logs/paper/models/siamese_cbow/seed1.log"
COLUMNS = ("sentences", "tokens", "step", "seconds", "memory_mb", "disk_gb", "load_before", "cores", "note")
Row = dict[str, Any]


def word_table(size: int) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.int64]]:
    """Return synthetic words, each followed by a space, in ascending order of length.

    Returns:
        The words as a (size, length of the longest word) array of bytes, padded with zeros, and the (size,) lengths of
        the words. All lengths include the space.
    """
    n = len(_SYLLABLES)
    words = []
    for rank in range(size):
        digits = [rank % n]
        while (rank := rank // n - 1) >= 0:
            digits.append(rank % n)
        words.append("".join(_SYLLABLES[digit] for digit in digits) + " ")
    lengths = np.array([len(word) for word in words])
    table = np.zeros((size, lengths.max()), np.uint8)
    for row, word in zip(table, words, strict=True):
        row[: len(word)] = list(word.encode())
    return table, lengths


def write_text(path: Path, sentences: int, seed: int) -> int:
    """Write a gzip file with one synthetic sentence per line, and return the number of tokens in the file.

    Sentence lengths are log-normal with a mean of about 13.4 words; the mean in BookCorpus is 13.3. The probability of
    a word is proportional to 1 / (rank + 2.7).
    """
    rng = np.random.default_rng(seed)
    table, lengths = word_table(VOCABULARY)
    columns = np.arange(table.shape[1])
    shift, tokens = 2.7, 0
    with gzip.open(path, "wb", compresslevel=1) as file:
        for first in range(0, sentences, _CHUNK):
            count = min(_CHUNK, sentences - first)
            words = np.maximum(1, rng.lognormal(np.log(10.5), 0.75, count).astype(int))
            ranks = (shift * ((VOCABULARY + shift) / shift) ** rng.random(words.sum()) - shift).astype(int)
            text = table[ranks][columns < lengths[ranks][:, None]]
            text[np.cumsum(lengths[ranks])[np.cumsum(words) - 1] - 1] = ord("\n")
            file.write(text.tobytes())
            tokens += len(ranks)
    return tokens


@contextlib.contextmanager
def watched_disk(folder: Path) -> Iterator[list[float]]:
    """Measure the disk usage of a folder every two seconds during a ``with`` block.

    Yields:
        A list whose only item is the maximum disk usage so far, in gigabytes.
    """
    peak, ended = [0.0], threading.Event()

    def watch() -> None:
        while not ended.wait(2):
            used = 0
            for file in folder.rglob("*"):
                with contextlib.suppress(OSError):
                    used += 512 * file.stat().st_blocks
            peak[0] = max(peak[0], used / 1e9)

    thread = threading.Thread(target=watch)
    thread.start()
    try:
        yield peak
    finally:
        ended.set()
        thread.join()


def start(folder: Path, sentences: int, cores: int) -> subprocess.Popen[bytes]:
    """Start the pipeline, whose last step is the training of Siamese CBOW, and return its process."""
    command = [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile", "--directory", folder, _MODEL]
    command += ["--cores", str(cores), "--set-threads", f"train={cores}", "--config", "preset=paper"]
    command += [f"mirror={folder / 'mirror'}", "papers=[siamese_cbow]"]
    command += [f"corpora={{books: {{expected_sentences: {sentences}}}}}"]
    with (folder / "snakemake.log").open("ab") as log:
        return subprocess.Popen(command, cwd=ROOT, stdout=log, stderr=log, start_new_session=True)


def wait(process: subprocess.Popen[bytes], folder: Path) -> None:
    """Wait until the pipeline ends.

    Raises:
        SystemExit: the pipeline failed.
    """
    if process.wait():
        sys.exit(
            f"{folder / 'snakemake.log'}: expected a run without errors, found exit code {process.returncode}; "
            "run the test again, and read this log while the test is running, because the test deletes it at the end"
        )


def progress(folder: Path) -> float:
    """Return the training progress in percent, or 0 if the training log does not state it yet."""
    try:
        found = re.findall(r" ([\d.]+)%,", (folder / _LOG).read_text())
    except FileNotFoundError:
        return 0
    return float(found[-1]) if found else 0


def kill_halfway(process: subprocess.Popen[bytes], folder: Path, sentences: int, cores: int) -> float:
    """Kill all processes halfway through the training, restart the pipeline, and wait until it ends.

    Returns:
        The time in seconds from the kill until the restarted training has progressed as far as the killed training.

    Raises:
        SystemExit: the pipeline ended before the processes could be killed, or the restarted pipeline failed.
    """
    while process.poll() is None and progress(folder) < 50:
        time.sleep(0.2)
    if process.poll() is not None:
        sys.exit(
            f"{folder}: expected to kill the pipeline halfway through the training, found that it had already ended; "
            "increase --sentences, or run the test without --kill to see whether the pipeline fails"
        )
    done = progress(folder)
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    (folder / _LOG).unlink()
    killed = time.monotonic()
    subprocess.run(
        [sys.executable, "-m", "snakemake", "--snakefile", ROOT / "Snakefile", "--directory", folder, "--unlock"],
        check=True,
        capture_output=True,
    )
    again = start(folder, sentences, cores)
    while again.poll() is None and progress(folder) < done:
        time.sleep(0.2)
    lost = time.monotonic() - killed
    wait(again, folder)
    return lost


def rehearse(folder: Path, sentences: int, cores: int, kill: bool) -> Iterator[Row]:
    """Run the scale test on ``sentences`` sentences; yield a row of results per step and one for the whole pipeline."""
    load = round(os.getloadavg()[0], 2)
    mirror = folder / "mirror" / "bookcorpus"
    mirror.mkdir(parents=True)
    began = time.monotonic()
    halves = [sentences // 2, sentences - sentences // 2]
    paths = [mirror / f"books_large_p{part}.txt.gz" for part in (1, 2)]
    with ProcessPoolExecutor(cores) as pool:
        tokens = sum(pool.map(write_text, paths, halves, (1, 2)))
    common = {"sentences": sentences, "tokens": tokens, "load_before": load, "cores": cores}
    yield {**common, "step": "writing the synthetic text", "seconds": round(time.monotonic() - began, 1)}
    began = time.monotonic()
    with watched_disk(folder) as disk:
        process = start(folder, sentences, cores)
        lost = kill_halfway(process, folder, sentences, cores) if kill else wait(process, folder)
    whole = time.monotonic() - began
    memory = []
    for step, path in _STEPS.items():
        with (folder / "results" / "paper" / "benchmarks" / f"{path}.tsv").open(newline="") as file:
            (row,) = csv.DictReader(file, delimiter="\t")
        memory.append(float(row["max_pss"]))
        yield {**common, "step": step, "seconds": float(row["s"]), "memory_mb": round(memory[-1])}
    note = "" if lost is None else f"killed halfway through training; reached the same point again {lost:.0f} s later"
    row = {**common, "step": "all, from text files to vectors", "seconds": round(whole, 1), "note": note}
    yield {**row, "memory_mb": round(max(memory)), "disk_gb": round(disk[0], 2)}


def draw(rows: Sequence[Row], path: Path) -> None:
    """Plot the time and the memory of each step and of the whole pipeline against the number of sentences."""
    chart, axes = style.new_figure(1, 2, 8.4, 3.2)
    labels = [*_STEPS, "all, from text files to vectors"]
    for panel, column, title in zip(axes[0], ("seconds", "memory_mb"), ("seconds", "memory, MB"), strict=True):
        for place, label in enumerate(labels):
            own = [row for row in rows if row["step"] == label]
            x, y = ([row[name] for row in own] for name in ("sentences", column))
            panel.plot(x, y, color=style.PALETTE[place], marker=style.MARKERS[place], label=label)
        style.set_log_scale(panel, "xy")
        panel.set_title(title)
        panel.set_xlabel("sentences")
    axes[0][0].legend(fontsize=7, frameon=False)
    with atomic_file(path) as temporary:
        chart.savefig(temporary, format="svg", metadata={"Date": None, "Title": "Scale test"})


def main() -> None:
    """Run the test for each number of sentences, and print and write the results."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--folder",
        type=Path,
        required=True,
        help="new or empty folder, which is deleted at the end; by default, the test needs 11 GB of disk space",
    )
    parser.add_argument("--sentences", type=int, nargs="+", default=[BOOKCORPUS])
    parser.add_argument("--cores", type=int, default=2)
    parser.add_argument("--kill", action="store_true")
    parser.add_argument("--output", type=Path, default=RESULTS)
    a = parser.parse_args()
    folder = a.folder.resolve()
    if folder.exists() and any(folder.iterdir()):
        sys.exit(f"{folder}: expected a new or empty folder, found files; choose another folder")
    print(load_line(), flush=True)
    rows = []
    try:
        for sentences in a.sentences:
            for row in rehearse(folder, sentences, a.cores, a.kill):
                rows.append(row)
                print(
                    ", ".join(f"{name} {row[name]}" for name in COLUMNS if row.get(name) not in (None, "")), flush=True
                )
            shutil.rmtree(folder)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    name = f"{file_name(machine())}-scale-test"
    with atomic_file(a.output / f"{name}.csv") as temporary, temporary.open("w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, COLUMNS)
        writer.writeheader()
        writer.writerows(rows)
    if len(a.sentences) > 1:
        draw(rows, a.output / f"{name}.svg")
    print(load_line())


if __name__ == "__main__":
    main()
