"""Run the Python function of a workflow rule, write the log file, and report invalid input as a one-line error."""

from __future__ import annotations

import importlib
import inspect
import logging
import os
import signal
import sys
import time
import traceback
from collections.abc import Iterable
from datetime import datetime
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.runtime.one_line import one_line_errors
from sentrep.runtime.threads import limit_threads

log = logging.getLogger("sentrep")
# Number of seconds by which the modification time of an input may lie in the future. If the job takes longer than that,
# its outputs are still newer than the input.
_CLOCK_TOLERANCE = 60


def call(snakemake: Any) -> None:
    """Call the function that a rule names in its parameter ``call``, and log to the rule's log file and to stderr.

    Before the function's module is imported, the number of threads of numerical libraries is limited to the rule's
    parameter ``cores`` or, if the rule has no such parameter, to the rule's number of threads.

    The function receives these keyword arguments: the named inputs and outputs of the rule, the entries of the rule's
    parameter ``keywords``, and the rule's other named parameters except ``call``, ``cores``, ``code`` and ``caption``
    (the content of the result's caption in Snakemake's report). Unnamed inputs and parameters are not passed; if they
    change, Snakemake reruns the job. The following arguments are passed only if they occur in the function's signature:
    the wildcards of the job, ``code`` (the digest of the code that the rule runs), ``provenance`` (a dictionary with
    this digest), ``config`` (the configuration of the workflow), ``log`` (the path of the log file), and ``threads``
    and ``processes`` (both equal to the rule's number of threads).

    A :class:`SentrepError` ends the process with a one-line message and status 1. Any other exception is treated as a
    defect: its traceback is logged, and the status is also 1.
    """
    handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
    if snakemake.log:
        Path(snakemake.log[0]).parent.mkdir(parents=True, exist_ok=True)
        handlers.append(logging.FileHandler(snakemake.log[0], mode="w", encoding="utf-8"))
    logging.basicConfig(
        level=logging.INFO,
        handlers=handlers,
        format="%(asctime)s %(message)s",
        datefmt="%H:%M:%S",
        force=True,
    )
    # Raise an exception on SIGTERM, so that incomplete files are removed before the process ends.
    signal.signal(signal.SIGTERM, lambda number, _frame: sys.exit(128 + number))
    try:
        with one_line_errors():
            _check_clock(snakemake.input)
            _call(snakemake)
    except SentrepError as error:
        log.error("error: %s", error)
        sys.exit(1)
    except Exception:
        log.error("%s", traceback.format_exc())
        sys.exit(1)


def end() -> None:
    """End the process of a finished job at once.

    The interpreter's clean-up, which takes 0.3 s of processor time if torch was imported, is skipped.
    """
    logging.shutdown()
    sys.stdout.flush()
    os._exit(0)


def _call(snakemake: Any) -> None:
    params = dict(snakemake.params.items())
    limit_threads(params.pop("cores", snakemake.threads))
    module, _, name = params.pop("call").rpartition(".")
    code = params.pop("code", None)
    params.pop("caption", None)
    parts = [dict(snakemake.input.items()), dict(snakemake.output.items()), params.pop("keywords", {}), params]
    given = {key: value for part in parts for key, value in part.items()}
    if len(given) < sum(map(len, parts)):
        raise ValueError(f"{module}.{name}: two of its inputs, outputs and parameters have the same name")
    extras = {
        **dict(getattr(snakemake, "wildcards", {}).items()),
        "code": code,
        "provenance": {"code": code},
        "config": getattr(snakemake, "config", {}),
        "log": next(iter(snakemake.log), ""),
        "threads": snakemake.threads,
        "processes": snakemake.threads,
    }
    function = getattr(importlib.import_module(module), name)
    accepted = inspect.signature(function).parameters
    function(**{key: value for key, value in extras.items() if key in accepted} | given)


def _check_clock(inputs: Iterable[str]) -> None:
    """Check that no input has a modification time in the future.

    Snakemake would delete the outputs of a job with such an input, because they would be older than the input.

    Raises:
        SentrepError: the modification time of an input is more than a minute in the future, for example because the
            clock was set back or because the input was written on a machine whose clock is ahead.
    """
    for path in map(Path, inputs):
        if not path.exists():
            continue  # the rule's function reports missing files
        stamp = path / ".snakemake_timestamp"  # holds the modification time of a folder
        changed = (stamp if stamp.exists() else path).stat().st_mtime
        if changed > time.time() + _CLOCK_TOLERANCE:
            touch = f"snakemake --touch --forceall {path}" if path.parts[0] == "results" else f"touch {path}"
            raise SentrepError(
                path,
                expected="a modification time in the past",
                found=datetime.fromtimestamp(changed).astimezone().isoformat(sep=" ", timespec="seconds"),
                remedy=f"correct the clock, then run `{touch}`",
            )
