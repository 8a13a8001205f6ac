"""Networks as learners: batches, gradients, clipping, Adam; on one device or shared by several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from sentrep.families import Run
from sentrep.training import distributed
from sentrep.training.checkpoints import State

Clip = Literal["global", "per_variable", "none"]
Precision = Literal["auto", "float32", "bfloat16"]


@dataclass(frozen=True)
class Optimisation:
    """How gradients become steps.

    Attributes:
        clip: norm that is limited: of all gradients together, of each parameter's on its own, or none.
        largest_norm: the limit.
        betas: Adam's decay rates.
        epsilon: Adam's.
        precision: of matrix products; "auto" is bfloat16 on a GPU, float32 elsewhere. Parameters stay float32.
    """

    clip: Clip = "none"
    largest_norm: float = 5.0
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    precision: Precision = "auto"


def seeded(seed: int, build: Callable[[], nn.Module]) -> nn.Module:
    """Return ``build()``, its random numbers those of ``seed``; torch's own generator is left as it was."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(np.random.SeedSequence([seed, 0]).generate_state(1)[0])
        return build()


class NeuralLearner:
    """A module whose forward pass is a loss, trained by Adam; see :class:`sentrep.training.loop.Learner`.

    Args:
        objective: called with a batch; returns the loss, (), of this process's share of it, such that the mean over
            processes is the loss of the whole batch. Moved to the run's device.
        batches: called with (first, n), steps counted over all epochs; gives the n batches. Must depend on nothing
            but the seed and these numbers.
        optimisation: how to step.
        run: device, threads, seed.
    """

    def __init__(
        self,
        objective: nn.Module,
        batches: Callable[[int, int], Iterable[Any]],
        optimisation: Optimisation,
        run: Run,
    ) -> None:
        self._device = torch.device(run.device)
        if self._device.type == "cpu":
            torch.set_num_threads(run.threads)
        self.objective = objective.to(self._device)
        self._batches, self._settings = batches, optimisation
        self._parameters = [p for p in self.objective.parameters() if p.requires_grad]
        self._adam = torch.optim.Adam(
            self._parameters, lr=0.0, betas=optimisation.betas, eps=optimisation.epsilon, fused=True
        )
        wanted = optimisation.precision
        self._bfloat16 = wanted == "bfloat16" or (wanted == "auto" and self._device.type == "cuda")
        # Wrapped only where it is needed: the wrapper copies gradients into buckets.
        self._forward = DistributedDataParallel(self.objective) if distributed.world_size() > 1 else self.objective
        seed = np.random.SeedSequence([run.seed, 1, distributed.rank()]).generate_state(1)[0]
        torch.manual_seed(seed)  # of dropout and the like; part of the state

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Take one step for each rate; return their losses, (n,) float64."""
        losses = torch.zeros(len(rates), device=self._device)
        if len(rates) == 0:
            return losses.double().cpu().numpy()
        self.objective.train()
        for i, (batch, rate) in enumerate(zip(self._batches(first, len(rates)), rates, strict=True)):
            with torch.autocast(self._device.type, torch.bfloat16, enabled=self._bfloat16):
                loss = self._forward(batch)
            self._adam.zero_grad(set_to_none=True)
            loss.backward()
            self._clip()
            for group in self._adam.param_groups:
                group["lr"] = float(rate)
            self._adam.step()
            losses[i] = loss.detach()
        return distributed.mean_over_processes(losses).double().cpu().numpy()

    def _clip(self) -> None:
        limit = self._settings.largest_norm
        if self._settings.clip == "global":
            nn.utils.clip_grad_norm_(self._parameters, limit)
        elif self._settings.clip == "per_variable":
            gradients = [p.grad for p in self._parameters if p.grad is not None]
            for gradient, norm in zip(gradients, torch._foreach_norm(gradients), strict=True):
                gradient.mul_(limit / norm.clamp(min=limit))  # as TensorFlow's clip_by_norm

    def state(self) -> State:
        """Return parameters, Adam's moments and the states of torch's random number generators."""
        tensors = {f"parameter.{name}": p for name, p in self.objective.state_dict().items()}
        for i, parameter in enumerate(self._parameters):
            for key, value in self._adam.state[parameter].items():
                tensors[f"adam.{i}.{key}"] = value
        tensors["random.cpu"] = torch.get_rng_state()
        if self._device.type == "cuda":
            tensors["random.cuda"] = torch.cuda.get_rng_state(self._device)
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}

    def restore(self, state: State) -> None:
        """Take over what :meth:`state` returned."""
        tensors = {name: torch.from_numpy(values) for name, values in state.items()}
        prefix = "parameter."
        self.objective.load_state_dict({n.removeprefix(prefix): t for n, t in tensors.items() if n.startswith(prefix)})
        for i, parameter in enumerate(self._parameters):
            names = {n.rpartition(".")[2]: n for n in tensors if n.startswith(f"adam.{i}.")}
            self._adam.state[parameter] = {key: tensors[n].to(self._device) for key, n in names.items()}
        torch.set_rng_state(tensors["random.cpu"])
        if self._device.type == "cuda":
            torch.cuda.set_rng_state(tensors["random.cuda"], self._device)
