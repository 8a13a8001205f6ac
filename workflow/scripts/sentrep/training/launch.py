"""Run a function in several processes on this machine, as torchrun does."""

from __future__ import annotations

import logging
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.training import distributed


def run_together(
    function: Callable[..., Any], arguments: Mapping[str, Any], processes: int, label: str, log_file: str | Path | None
) -> None:
    """Call ``function(**arguments)`` in each of several processes, which can join a common torch process group.

    Args:
        function: function at the top level of a module that the processes can import.
        arguments: keyword arguments of the function.
        processes: number of processes; with CUDA, each has its own GPU.
        label: name of the model, for error messages.
        log_file: file to which process 0 appends its log messages; None for no file.

    Raises:
        SentrepError: a process failed, or a signal interrupted the training.
    """
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    config = LaunchConfig(
        min_nodes=1,
        max_nodes=1,
        nproc_per_node=processes,
        run_id="sentrep",
        rdzv_backend="c10d",
        rdzv_endpoint="localhost:0",
        max_restarts=0,
        start_method="spawn",
    )
    try:
        elastic_launch(config, _work)(str(log_file) if log_file else None, function, dict(arguments))
    except ChildFailedError as error:
        rank, failure = error.get_first_failure()
        raise SentrepError(
            label,
            expected=f"{processes} training processes that end without an error",
            found=f"exit status {failure.exitcode} from process {rank}",
            remedy="correct the error that the process reports above, if any, or train with `processes: 1`",
        ) from None
    except SignalException as error:
        raise SentrepError(
            label,
            expected="training without interruption",
            found=f"the signal {error.sigval.name}",
            remedy="run the same command again to resume training from the last checkpoint, if there is one",
        ) from None


def _work(log_file: str | None, function: Callable[..., Any], arguments: dict[str, Any]) -> None:
    """Call ``function(**arguments)`` in one process of the group.

    Process 0 logs to stderr and, if a log file is given, also to this file. Other processes log only warnings and
    errors, and only to stderr.
    """
    if distributed.rank() == 0:
        handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
        if log_file:
            handlers.append(logging.FileHandler(log_file, mode="a", encoding="utf-8"))
        logging.basicConfig(level=logging.INFO, handlers=handlers, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        function(**arguments)
    except SentrepError as error:
        logging.getLogger("sentrep").error("error: %s", error)
        sys.exit(1)
