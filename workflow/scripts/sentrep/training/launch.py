"""Train one model with several processes on this machine, as torchrun does."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def train_together(processes: int, log_file: str | Path | None, arguments: Mapping[str, Any]) -> None:
    """Call :func:`sentrep.train.train_model` in ``processes`` processes that form a group.

    Args:
        processes: how many; with CUDA each takes a GPU of its own.
        log_file: the first process writes its log there, at the end of what it holds.
        arguments: of ``train_model``.

    Raises:
        SentrepError: a process failed; its own message is in the log.
    """
    from torch.distributed.elastic.multiprocessing.api import SignalException
    from torch.distributed.elastic.multiprocessing.errors import ChildFailedError
    from torch.distributed.launcher.api import LaunchConfig, elastic_launch

    from sentrep.errors import SentrepError

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
        elastic_launch(config, _work)(str(log_file) if log_file else None, dict(arguments))
    except ChildFailedError as error:
        rank, failure = error.get_first_failure()
        raise SentrepError(
            str(arguments["family_name"]),
            expected=f"{processes} processes to train together",
            found=f"process {rank} ended with status {failure.exitcode}",
            remedy="read the log above; `processes: 1` trains with one",
        ) from None
    except SignalException as error:
        raise SentrepError(
            str(arguments["family_name"]),
            expected="to train to the end",
            found=f"{error.sigval.name}",
            remedy="run the same command again: training goes on from the last checkpoint",
        ) from None


def _work(log_file: str | None, arguments: dict[str, Any]) -> None:
    """What each process does."""
    import sys

    from sentrep.errors import SentrepError
    from sentrep.train import train_model
    from sentrep.training import distributed

    if distributed.rank() == 0:
        handlers: list[logging.Handler] = [logging.StreamHandler(sys.stderr)]
        if log_file:
            handlers.append(logging.FileHandler(log_file, mode="a", encoding="utf-8"))
        logging.basicConfig(level=logging.INFO, handlers=handlers, format="%(asctime)s %(message)s", datefmt="%H:%M:%S")
    try:
        train_model(**arguments)
    except SentrepError as error:
        logging.getLogger("sentrep").error("error: %s", error)
        sys.exit(1)
