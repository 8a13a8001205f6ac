"""Train Siamese CBOW on a GPU with a single persistent kernel for a whole chunk of batches.

For a batch of 100 examples, launching the dozen kernels that torch would use takes longer than the computations. This
module therefore launches one kernel for all batches of a chunk, and each program of the kernel processes a share of
every batch. A program draws the negatives of its examples, averages word vectors, and computes gradients in closed
form. When all gradients of the batch have been computed, the programs subtract them, multiplied by the learning rate,
from the word vectors, and the next batch begins.

As on the CPU, every step uses the exact gradient of its batch, because word vectors change only after all gradients of
the batch have been computed. With the same seed, the CPU and the GPU train on the same examples. On the GPU, additions
are atomic and their order varies, so repeated runs agree up to rounding but are not bit-for-bit identical.
"""

# ruff: noqa: ANN001, ANN202 - comments state the types of the arguments of compiled functions

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch
import triton
import triton.language as tl

from sentrep.corpora.store import TokenStore
from sentrep.training.batches import Sampler
from sentrep.training.checkpoints import State

_TOKENS = 16  # number of word vectors that a program loads at once


@triton.jit
def _uniform(key, counter, size):
    """Return the same pseudorandom integer in [0, ``size``) as :func:`sentrep.training.batches._uniform`."""
    x = key + (counter.to(tl.uint64) + 1) * 0x9E3779B97F4A7C15
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB
    x ^= x >> 31
    return ((x >> 11).to(tl.float64) * 1.1102230246251565e-16 * size.to(tl.float64)).to(tl.int64)


@triton.jit
def _draw(key, counter, centre, offsets, size, exclude: tl.constexpr):
    """Draw a non-empty sentence as a negative; if ``exclude`` is true, draw neither the centre nor its neighbours."""
    drawn = _uniform(key, counter, size)
    unusable = tl.load(offsets + drawn + 1) == tl.load(offsets + drawn)
    if exclude:
        unusable |= tl.abs(drawn - centre) <= 1
    attempt = (counter * 0).to(tl.int64)
    while unusable:
        attempt += 1
        drawn = _uniform(key, counter + (attempt << 40), size)
        unusable = tl.load(offsets + drawn + 1) == tl.load(offsets + drawn)
        if exclude:
            unusable |= tl.abs(drawn - centre) <= 1
    return drawn


@triton.jit
def _wait_for_all(counter, target):
    """Wait until all programs have reached this point; each program then sees the earlier writes of all the others."""
    tl.debug_barrier()
    tl.atomic_add(counter, 1, sem="release", scope="gpu")
    while tl.atomic_add(counter, 0, sem="acquire", scope="gpu") < target:
        pass
    tl.debug_barrier()


@triton.jit
def train_chunk(
    ids,  # (T,) int32, word ids of all sentences
    offsets,  # (S + 1,) int64, position in `ids` of the first token of each sentence, followed by T
    order,  # (centres,) int32 or int64, the centres of the epoch in training order
    matrix,  # (V, d) float32, changed in place
    gradients,  # (batch * slots, d) float32, scratch
    places,  # (batch * slots, 2) int64, scratch: start and length of each sentence
    rates,  # (n,) float32
    losses,  # (n,) float32, initially zero; overwritten with the sum of the losses of each batch
    counter,  # (1,) int32, initially zero
    key,  # key of the random number generator that draws the negatives
    first,  # position in `order` of the first example
    n,  # number of batches
    size,  # number of sentences, S
    max_tokens,
    d,
    batch: tl.constexpr,
    slots: tl.constexpr,
    slots_up: tl.constexpr,
    columns: tl.constexpr,
    tokens: tl.constexpr,
    exclude: tl.constexpr,
) -> None:
    """Train the word vectors in ``matrix`` on n consecutive batches, as described in the docstring of the module."""
    program, programs = tl.program_id(0), tl.num_programs(0)
    column = tl.arange(0, columns)
    inside = column < d
    slot = tl.arange(0, slots_up)
    lane = tl.arange(0, tokens)
    negatives: tl.constexpr = slots - 3
    target = 0
    for b in range(n):
        for example in range(program, batch, programs):
            position = (first + b * batch + example).to(tl.int64)
            centre = tl.load(order + position).to(tl.int64)
            vectors = tl.zeros((slots_up, columns), dtype=tl.float32)
            for s in tl.static_range(slots):
                if s == 0:
                    sentence = centre
                elif s == 1:
                    sentence = centre - 1
                elif s == 2:
                    sentence = centre + 1
                else:
                    sentence = _draw(key, position * negatives + (s - 3), centre, offsets, size, exclude)
                begin = tl.load(offsets + sentence)
                length = tl.minimum(tl.load(offsets + sentence + 1) - begin, max_tokens)
                total = tl.zeros((columns,), dtype=tl.float32)
                for t in range(0, length, tokens):
                    used = t + lane < length
                    words = tl.load(ids + begin + t + lane, mask=used, other=0).to(tl.int64)
                    rows = tl.load(
                        matrix + words[:, None] * d + column[None, :],
                        mask=used[:, None] & inside[None, :],
                        other=0.0,
                        cache_modifier=".cg",  # read the second-level cache, to which other multiprocessors write
                    )
                    total += tl.sum(rows, axis=0)
                mean = total / tl.maximum(length, 1).to(tl.float32)
                vectors = tl.where(slot[:, None] == s, mean[None, :], vectors)
                tl.store(places + (example * slots + s) * 2, begin)
                tl.store(places + (example * slots + s) * 2 + 1, length)
            squares = tl.sum(vectors * vectors, axis=1)
            middle = tl.sum(tl.where(slot[:, None] == 0, vectors, 0.0), axis=0)
            inverse = tl.where(squares > 0, 1.0 / tl.sqrt(tl.where(squares > 0, squares, 1.0)), 0.0)
            inverse_middle = tl.sum(tl.where(slot == 0, inverse, 0.0), axis=0)
            cosines = tl.sum(vectors * middle[None, :], axis=1) * inverse * inverse_middle
            candidate = (slot > 0) & (slot < slots)
            powers = tl.where(candidate, tl.exp(cosines), 0.0)
            total_power = tl.sum(powers, axis=0)
            positive = candidate & (slot < 3)
            loss = tl.log(total_power) - 0.5 * tl.sum(tl.where(positive, cosines, 0.0), axis=0)
            tl.atomic_add(losses + b, loss, sem="relaxed")
            weight = powers / total_power - tl.where(positive, 0.5, 0.0)
            across = weight * inverse * inverse_middle
            along = weight * cosines * inverse * inverse
            gradient = across[:, None] * middle[None, :] - along[:, None] * vectors
            along_middle = tl.sum(weight * cosines, axis=0) * inverse_middle * inverse_middle
            of_middle = tl.sum(across[:, None] * vectors, axis=0) - along_middle * middle
            gradient = tl.where(slot[:, None] == 0, of_middle[None, :], gradient)
            tl.store(
                gradients + (example * slots + slot[:, None]) * d + column[None, :],
                gradient,
                mask=(slot[:, None] < slots) & inside[None, :],
            )
        target += programs
        _wait_for_all(counter, target)
        step = -tl.load(rates + b) / batch
        for row in range(program, batch * slots, programs):
            begin = tl.load(places + row * 2, cache_modifier=".cg")
            length = tl.load(places + row * 2 + 1, cache_modifier=".cg")
            share = step / tl.maximum(length, 1).to(tl.float32)
            gradient = tl.load(gradients + row * d + column, mask=inside, other=0.0, cache_modifier=".cg") * share
            for t in range(0, length, tokens):
                used = t + lane < length
                words = tl.load(ids + begin + t + lane, mask=used, other=0).to(tl.int64)
                tl.atomic_add(
                    matrix + words[:, None] * d + column[None, :],
                    tl.broadcast_to(gradient[None, :], (tokens, columns)),
                    mask=used[:, None] & inside[None, :],
                    sem="relaxed",
                )
        target += programs
        _wait_for_all(counter, target)


