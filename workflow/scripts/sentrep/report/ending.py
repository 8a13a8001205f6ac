"""Compose the text to show when a run ends: the main results and next steps, or the errors of failed jobs."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from pathlib import Path

from sentrep.io.aligned import aligned
from sentrep.report.headline import headline
from sentrep.tables.numbers import fixed
from sentrep.tables.values import Value, Values

_JOB = re.compile(r"^Error in rule (\w+):$(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL)
_LOG = re.compile(r"^\s+log: (.*?)(?: \(check log file\(s\).*)?$", re.MULTILINE)
_STAMP = re.compile(r"^\d\d:\d\d:\d\d ")
_MOST = 5  # maximum number of failed jobs that are listed


def success(results: Path, preset: str, started: float) -> str:
    """Return the text to show after a successful run: mean correlations, the path of the report, and next steps.

    The text is empty if this run did not write ``provenance.json``, for example because only some files were requested,
    or if there are no mean correlations.

    Args:
        results: folder ``results/`` of the run.
        preset: name of the preset.
        started: Unix time of the start of the run, in seconds.
    """
    if not _is_new(results / "provenance.json", started):
        return ""
    found = headline(Values.read(results / "values.csv"))
    if found is None:
        return ""
    sample = ", sample data" if found.sample else ""
    lines = [f"Mean Pearson's r over {found.sets} sets under the paper's protocol (preset {preset}{sample})", ""]
    lines += aligned([["model", "seeds", "mean r", "95% interval", "published"], *map(_row, found.means)])
    report = results / "report.html"
    best = found.trained[0] if found.trained else found.means[0]
    written = _is_new(report, started)
    lines += [
        "",
        f"report: {report}" if written else f"report: not written; run `snakemake {report}` to write it",
        f"next: open {report if written else results / 'table1.html'} in a browser",
        f"      sentrep encode {results / preset}/models/{best.system}/seed1 sentences.txt vectors.npy",
        "      to use your own text, models or pairs, read docs/train.md and docs/extending.md",
    ]
    return "\n".join(lines)


def _row(value: Value) -> list[str]:
    label = f"{value.label} (untrained)" if value.baseline else value.label
    interval = "" if math.isnan(value.low) else f"[{_r(value.low, 3)}, {_r(value.high, 3)}]"
    return [label, str(value.seeds), _r(value.mean), interval, _r(value.published_value)]


def _r(number: float, digits: int = 4) -> str:
    return fixed(number, digits, leading_zero=False)


def _is_new(path: Path, started: float) -> bool:
    return path.exists() and path.stat().st_mtime >= started - 1  # some file systems round times to whole seconds


def failure(logs: Sequence[str | Path]) -> str:
    """Return the text to show after a failed run: for each of the first five failed jobs, its rule, error and log file.

    Args:
        logs: Snakemake's own log files.
    """
    files = [path for path in map(Path, logs) if path.is_file()]
    text = "\n".join(path.read_text(encoding="utf-8", errors="replace") for path in files)
    found = dict.fromkeys(f"error: {rule}: {_error(block)}" for rule, block in _JOB.findall(text))
    more = [f"number of other failed jobs: {len(found) - _MOST}; see {files[0]}"] if len(found) > _MOST else []
    return "\n".join([*list(found)[:_MOST], *more])


def _error(block: str) -> str:
    """Return the error in the log file of a failed job; ``block`` is Snakemake's message about the job."""
    named = _LOG.search(block)
    path = Path(named[1].split(", ")[0]) if named else None
    if path is None or not path.is_file():
        return "no log file; the job may have been killed before it wrote one, or may not have started"
    lines = [_STAMP.sub("", line) for line in path.read_text(encoding="utf-8", errors="replace").splitlines()]
    errors = [line.removeprefix("error: ") for line in lines if line.startswith("error: ")]
    last = next((line for line in reversed(lines) if line.strip()), "empty log file; the job may have been killed")
    return f"{errors[-1] if errors else last.strip()} ({path})"
