"""Publish a run by copying its results and logs to one small folder that can be committed to a repository."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Container
from pathlib import Path

import pandas as pd

from sentrep.errors import SentrepError
from sentrep.io.csv_files import write_csv
from sentrep.io.files import read_json
from sentrep.io.folders import FolderKind, output_folder
from sentrep.provenance.checksums import CRATE, RECORD

COSTS = ["step", "seconds", "peak_memory_mb", "mean_load"]
# The folder of a published run is recognised by three of its files.
PUBLISHED = FolderKind(
    "a published run",
    lambda folder: all((folder / name).is_file() for name in ("provenance.json", "costs.csv", "run.log")),
)
_PER_MODEL = ("models", "scores", "transfer")  # kinds of jobs whose names continue with the name of a model
_KEPT = {".csv", ".md", ".html", ".svg", ".json", ".npz"}  # TeX and PDF files are not copied; they can be regenerated


def publish(project: str | Path, output: str | Path, *, overwrite: bool = False) -> list[str]:
    """Copy the results of a run, and the logs and costs of its jobs, to a folder.

    The results are the tables, figures, bootstrap draws, ``provenance.json`` and the metadata of the RO-Crate. They
    keep their paths relative to results/. The HTML report and files in TeX or PDF format are not copied. ``costs.csv``
    lists the wall time, peak memory and CPU load of every job that Snakemake measured, and ``run.log`` contains the
    logs of all jobs. Jobs of models that are not in ``provenance.json`` are left out, because they belong to another
    run of the same preset. If a published run is replaced, its README.md and run.yaml are kept.

    Args:
        project: folder that contains results/ and logs/.
        output: folder to write.
        overwrite: whether to replace an existing published run.

    Returns:
        The paths of the files that were written, relative to ``output``.

    Raises:
        SentrepError: the run is not finished, or the output folder cannot be written, for example because it contains
            other files.
    """
    from sentrep.provenance.run_crate import write_run_crate

    project = Path(project)
    record = project / "results" / RECORD
    if not record.exists():
        raise SentrepError(
            record, expected="the record of a finished run", found="no file", remedy="run `snakemake` first"
        )
    run = read_json(record)
    preset = run["preset"]
    results = project / "results"
    chosen = [path for pattern in ("*", "*/*") for path in results.glob(pattern) if path.suffix in _KEPT]
    # The folders of presets, which contain models and token stores, are not copied.
    apart = {results / "published", *(path.parent for path in results.glob("*/benchmarks"))}
    with output_folder(output, PUBLISHED, overwrite=overwrite, apart=[results, project / "logs"]) as folder:
        for path in sorted(chosen):
            # The report is not copied, because it can be made from the published folder.
            if path.parent not in apart and path.name != "report.html":
                target = folder / path.relative_to(results)
                target.parent.mkdir(exist_ok=True)
                shutil.copyfile(path, target)
        if (folder / CRATE).exists():  # describe only the files that were copied
            write_run_crate(folder)
        for name in ("README.md", "run.yaml"):  # written by hand, so they cannot be regenerated
            if (kept := Path(output) / name).is_file():
                shutil.copyfile(kept, folder / name)
        # The columns are the job, seconds, peak memory (MB) and mean load (%).
        costs = [row for row in read_benchmarks(results / preset / "benchmarks") if _of_run(row["step"], run["models"])]
        write_csv(folder / "costs.csv", pd.DataFrame(costs, columns=COSTS))
        with (folder / "run.log").open("w", encoding="utf-8") as stream:
            for path in sorted(
                [*(project / "logs" / preset).rglob("*.log"), *(project / "logs/results").rglob("*.log")]
            ):
                name = path.relative_to(project / "logs").with_suffix("")
                if _of_run("/".join(name.parts[1:]), run["models"]):
                    stream.write(f"== {name}\n{path.read_text(encoding='utf-8')}\n")
        return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())


def _of_run(step: str, models: Container[str]) -> bool:
    """Return whether a job belongs to the run, and not to a run of the same preset with other models."""
    kind, *names = step.split("/")
    return kind not in _PER_MODEL or not names or names[0] in models


def read_benchmarks(benchmarks: str | Path) -> list[dict[str, str]]:
    """Read the benchmark files that Snakemake wrote for the jobs of a run.

    Args:
        benchmarks: folder of the benchmark files, such as results/sample/benchmarks.

    Returns:
        A list with one dictionary for each job, sorted by job name. The keys of each dictionary are :data:`COSTS`. The
        values are strings: the job name, the wall time in seconds, the peak memory in MB and the mean CPU load in
        percent.
    """
    rows = []
    for path in sorted(Path(benchmarks).rglob("*.tsv")):
        with path.open(newline="", encoding="utf-8") as table:
            row = next(csv.DictReader(table, delimiter="\t"))
        step = str(path.relative_to(benchmarks).with_suffix(""))
        rows.append(dict(zip(COSTS, (step, row["s"], row["max_rss"], row["mean_load"]), strict=True)))
    return rows
