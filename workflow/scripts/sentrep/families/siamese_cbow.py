"""Siamese CBOW (Kenter et al., ACL 2016): averaged word vectors that are trained to predict neighbouring sentences.

A sentence vector is the mean of the word vectors of the sentence. In training, a sentence is compared with its two
neighbours and with n random sentences. A softmax converts the resulting cosine similarities into probabilities, and
training pushes the probability of each neighbour towards 1/2. Only the word vectors are trained.
"""

from __future__ import annotations

from typing import Literal

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import AveragingEncoder
from sentrep.training.parameters import Count, CountOrZero, Padding, Positive
from sentrep.training.run import Run

_DEFAULT_RATES = {"sgd": 1e-4, "adadelta": 1.0}


@dataclass(frozen=True)
class Parameters:
    """Settings of Siamese CBOW; the defaults follow section 3.4 of the paper.

    "The released code" is the code that the authors of the paper published.

    Attributes:
        dimension: length of a word vector.
        negatives: number of negative examples (random sentences) for each training example.
        batch_size: number of training examples per batch; the loss is averaged over these examples.
        epochs: number of training epochs.
        learning_rate: initial learning rate. If neither ``learning_rate`` nor ``learning_rate_total`` is set, the
            initial learning rate is 1e-4 for "sgd" and 1.0 for "adadelta".
        learning_rate_total: product of the initial learning rate and the number of batches per epoch, as an alternative
            to ``learning_rate``. For a given product, the sum of the learning rates of all batches does not depend on
            the size of the corpus. In the paper, an epoch has 740,042 batches, and the product is 1e-4 x 740,042 =
            74.0042.
        lr_horizon_epochs: number of epochs after which the falling learning rate of "sgd" would reach zero; null means
            the value of ``epochs``. The released vectors were saved after the first of 5 planned epochs, which
            corresponds to ``epochs: 1`` and ``lr_horizon_epochs: 5``.
        optimiser: "sgd" (with a linearly falling learning rate) or "adadelta" (with rho 0.95, epsilon 1e-6 and a
            constant learning rate). The released code uses "adadelta" by default.
        sigma: standard deviation of the components of the initial word vectors.
        max_tokens: maximum number of tokens per sentence; longer sentences are truncated in training.
        padding: content of the unused slots of a batch, in which every sentence has ``max_tokens`` slots for words.
            "clean" leaves unused slots empty; "stale" reproduces a defect of the released code, in which unused slots
            contain leftover tokens from earlier sentences. The other values test why this defect improves the vectors:
            "unigram" fills the unused slots with random tokens of the corpus, "uniform" fills them with random words of
            the vocabulary, and "most_frequent" fills them with the most frequent word.
        index_bits: number of bits of a word id; 16 reproduces another defect of the released code, in which word ids
            wrap around modulo 65,536.
        document_boundaries: "ignore" also treats adjacent sentences from different documents as neighbours, as in the
            released code; "respect" does not.
        exclude_neighbours: if true, the negative examples for a sentence never include the sentence itself or its
            neighbours; if false, they may, as in the released code.
        oov: how the encoder treats unknown words; see :class:`sentrep.encoders.base.AveragingEncoder`.
        snapshots_per_epoch: number of snapshots of the model that are saved in each epoch. They are evenly spaced, and
            the last one is saved at the end of the epoch.
        backend: "numba" (CPU only), "torch" (any device) or "triton" (GPU only; requires optimiser "sgd", padding
            "clean" and index_bits 32); "auto" selects the fastest backend for the device and the other settings.
    """

    dimension: Count = 300
    negatives: Count = 2
    batch_size: Count = 100
    epochs: Count = 1
    learning_rate: Positive | None = None
    learning_rate_total: Positive | None = None
    lr_horizon_epochs: Count | None = None
    optimiser: Literal["sgd", "adadelta"] = "sgd"
    sigma: Positive = 0.01
    max_tokens: Count = 50
    padding: Padding = "clean"
    index_bits: Literal[32, 16] = 32
    document_boundaries: Literal["respect", "ignore"] = "respect"
    exclude_neighbours: bool = True
    oov: Literal["omit", "random"] = "omit"
    snapshots_per_epoch: CountOrZero = 0
    backend: Literal["auto", "numba", "torch", "triton"] = "auto"

    def __post_init__(self) -> None:
        if self.learning_rate is not None and self.learning_rate_total is not None:
            raise ValueError("`learning_rate` and `learning_rate_total` cannot be combined")
        if self.optimiser == "adadelta" and not (self.learning_rate_total is self.lr_horizon_epochs is None):
            raise ValueError("`learning_rate_total` and `lr_horizon_epochs` require `optimiser: sgd`")
        if self.backend == "triton" and (self.optimiser, self.padding, self.index_bits) != ("sgd", "clean", 32):
            raise ValueError("`backend: triton` requires `optimiser: sgd`, `padding: clean` and `index_bits: 32`")

    def initial_rate(self, batches_per_epoch: int) -> float:
        """Return the learning rate of the first batch."""
        if self.learning_rate_total is not None:
            return self.learning_rate_total / batches_per_epoch
        return _DEFAULT_RATES[self.optimiser] if self.learning_rate is None else self.learning_rate


def train(store: TokenStore, parameters: Parameters, run: Run) -> AveragingEncoder:
    """Train Siamese CBOW word vectors on a token store, and return an encoder that uses these vectors.

    Raises:
        SentrepError: the corpus is too small, or training fails (see :func:`sentrep.training.loop.fit`).
    """
    from sentrep.training.averaging.learner import fit_vectors
    from sentrep.training.averaging.objective import SIAMESE_CBOW
    from sentrep.training.batches import Sampler, TokenReader
    from sentrep.training.initialisation import normal_vectors

    p = parameters
    sampler = Sampler(store, p.batch_size, p.negatives, run.seed, p.document_boundaries, p.exclude_neighbours)
    return fit_vectors(
        store,
        normal_vectors(store.vocabulary_size, p.dimension, p.sigma, run.seed),
        sampler,
        TokenReader(store, p.max_tokens, p.padding, p.index_bits),
        SIAMESE_CBOW,
        run,
        "siamese_cbow",
        optimiser=p.optimiser,
        backend=p.backend,
        rate=p.initial_rate(sampler.batches_per_epoch),
        epochs=p.epochs,
        horizon_epochs=p.lr_horizon_epochs or p.epochs,
        snapshots_per_epoch=p.snapshots_per_epoch,
        oov=p.oov,
    )
