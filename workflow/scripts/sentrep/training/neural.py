"""Train networks by gradient descent, on one device or in several processes."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn.parallel import DistributedDataParallel

from sentrep.training import distributed
from sentrep.training.checkpoints import State
from sentrep.training.optimisers import without_compiler
from sentrep.training.run import Run

Clip = Literal["global", "rescale", "per_variable", "none"]
Precision = Literal["auto", "float32", "bfloat16"]
Module = TypeVar("Module", bound=nn.Module)


@dataclass(frozen=True)
class Optimisation:
    """Settings for optimising a network by gradient descent.

    Attributes:
        clip: "global" limits the joint norm of all gradients; "per_variable" limits the norm of each parameter's
            gradient; "rescale" multiplies all gradients by a common factor, so that their joint norm becomes
            ``largest_norm`` even if it was smaller; "none" leaves gradients unchanged.
        largest_norm: maximum norm of gradients or, with "rescale", the norm to which they are scaled.
        betas: decay rates of Adam's moment estimates.
        epsilon: small constant in the denominator of Adam's updates.
        precision: data type of matrix products; "auto" means bfloat16 on a GPU and float32 elsewhere. Parameters are
            float32.
        optimiser: "adam", or "sgd" without momentum.
    """

    clip: Clip = "none"
    largest_norm: float = 5.0
    betas: tuple[float, float] = (0.9, 0.999)
    epsilon: float = 1e-8
    precision: Precision = "auto"
    optimiser: Literal["adam", "sgd"] = "adam"


def seeded(seed: int, build: Callable[[], Module]) -> Module:
    """Seed torch's generator, call ``build()``, restore the generator's previous state, and return the result."""
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(np.random.SeedSequence([seed, 0]).generate_state(1)[0])
        return build()


class NeuralLearner:
    """A :class:`sentrep.training.loop.Learner` that trains a module by gradient descent.

    Args:
        objective: module that maps a batch to this process's loss, a scalar; the mean over processes is the loss of the
            batch. The module is moved to the run's device.
        batches: function that is called as ``batches(first, n)`` and returns the batches of ``n`` steps, beginning with
            step ``first``. Steps are counted from 0 over all epochs. Batches may depend only on the seed and the step
            numbers.
        optimisation: settings of the optimiser.
        run: training run that provides the device, the number of threads and the seed.
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
        wanted = optimisation.precision
        self._bfloat16 = wanted == "bfloat16" or (wanted == "auto" and self._device.type == "cuda")
        # The module is wrapped only if necessary, because the wrapper copies gradients into buckets.
        self._forward = DistributedDataParallel(self.objective) if distributed.world_size() > 1 else self.objective
        self._seed = run.seed
        self._word_gradients: dict[nn.Parameter, torch.Tensor] = {}
        if self._device.type == "cpu" and distributed.world_size() == 1:
            for module in self.objective.modules():
                if isinstance(module, nn.Embedding):
                    module.sparse = True  # see _clip

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Take one step for each learning rate, and return the losses of the steps, (n,) float64."""
        losses = torch.zeros(len(rates), device=self._device)
        if len(rates) == 0:
            return losses.double().cpu().numpy()
        self.objective.train()
        for i, (batch, rate) in enumerate(zip(self._batches(first, len(rates)), rates, strict=True)):
            # Seeding every step makes dropout reproducible without saving the state of a generator.
            entropy = [self._seed, 1, distributed.rank(), first + i]
            torch.manual_seed(np.random.SeedSequence(entropy).generate_state(1)[0])
            with torch.autocast(self._device.type, torch.bfloat16, enabled=self._bfloat16):
                loss = self._forward(batch)
            self._optimiser.zero_grad(set_to_none=True)
            loss.backward()
            filled = self._clip()
            for group in self._optimiser.param_groups:
                group["lr"] = float(rate)
            self._optimiser.step()
            for gradient, rows in filled:
                gradient.index_fill_(0, rows, 0.0)
            losses[i] = loss.detach()
        return distributed.mean_over_processes(losses).double().cpu().numpy()

    @torch.no_grad()
    def _clip(self) -> list[tuple[torch.Tensor, torch.Tensor]]:
        """Clip gradients, and replace sparse gradients with dense copies.

        Creating a dense gradient for a large word table takes torch longer than the rest of a step. In a single process
        on a CPU, the gradients of word tables are therefore sparse, and their rows are copied into a dense gradient
        that is kept between steps. The caller must set the filled rows to zero after the step.

        Returns:
            For each sparse gradient, the dense copy and the indices of its filled rows.
        """
        limit = self._settings.largest_norm
        sparse = {p: p.grad.coalesce() for p in self._parameters if p.grad is not None and p.grad.is_sparse}
        gradients = [sparse[p].values() if p in sparse else p.grad for p in self._parameters if p.grad is not None]
        if self._settings.clip == "global":
            share = limit / (nn.utils.get_total_norm(gradients) + 1e-6)  # like torch's clip_grad_norm_
            torch._foreach_mul_(gradients, share.clamp(max=1.0))  # pyright: ignore[reportPrivateImportUsage]
        elif self._settings.clip == "rescale":
            share = limit / nn.utils.get_total_norm(gradients)
            torch._foreach_mul_(gradients, share)  # pyright: ignore[reportPrivateImportUsage]
        elif self._settings.clip == "per_variable":
            norms = torch._foreach_norm(gradients)  # pyright: ignore[reportPrivateImportUsage]
            for gradient, norm in zip(gradients, norms, strict=True):
                gradient.mul_(limit / norm.clamp(min=limit))  # like TensorFlow's clip_by_norm
        filled = []
        for parameter, gradient in sparse.items():
            if parameter not in self._word_gradients:
                self._word_gradients[parameter] = torch.zeros_like(parameter)
            table, rows = self._word_gradients[parameter], gradient.indices()[0]
            parameter.grad = table.index_copy_(0, rows, gradient.values())
            filled.append((table, rows))
        return filled

    @cached_property
    def _optimiser(self) -> torch.optim.Optimizer:
        if self._settings.optimiser == "sgd":
            return without_compiler(torch.optim.SGD)(self._parameters, lr=0.0)
        return without_compiler(torch.optim.Adam)(
            self._parameters, lr=0.0, betas=self._settings.betas, eps=self._settings.epsilon, fused=True
        )

    def state(self) -> State:
        """Return the trained parameters, the buffers and the optimiser's state, as named arrays."""
        tensors = {f"parameter.{name}": tensor for name, tensor in self._trained().items()}
        for i, parameter in enumerate(self._parameters):
            for key, value in self._optimiser.state[parameter].items():
                tensors[f"optimiser.{i}.{key}"] = value
        return {name: tensor.detach().cpu().numpy().copy() for name, tensor in tensors.items()}

    def _trained(self) -> dict[str, torch.Tensor]:
        """Return a dictionary of the buffers and the trainable parameters, with their names as keys."""
        frozen = {name for name, parameter in self.objective.named_parameters() if not parameter.requires_grad}
        return {name: tensor for name, tensor in self.objective.state_dict().items() if name not in frozen}

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        tensors = {name: torch.from_numpy(values.copy()) for name, values in state.items()}
        for name, tensor in self._trained().items():
            tensor.copy_(tensors[f"parameter.{name}"])
        for i, parameter in enumerate(self._parameters):
            names = {n.rpartition(".")[2]: n for n in tensors if n.startswith(f"optimiser.{i}.")}
            self._optimiser.state[parameter] = {key: tensors[n].to(self._device) for key, n in names.items()}
