"""Train one model in several processes.

Processes form a group if they were started by torchrun or :mod:`sentrep.training.launch`, both of which set the
environment variables ``TORCHELASTIC_RUN_ID``, ``WORLD_SIZE``, ``RANK`` and ``LOCAL_RANK``. Each process works on its
share of each batch. The loss of a batch is the mean of the processes' losses, and gradients are averaged over the
processes.
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
    """Return the number of processes that train a model together."""
    # WORLD_SIZE alone does not show that there is a group, because some clusters set it in every job.
    return int(os.environ.get("WORLD_SIZE", "1")) if "TORCHELASTIC_RUN_ID" in os.environ else 1


def rank() -> int:
    """Return the rank of this process, counted from 0; only process 0 writes files."""
    return int(os.environ.get("RANK", "0")) if world_size() > 1 else 0


def device_of(device: str) -> str:
    """Return this process's own GPU, such as "cuda:1", if several processes train on "cuda"; otherwise ``device``."""
    return f"cuda:{os.environ['LOCAL_RANK']}" if device == "cuda" and world_size() > 1 else device


@contextlib.contextmanager
def process_group(device: str) -> Iterator[None]:
    """Join the process group for the duration of a ``with`` block; do nothing if there is only one process."""
    if world_size() == 1:
        yield
        return
    import torch
    import torch.distributed as group

    cuda = device.startswith("cuda")
    if cuda:
        torch.cuda.set_device(device_of("cuda"))  # kernels run on the current device
    group.init_process_group("nccl" if cuda else "gloo")
    try:
        yield
    finally:
        group.destroy_process_group()


def share(n: int) -> slice:
    """Return this process's share of ``n`` items as a slice; all processes have shares of the same size.

    Raises:
        SentrepError: the number of processes does not divide ``n``.
    """
    if n % world_size():
        raise SentrepError(
            "config.processes",
            expected=f"a divisor of the batch size {n}",
            found=f"{world_size()} processes",
            remedy="change `processes` or the model's `batch_size`",
        )
    size = n // world_size()
    return slice(rank() * size, (rank() + 1) * size)


def any_process(flag: bool) -> bool:
    """Return whether ``flag`` is true in any process; all processes get the same result."""
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
    """Concatenate the (n, ...) tensors of all processes along the first axis, in the order of the processes' ranks.

    Returns:
        A tensor of shape (processes * n, ...); gradients flow back to the tensors of all processes.
    """
    if world_size() == 1:
        return rows
    import torch
    from torch.distributed.nn.functional import all_gather

    return torch.cat(all_gather(rows))


def _reduction_device() -> str:
    import torch.distributed as group

    return device_of("cuda") if group.get_backend() == "nccl" else "cpu"