class GpuLearner:
    """A learner that trains Siamese CBOW on a GPU; implements :class:`.learner.Averaging`.

    The corpus and the word vectors are kept in GPU memory.

    Args:
        initial: (V, d) float32 initial word vectors; the array is copied.
        store: training corpus.
        sampler: sampler of the examples.
        max_tokens: number of tokens to which longer sentences are truncated.
        device: torch device.
        programs: number of programs (instances of the kernel) among which the examples of a batch are divided. All
            programs must run on the device at the same time. None means one program per multiprocessor.
    """

    LARGEST_CHUNK = 256_000  # maximum number of examples per chunk; training on such a chunk takes less than a second

    def __init__(
        self,
        initial: npt.NDArray[np.float32],
        store: TokenStore,
        sampler: Sampler,
        max_tokens: int,
        device: str,
        programs: int | None = None,
    ) -> None:
        self._sampler, self._max_tokens, self._device = sampler, max_tokens, torch.device(device)
        self._W = torch.tensor(initial, device=self._device)
        self._ids = torch.from_numpy(np.asarray(store.ids, dtype=np.int32)).to(self._device)
        self._offsets = torch.from_numpy(np.array(store.sentence_offsets)).to(self._device)
        self._slots = 3 + sampler.negatives
        rows = sampler.batch_size * self._slots
        self._gradients = torch.empty(rows, initial.shape[1], device=self._device)
        self._places = torch.empty(rows, 2, dtype=torch.int64, device=self._device)
        self._counter = torch.zeros(1, dtype=torch.int32, device=self._device)
        if programs is None:
            programs = torch.cuda.get_device_properties(self._device).multi_processor_count
        self._programs = programs
        self._order = torch.empty(0, dtype=torch.int32, device=self._device)
        self._epoch = -1

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Take one training step for each of the n learning rates; return the mean loss of each batch, (n,).

        ``first`` is the number of the first step, counted from 0 over all epochs.
        """
        batch = self._sampler.batch_size
        epoch, done = divmod(first, self._sampler.batches_per_epoch)
        if epoch != self._epoch:
            order = self._sampler.order(epoch)
            self._order = torch.from_numpy(order.astype(np.int64 if order.itemsize > 4 else np.int32)).to(self._device)
            self._epoch = epoch
        losses = torch.zeros(len(rates), device=self._device)
        self._counter.zero_()
        train_chunk[(self._programs,)](
            *(self._ids, self._offsets, self._order, self._W, self._gradients, self._places),
            *(torch.from_numpy(rates.astype(np.float32)).to(self._device), losses, self._counter),
            *(int(self._sampler.key(epoch)), done * batch, len(rates)),
            *(len(self._offsets) - 1, self._max_tokens, self._W.shape[1]),
            batch=batch,
            slots=self._slots,
            slots_up=triton.next_power_of_2(self._slots),
            columns=triton.next_power_of_2(self._W.shape[1]),
            tokens=_TOKENS,
            exclude=self._sampler.exclude_neighbours,
            num_warps=8,
        )
        return losses.double().cpu().numpy() / batch

    def matrix(self) -> npt.NDArray[np.float32]:
        """Return a copy of the word vectors, (V, d)."""
        return self._W.cpu().numpy().copy()

    def state(self) -> State:
        """Return a copy of the word vectors, which are the only state of this learner."""
        return {"matrix": self.matrix()}

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        self._W.copy_(torch.from_numpy(state["matrix"]))
