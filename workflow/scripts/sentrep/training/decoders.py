"""What models that write sentences share: the words to predict, their loss, and how such networks begin.

A decoder is a :class:`sentrep.networks.gru.GRU` that reads a sentence one word late: nothing, the first word, ... the
last; from its states a linear layer predicts the first word, the second, ... <eos>.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from sentrep.networks.gru import GRU
from sentrep.networks.recurrent import with_end
from sentrep.training.sentences import Padded

LARGEST_CHUNK = 1 << 25  # logits at a time: 128 MiB in float32


class Readout(nn.Linear):
    """The layer that predicts words from a decoder's states.

    Args:
        units: width of a state.
        words: rows of the word table; <eos> is predicted as number ``words``.
    """

    def __init__(self, units: int, words: int) -> None:
        super().__init__(units, words + 1)
        self.end = words

    def forward(self, *decoded: tuple[torch.Tensor, Padded, int]) -> torch.Tensor:
        """Return the sum of -log p over the words and the <eos> of all sentences, (), float32 or wider.

        Args:
            decoded: one or more (states, sentences, n): (n, L + 1, units) states, the sentences they should predict,
                and how many words and <eos> these have. The number is asked for so that a GPU need not be waited for.
        """
        states, targets = [], []
        for states_of, sentences, n in decoded:
            index = real_positions(sentences.lengths + 1, sentences.ids.shape[1] + 1, n)
            states.append(states_of.flatten(0, 1)[index])
            targets.append(with_end(sentences.ids, sentences.lengths, self.end).flatten()[index])
        return summed_cross_entropy(torch.cat(states), self.weight, self.bias, torch.cat(targets))


def decode(decoder: GRU, embedded: torch.Tensor, **conditions: torch.Tensor | None) -> torch.Tensor:
    """Return a decoder's states, (n, L + 1, units).

    Args:
        decoder: the unit.
        embedded: (n, L, d) vectors of the words to predict; the first is predicted from a vector of zeros.
        conditions: ``initial`` state and ``context`` of the unit.
    """
    return decoder(functional.pad(embedded, (0, 0, 1, 0)), **conditions)


def real_positions(lengths: torch.Tensor, columns: int, total: int) -> torch.Tensor:
    """Return where the items of padded sequences are in their flattened rectangle, (total,) int64, row by row.

    Args:
        lengths: (n,) of the sequences.
        columns: of the rectangle.
        total: sum of the lengths.
    """
    rows = torch.arange(len(lengths), device=lengths.device)
    gaps = columns * rows - (lengths.cumsum(0) - lengths)  # flattened begin of a row, less the items before it
    return torch.arange(total, device=lengths.device) + gaps.repeat_interleave(lengths, output_size=total)


def summed_cross_entropy(
    states: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    targets: torch.Tensor,
    largest_chunk: int = LARGEST_CHUNK,
) -> torch.Tensor:
    """Return the sum of -log softmax(states weight' + bias)[targets], (), without ever holding all logits.

    The gradients are computed along with the loss, from logits that are dropped right after. Under autocast products
    are of the lower precision; the softmax and sums are float32 at least.

    Args:
        states: (T, d).
        weight: (V, d).
        bias: (V,).
        targets: (T,) int64.
        largest_chunk: logits at a time.
    """
    return _SummedCrossEntropy.apply(states, weight, bias, targets, max(1, largest_chunk // len(weight)))


class _SummedCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: torch.autograd.function.FunctionCtx,
        states: torch.Tensor,
        weight: torch.Tensor,
        bias: torch.Tensor,
        targets: torch.Tensor,
        rows: int,
    ) -> torch.Tensor:
        device = states.device.type
        narrow = torch.get_autocast_dtype(device) if torch.is_autocast_enabled(device) else weight.dtype
        wide = torch.promote_types(weight.dtype, torch.float32)
        wants_gradient = any(ctx.needs_input_grad)
        loss = torch.zeros((), dtype=wide, device=states.device)
        state_gradients = []
        if wants_gradient:
            weight_gradient, bias_gradient = torch.zeros_like(weight), torch.zeros_like(bias)
        with torch.autocast(device, enabled=False):
            w, b = weight.to(narrow), bias.to(narrow)
            for x, target in zip(states.to(narrow).split(rows), targets[:, None].split(rows), strict=True):
                log_p = torch.log_softmax(torch.addmm(b, x, w.T), dim=1, dtype=wide)
                loss -= log_p.gather(1, target).sum()
                if not wants_gradient:
                    continue
                gradient = log_p.exp_().scatter_add_(1, target, log_p.new_full(target.shape, -1.0))
                bias_gradient += gradient.sum(0)
                gradient = gradient.to(narrow)
                state_gradients.append(gradient @ w)
                weight_gradient += gradient.T @ x
        if wants_gradient:
            ctx.save_for_backward(torch.cat(state_gradients).to(states.dtype), weight_gradient, bias_gradient)
        return loss

    @staticmethod
    def backward(ctx: torch.autograd.function.FunctionCtx, scale: torch.Tensor) -> tuple[torch.Tensor | None, ...]:
        return *(gradient * scale.to(gradient.dtype) for gradient in ctx.saved_tensors), None, None


def initialise(module: nn.Module, draw: Callable[[torch.Tensor], object]) -> None:
    """Start as the released skip-thought and SDAE code does: biases at zero, recurrent matrices orthogonal.

    Args:
        module: all of whose parameters are set.
        draw: fills one of the other parameters.
    """
    with torch.no_grad():
        for name, parameter in module.named_parameters():
            if name.endswith("bias"):
                parameter.zero_()
            elif name.endswith("recurrent"):
                for square in parameter.split(len(parameter), dim=1):
                    nn.init.orthogonal_(square)
            else:
                draw(parameter)


def released_adam_rates(first: int, n: int, rate: float) -> npt.NDArray[np.float64]:
    """Return the learning rates that make Adam step as the one in the released code, (n,).

    That code has 1 - beta where Adam's corrections for the first steps have beta: 0.1^t and 0.001^t instead of 0.9^t
    and 0.999^t, so in effect no correction: the first step is 3.5 times as long, the tenth 6.5 times, the
    thousandth 1.3 times. The rates undo torch's correction. (It scales Adam's epsilon, 1e-8, too; that stays.)

    Args:
        first: steps taken before.
        n: number of steps.
        rate: of the released code.
    """
    t = np.arange(first + 1, first + n + 1)
    return rate * (np.sqrt(1 - 0.001**t) / (1 - 0.1**t)) * (1 - 0.9**t) / np.sqrt(1 - 0.999**t)
