"""Train one model in several processes.

A process group exists if torchrun, which sets WORLD_SIZE and RANK, started the process. Every process reads the same
batch and works on its share. The loss of the batch is the mean of the processes' losses, and gradients are averaged.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

from sentrep.errors import SentrepError

if TYPE_CHECKING:
    import torch


def world_size() -> int:
    """Return the number of processes that train together."""
    # Some clusters export WORLD_SIZE to every job.
    return int(os.environ.get("WORLD_SIZE", "1")) if "TORCHELASTIC_RUN_ID" in os.environ else 1


def rank() -> int:
    """Return the number of this process, from 0; process 0 writes files."""
    return int(os.environ.get("RANK", "0")) if world_size() > 1 else 0


def device_of(device: str) -> str:
    """Return the device of this process; each of several processes on one machine has its own GPU."""
    return f"cuda:{os.environ['LOCAL_RANK']}" if device == "cuda" and world_size() > 1 else device


@contextlib.contextmanager
def process_group(device: str) -> Iterator[None]:
    """Join the other processes for the duration of the block; do nothing if there are none."""
    if world_size() == 1:
        yield
        return
    import torch
    import torch.distributed as group

    cuda = device.startswith("cuda")
    if cuda:
        torch.cuda.set_device(device_of("cuda"))  # the default device of kernels
    group.init_process_group("nccl" if cuda else "gloo")
    try:
        yield
    finally:
        group.destroy_process_group()


def share(n: int) -> slice:
    """Return this process's part of ``n`` items: contiguous, of equal size.

    Raises:
        SentrepError: ``n`` cannot be divided.
    """
    if n % world_size():
        raise SentrepError(
            "config.processes",
            expected=f"a divisor of the batch size, {n}",
            found=f"{world_size()}",
            remedy="change `processes` or the model's `batch_size`",
        )
    size = n // world_size()
    return slice(rank() * size, (rank() + 1) * size)


def any_process(flag: bool) -> bool:
    """Return whether ``flag`` is true in any process, with the same result in all processes."""
    if world_size() == 1:
        return flag
    import torch
    import torch.distributed as group

    value = torch.tensor(int(flag), device=_reduction_device())
    group.all_reduce(value, group.ReduceOp.MAX)
    return bool(value.item())


def mean_over_processes(values: torch.Tensor) -> torch.Tensor:
    """Return the mean of a tensor over all processes; the result is not differentiable."""
    if world_size() == 1:
        return values
    import torch.distributed as group

    values = values.clone()
    group.all_reduce(values)
    return values / world_size()


def gather_rows(rows: torch.Tensor) -> torch.Tensor:
    """Return the (n, ...) rows of all processes as (processes * n, ...), in order of rank, differentiable."""
    if world_size() == 1:
        return rows
    import torch
    from torch.distributed.nn.functional import all_gather

    return torch.cat(all_gather(rows))


def _reduction_device() -> str:
    import torch.distributed as group

    return device_of("cuda") if group.get_backend() == "nccl" else "cpu"
