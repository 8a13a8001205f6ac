"""Run the function of a rule, with logging to the rule's log file and one-line errors for invalid input."""

from __future__ import annotations

import importlib
import inspect
import logging
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
_CLOCK_TOLERANCE = 60  # seconds; outputs of longer jobs are newer in any case


def call(snakemake: Any) -> None:
    """Call the function that a rule names in its parameter ``call``, with logging to the log file and standard error.

    The module is imported only after the threads of numerical libraries are limited: to ``cores`` if the rule has this
    parameter. Named inputs, outputs and parameters of the rule become keyword arguments, and so do the entries of its
    parameter ``keywords``. Where the function has parameters of these names it is also given wildcards, ``code`` (the
    digest of the code), ``provenance`` (a record of it), ``config`` (the workflow's), ``log`` (the log file), and
    ``threads`` or ``processes`` (the cores of the job). A function whose only parameter is ``snakemake`` is given
    Snakemake's object instead.

    A :class:`SentrepError` ends the process with its one-line message and status 1. For any other exception, which is a
    defect, the traceback is logged.
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
    # Raise an exception on SIGTERM, so that half-written files are removed on the way out.
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


def _call(snakemake: Any) -> None:
    params = dict(snakemake.params.items())
    limit_threads(params.pop("cores", snakemake.threads))
    module, _, name = params.pop("call").rpartition(".")
    code = params.pop("code", None)
    given = {**dict(snakemake.input.items()), **dict(snakemake.output.items()), **params.pop("keywords", {}), **params}
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
    if list(accepted) == ["snakemake"]:
        function(snakemake)
        return
    function(**{key: value for key, value in extras.items() if key in accepted} | given)


def _check_clock(inputs: Iterable[str]) -> None:
    """Check that no input is from the future; Snakemake would delete outputs that are older than their inputs.

    Raises:
        SentrepError: the clock was set back, or that of another machine is ahead.
    """
    for path in map(Path, inputs):
        if not path.exists():
            continue  # the function reports it
        stamp = path / ".snakemake_timestamp"  # time stamp of a folder
        changed = (stamp if stamp.exists() else path).stat().st_mtime
        if changed > time.time() + _CLOCK_TOLERANCE:
            touch = f"snakemake --touch --forceall {path}" if path.parts[0] == "results" else f"touch {path}"
            raise SentrepError(
                path,
                expected="a modification time in the past",
                found=datetime.fromtimestamp(changed).astimezone().isoformat(sep=" ", timespec="seconds"),
                remedy=f"correct the clock, then run `{touch}`",
            )
