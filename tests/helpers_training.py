"""Interrupt training runs, and compare gradients with finite differences."""

from pathlib import Path

import torch
from torch import nn

from sentrep.training.checkpoints import Checkpoint, Checkpoints


class DeathError(Exception):
    """Exception that simulates a killed process."""


class Cut(Checkpoints):
    """Checkpoints that are saved after every chunk, and that stop training with a :class:`DeathError`.

    Args:
        directory: folder of the training run.
        steps: number of training steps after which training stops.
    """

    def __init__(self, directory: str | Path, steps: int) -> None:
        super().__init__(directory, minutes=0)
        self.steps = steps

    def save(self, checkpoint: Checkpoint) -> None:
        super().save(checkpoint)
        if checkpoint.steps >= self.steps:
            raise DeathError


def check_gradients(module: nn.Module, *inputs: object) -> None:
    """Check the gradients of a loss in double precision against central differences with a step of 1e-6.

    For each parameter, the derivatives in one random direction must agree to within 1e-5 of their value or, if this is
    more, to within about 1e-7.

    Args:
        module: module in double precision whose output is the loss.
        inputs: arguments of the module.

    Raises:
        GradcheckError: the derivatives differ.
    """
    trained = {name: p.detach().requires_grad_() for name, p in module.named_parameters() if p.requires_grad}

    def loss(*values: torch.Tensor) -> torch.Tensor:
        return torch.func.functional_call(module, dict(zip(trained, values, strict=True)), inputs)

    assert torch.autograd.gradcheck(loss, tuple(trained.values()), atol=1e-7, rtol=1e-5, fast_mode=True)
