"""Run decoders that predict sentences word by word, and compute their loss.

A decoder is a :class:`sentrep.networks.gru.GRU`. At each step, it reads the previous word (nothing at the first step),
and a linear layer predicts the next word from the state of the decoder. After the last word of a sentence, the
word to predict is <eos>. Decoders of the same shape run in parallel and almost without padding (see :class:`Script`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from torch import nn
from torch.nn import functional

from sentrep.networks.recurrence import recurrence
from sentrep.networks.recurrent import with_end
from sentrep.training.sentences import Padded

LARGEST_CHUNK = 1 << 25  # maximum number of logits in memory at a time (128 MiB in float32)

Integers = npt.NDArray[np.integer]


@dataclass(frozen=True)
class Script:
    """The inputs and targets of G decoders, each of which predicts n sentences.

    A script has P rows for each decoder, and each row stands for one step of one sentence. The rows are ordered by step
    and, within a step, by descending sentence length. All decoders have the same number of rows at each step, so that
    they can run in parallel. To this end, the k-th longest sentences of all decoders have the same number of rows: as
    many as the longest of these G sentences needs. Some rows of the shorter ones are unused. On a GPU, the sentences of
    each decoder, in descending order of length, are also divided into groups of 16, and all sentences in a group have
    the same number of rows. The matrix products then have fewer distinct shapes, which saves time, because preparing a
    product of a new shape takes longer than computing it.

    Attributes:
        sizes: number of rows of each decoder at each step, in non-increasing order; n = sizes[0] and P = sum(sizes).
        sentences: (G, P) int64, index of the sentence to which each row belongs, from 0 to n - 1.
        words: (G, P - n) int64, id of the word to read in each row except the first n, in which no word is read.
        rows: (T,) int64, indices of the used rows among the G * P rows of all decoders.
        targets: (T,) int64, id of the word to predict in each used row; the id of <eos> is the size of the word table.
    """

    sizes: list[int]
    sentences: torch.Tensor
    words: torch.Tensor
    rows: torch.Tensor
    targets: torch.Tensor


def scripts(lengths: Iterable[Integers], batches: Iterable[Sequence[Padded]], end: int) -> Iterator[Script]:
    """Yield the :class:`Script` of each batch; the arrays of all batches are copied to the device in one transfer.

    Args:
        lengths: for each batch, the (G, n) lengths of its sentences, each at least 1.
        batches: for each batch, the padded sentences of each of the G decoders.
        end: id of <eos>.
    """
    batches = list(batches)
    device = batches[0][0].ids.device
    alike = 16 if device.type == "cuda" else 1
    sizes, parts = zip(*(places_of_steps(of_batch, alike) for of_batch in lengths), strict=True)
    flat = torch.from_numpy(np.concatenate([part.ravel() for of_batch in parts for part in of_batch]))
    uploaded = iter(flat.to(device).split([part.size for of_batch in parts for part in of_batch]))
    for sizes_of, parts_of, batch in zip(sizes, parts, batches, strict=True):
        sentences, inputs, rows, targets = (next(uploaded).view(part.shape) for part in parts_of)
        words = torch.cat([with_end(each.ids, each.lengths, end).flatten() for each in batch])
        yield Script(sizes_of, sentences, words[inputs], rows, words[targets])


def places_of_steps(lengths: Integers, alike: int) -> tuple[list[int], tuple[npt.NDArray[np.int64], ...]]:
    """Return the attributes of a :class:`Script`, with the positions of words and targets instead of their ids.

    Positions are indices into an array that concatenates the flattened padded sentences of the G decoders. In this
    array, each sentence is followed by <eos> and padding.

    Args:
        lengths: (G, n) lengths of the sentences, each at least 1.
        alike: size of the groups into which the sentences of a decoder are divided, in descending order of length; all
            sentences in a group have the same number of rows.

    Returns:
        ``sizes``, and a tuple of the other attributes in the order of their declaration.
    """
    n = lengths.shape[1]
    longest_first = np.argsort(-lengths, axis=1, kind="stable")
    steps = np.take_along_axis(lengths.astype(np.int64), longest_first, axis=1) + 1
    common = steps.max(axis=0)[np.arange(n) // alike * alike]
    inside = np.arange(common[0])[:, None] < common
    step, column = np.nonzero(inside)
    sentences = longest_first[:, column]
    used = step < steps[:, column]
    widths = lengths.max(axis=1, keepdims=True).astype(np.int64) + 1
    begins = n * (widths.cumsum(axis=0) - widths) + sentences * widths
    # Unused rows read the first word of their sentence.
    inputs = begins + np.where(used, step - 1, 0)
    return inside.sum(axis=1).tolist(), (sentences, inputs[:, n:], np.flatnonzero(used), (begins + step)[used])


def decode(
    units: Any,
    table: nn.Embedding,
    script: Script,
    initial: torch.Tensor | None = None,
    context: torch.Tensor | None = None,
) -> torch.Tensor:
    """Run G decoders, and return their states in all rows of a script, (G, P, H), float32 or wider.

    Args:
        units: sequence of G decoders, :class:`sentrep.networks.gru.GRU` modules of the same shape.
        table: word vectors.
        script: inputs of the decoders.
        initial: (n, H) initial states for the n sentences, the same for all decoders; zeros if None.
        context: (n, c) context vectors of the n sentences, an additional input of all decoders at every step; None for
            decoders without a context.
    """
    n = script.sizes[0]
    read = functional.pad(table(script.words), (0, 0, n, 0))
    gates = torch.stack([unit.input(x) for unit, x in zip(units, read, strict=True)])
    if context is not None:  # embedding() is used because it sums gradients in a fixed order
        added = zip(script.sentences, (unit.context(context) for unit in units), strict=True)
        gates = gates + torch.stack([functional.embedding(*each) for each in added])
    begin = None if initial is None else functional.embedding(script.sentences[:, :n], initial)
    # cuDNN supports neither context vectors nor several decoders in parallel.
    first: Any = units[0]
    kernels = "auto" if first.implementation == "cudnn" else first.implementation
    weights = torch.stack([unit.recurrent for unit in units])
    return recurrence(gates, weights, begin, script.sizes, first.reset, kernels)


class Readout(nn.Linear):
    """The linear layer that predicts words and <eos> from the states of decoders.

    Args:
        units: size of a decoder's state.
        words: number of rows of the word table, which is also the id of <eos>.
    """

    def __init__(self, units: int, words: int) -> None:
        super().__init__(units, words + 1)

    def forward(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, states: torch.Tensor, script: Script
    ) -> torch.Tensor:
        """Return the total negative log-likelihood of the targets in a :class:`Script` as a scalar tensor.

        Args:
            states: (G, P, H) states from :func:`decode`.
            script: script with which the states were computed.
        """
        return summed_cross_entropy(
            states.flatten(0, 1).index_select(0, script.rows), self.weight, self.bias, script.targets
        )


def real_positions(lengths: torch.Tensor, columns: int, total: int) -> torch.Tensor:
    """Return the positions of all items except padding in a flattened array of padded sequences, (total,) int64.

    Args:
        lengths: (n,) lengths of the sequences, excluding padding.
        columns: length of each sequence, including padding.
        total: sum of ``lengths``.
    """
    rows = torch.arange(len(lengths), device=lengths.device)
    # First position of each sequence, minus the total length of the sequences before it.
    gaps = columns * rows - (lengths.cumsum(0) - lengths)
    return torch.arange(total, device=lengths.device) + gaps.repeat_interleave(lengths, output_size=total)


def summed_cross_entropy(
    states: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    targets: torch.Tensor,
    largest_chunk: int = LARGEST_CHUNK,
) -> torch.Tensor:
    """Return the cross-entropy of a linear layer's predictions, summed over T targets.

    The logits are states @ weight.T + bias. To save memory, they are computed in chunks, and the gradients of a chunk
    are computed together with the loss of the chunk. Under autocast, matrix products use the data type of autocast, and
    the softmax and the sums use at least float32.

    Args:
        states: (T, d) decoder states.
        weight: (V, d) output weights.
        bias: (V,) output biases.
        targets: (T,) int64 class indices, from 0 to V - 1.
        largest_chunk: maximum number of logits in memory at a time.

    Returns:
        A scalar tensor.
    """
    rows = max(1, largest_chunk // len(weight))
    return _SummedCrossEntropy.apply(states, weight, bias, targets, rows // 128 * 128 or rows)


class _SummedCrossEntropy(torch.autograd.Function):
    @staticmethod
    def forward(
        ctx: Any,
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
        weight_gradient, bias_gradient = (torch.zeros_like(t) if wants_gradient else t for t in (weight, bias))
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
    def backward(  # pyright: ignore[reportIncompatibleMethodOverride]
        ctx: Any, scale: torch.Tensor
    ) -> tuple[torch.Tensor | None, ...]:
        return *(gradient * scale.to(gradient.dtype) for gradient in ctx.saved_tensors), None, None


def initialise(module: nn.Module, draw: Callable[[torch.Tensor], object]) -> None:
    """Initialise all parameters of a module for skip-thought or the SDAE.

    As in the released code of both methods, biases are set to zero and recurrent weights to orthogonal matrices.
    ``draw`` fills each of the other parameters in place.
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
