"""Several processes that train one model: what each must know of the others.

A process group exists if torchrun started the process (it sets WORLD_SIZE and RANK). Every process reads the same
global batch and works on its share; losses are made so that their mean over processes is the loss of the whole
batch, and gradients are averaged.
"""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING, Any

from sentrep.errors import SentrepError

if TYPE_CHECKING:
    import torch


def world_size() -> int:
    """Return the number of processes that train together."""
    # Some clusters export WORLD_SIZE to every job, whether or not its processes know of each other.
    return int(os.environ.get("WORLD_SIZE", "1")) if "TORCHELASTIC_RUN_ID" in os.environ else 1


def rank() -> int:
    """Return the number of this process, from 0; process 0 writes files."""
    return int(os.environ.get("RANK", "0")) if world_size() > 1 else 0


def device_of(device: str) -> str:
    """Return the device of this process: with several on one machine, each has a GPU of its own."""
    return f"cuda:{os.environ['LOCAL_RANK']}" if device == "cuda" and world_size() > 1 else device


@contextlib.contextmanager
def process_group(device: str) -> Iterator[None]:
    """Join the other processes for the duration of the block; nothing if this process is alone."""
    if world_size() == 1:
        yield
        return
    import torch
    import torch.distributed as group

    cuda = device.startswith("cuda")
    if cuda:
        torch.cuda.set_device(device_of("cuda"))  # where kernels are launched that are given no device
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
    """Return whether ``flag`` is true in any process, the same answer in all."""
    if world_size() == 1:
        return flag
    import torch
    import torch.distributed as group

    value = torch.tensor(int(flag), device=_reduction_device())
    group.all_reduce(value, group.ReduceOp.MAX)
    return bool(value.item())


def mean_over_processes(values: torch.Tensor) -> torch.Tensor:
    """Return the mean of a tensor over processes, not differentiable."""
    if world_size() == 1:
        return values
    import torch.distributed as group

    values = values.clone()
    group.all_reduce(values)
    return values / world_size()


def gather_rows(rows: torch.Tensor) -> torch.Tensor:
    """Return the (n, ...) rows of all processes as (processes * n, ...), in order of rank; gradients flow back."""
    if world_size() == 1:
        return rows
    return _gather().apply(rows)


@cache
def _gather() -> type[torch.autograd.Function]:
    """Return the differentiable gathering of rows; made when it is needed, so that torch is imported only then."""
    import torch
    import torch.distributed as group

    class Gather(torch.autograd.Function):
        @staticmethod
        def forward(_ctx: Any, mine: torch.Tensor) -> torch.Tensor:
            parts = [torch.empty_like(mine) for _ in range(world_size())]
            group.all_gather(parts, mine.contiguous())
            return torch.cat(parts)

        @staticmethod
        def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
            _ctx: Any, gradient: torch.Tensor
        ) -> torch.Tensor:
            gradient = gradient.contiguous()
            group.all_reduce(gradient)  # every process' loss depends on these rows
            return gradient.chunk(world_size())[rank()]

    return Gather


def _reduction_device() -> str:
    import torch.distributed as group

    return device_of("cuda") if group.get_backend() == "nccl" else "cpu"
