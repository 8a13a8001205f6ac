"""Define the losses of averaging models as the papers formulate them, and minimise them with torch.

These losses are the reference against which :mod:`sentrep.training.averaging.cpu_kernels` is tested.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch.nn import functional

from sentrep.training.averaging.objective import SIAMESE_CBOW, Objective
from sentrep.training.batches import Chunk
from sentrep.training.checkpoints import State

Loss = Callable[[torch.Tensor], torch.Tensor]


def softmax_cosine(vectors: torch.Tensor) -> torch.Tensor:
    """Return the Siamese CBOW loss of a batch of sentence vectors (Kenter et al., 2016, section 2.1).

    Each example consists of a sentence (the centre), its two neighbours and random sentences (the negatives). The
    candidates are the two neighbours and the negatives. A softmax without temperature converts the cosine similarity of
    each candidate to the centre into a probability. The loss is the categorical cross-entropy between these
    probabilities and a target distribution, which is 1/2 for each neighbour and 0 for each negative. If a vector is
    zero, its cosine similarities and their gradients are defined as 0.

    Args:
        vectors: (batch, 1 + candidates, d) vectors of the centre, the two neighbours and the negatives of each example,
            in this order.

    Returns:
        The mean loss over the batch, a scalar tensor.
    """
    squares = (vectors * vectors).sum(-1)
    positive = squares > 0
    # Replace squared norms of zero by 1 before taking the root, to avoid division by zero in the loss and its gradient.
    norms = torch.where(positive, squares, 1.0).sqrt()
    products = (vectors[:, :1] * vectors[:, 1:]).sum(-1) / (norms[:, :1] * norms[:, 1:])
    cosines = torch.where(positive[:, :1] & positive[:, 1:], products, 0.0)
    target = torch.zeros_like(cosines)
    target[:, :2] = 0.5
    return functional.cross_entropy(cosines, target)


def softmax_context(
    vectors: torch.Tensor, context: int, context_vector: Literal["mean", "sum"] = "mean"
) -> torch.Tensor:
    """Return the CBOS loss of a batch of sentence vectors (Yuan and Zhang, 2017, equations 5 to 7).

    Each example consists of a sentence (the centre), its neighbours and random sentences (the negatives). The context
    vector is computed from the vectors of the neighbours. The candidates are the centre and the negatives. A softmax
    converts the inner product of each candidate's vector and the context vector into a probability. The loss is the
    categorical cross-entropy, with the centre as the correct class.

    Args:
        vectors: (batch, 1 + 2 * context + negatives, d) vectors of the centre, the neighbours and the negatives of each
            example, in this order.
        context: number of neighbours on each side of the centre.
        context_vector: whether the context vector is the "mean" of the neighbours' sentence vectors (equation 5) or
            their "sum" (as in the text of the paper).

    Returns:
        The mean loss over the batch, a scalar tensor.
    """
    centre, neighbours, negatives = vectors.split([1, 2 * context, vectors.shape[1] - 1 - 2 * context], dim=1)
    together = neighbours.mean(1) if context_vector == "mean" else neighbours.sum(1)
    scores = torch.einsum("bsd,bd->bs", torch.cat([centre, negatives], dim=1), together)
    return functional.cross_entropy(scores, torch.zeros(len(scores), dtype=torch.int64, device=scores.device))


def _loss(objective: Objective) -> Loss:
    if objective.loss == "softmax_cosine":
        return softmax_cosine
    return partial(softmax_context, context=objective.context, context_vector=objective.context_vector)


class AutogradTrainer:
    """A :class:`.learner.Trainer` that trains the word vectors of an averaging model with torch.

    The word vectors stay on the device, and so do the word ids as long as all chunks refer to the same token array.
    The positions and lengths of sentences are copied to the device once per chunk. On a GPU, scattered additions are
    atomic and their order varies, so repeated runs agree up to rounding but are not bit-for-bit identical.

    Args:
        initial: (V, d) initial word vectors, float32 or, in tests, float64; the array is copied.
        optimiser: "sgd", or "adadelta" (rho 0.95, epsilon 1e-6); AdaDelta updates all word vectors in every batch.
        threads: number of CPU threads; ignored if the device is a GPU.
        objective: training objective.
        device: torch device.
    """

    def __init__(
        self,
        initial: npt.NDArray[np.floating],
        optimiser: str,
        threads: int,
        objective: Objective = SIAMESE_CBOW,
        device: str = "cpu",
    ) -> None:
        self._aggregation, self._loss = objective.aggregation, _loss(objective)
        self._device, self._threads = torch.device(device), threads
        self._W = torch.tensor(initial, device=self._device)
        self._adadelta = optimiser == "adadelta"
        if self._adadelta:
            self._squares, self._updates = torch.zeros_like(self._W), torch.zeros_like(self._W)
        self._host_tokens: npt.NDArray[np.unsignedinteger] | None = None
        self._tokens = torch.empty(0, dtype=torch.int32)

    def step(self, chunk: Chunk, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Train on a chunk of n batches, each with its own learning rate; return the mean loss of each batch, (n,)."""
        if self._device.type == "cpu":
            torch.set_num_threads(self._threads)
        if chunk.tokens is not self._host_tokens:  # the store's tokens are uploaded only once
            self._host_tokens = chunk.tokens
            self._tokens = torch.from_numpy(chunk.tokens.astype(np.int32)).to(self._device)
        n, batch, slots = chunk.starts.shape
        ends = np.cumsum(chunk.lengths.sum(axis=(1, 2), dtype=np.int64))
        bounds = [0, *ends.tolist()]
        lengths = torch.from_numpy(chunk.lengths.reshape(-1)).to(self._device, torch.int64)
        starts = torch.from_numpy(chunk.starts.reshape(-1)).to(self._device)
        firsts = lengths.cumsum(0) - lengths  # start of each sentence among the tokens of the chunk
        sentence = torch.repeat_interleave(lengths, output_size=bounds[-1])
        position = torch.arange(bounds[-1], device=self._device)
        ids = self._tokens[position - firsts[sentence] + starts[sentence]].long()
        losses = torch.empty(n, dtype=self._W.dtype, device=self._device)
        divisors = lengths.clamp(min=1) if self._aggregation == "mean" else torch.ones_like(lengths)
        shares = (1.0 / divisors).to(self._W.dtype)  # weight of each word in its sentence
        width = batch * slots
        sentence %= width
        for b in range(n):
            tokens = slice(bounds[b], bounds[b + 1])
            sentences = slice(b * width, (b + 1) * width)
            vectors = functional.embedding_bag(
                ids[tokens], self._W, firsts[sentences] - bounds[b], mode=self._aggregation
            ).requires_grad_()
            loss = self._loss(vectors.view(batch, slots, -1))
            (gradient,) = torch.autograd.grad(loss, vectors)
            losses[b] = loss.detach()
            gradient *= shares[sentences, None]
            self._update(ids[tokens], sentence[tokens], gradient, float(rates[b]))
        return losses.double().cpu().numpy()

    def _update(self, ids: torch.Tensor, sentence: torch.Tensor, gradient: torch.Tensor, rate: float) -> None:
        if not self._adadelta:
            self._W.index_add_(0, ids, (gradient * -rate)[sentence])
            return
        rho, epsilon = 0.95, 1e-6
        dense = torch.zeros_like(self._W).index_add_(0, ids, gradient[sentence])
        self._squares.mul_(rho).addcmul_(dense, dense, value=1 - rho)
        step = dense * (self._updates + epsilon).sqrt() / (self._squares + epsilon).sqrt()
        self._updates.mul_(rho).addcmul_(step, step, value=1 - rho)
        self._W.sub_(step, alpha=rate)

    def matrix(self) -> npt.NDArray[np.floating]:
        """Return a copy of the word vectors, (V, d)."""
        return self._W.cpu().numpy().copy()

    def state(self) -> State:
        """Return copies of the word vectors and the optimiser's state."""
        memory = {"squares": self._squares, "updates": self._updates} if self._adadelta else {}
        return {name: tensor.cpu().numpy().copy() for name, tensor in {"matrix": self._W, **memory}.items()}

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        self._W.copy_(torch.from_numpy(state["matrix"]))
        if self._adadelta:
            self._squares.copy_(torch.from_numpy(state["squares"]))
            self._updates.copy_(torch.from_numpy(state["updates"]))
