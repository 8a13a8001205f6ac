"""Quick Thoughts (Logeswaran and Lee, ICLR 2018): encoders trained to identify neighbouring sentences.

Two encoders f and g encode each sentence of a contiguous batch. A softmax over the inner products of f(s) with g of all
sentences in the batch is trained to select the neighbours of s. The sentence vector is [f(s); g(s)], with both parts
scaled to length one.

Inputs, all optional: ``vectors``, a model whose word vectors both encoders use without training them (the branch of
MC-QT with pre-trained vectors); ``expansion``, a model whose word vectors extend the vocabulary after training.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Literal

import numpy as np
import numpy.typing as npt
from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.neural import NeuralEncoder
from sentrep.errors import SentrepError
from sentrep.training.parameters import AtLeastTwo, Count, CountOrZero, Positive, Share
from sentrep.training.run import Run

if TYPE_CHECKING:
    from sentrep.networks.two_towers import Network

log = logging.getLogger("sentrep")


@dataclass(frozen=True)
class Parameters:
    """Settings; the defaults are uni-QT's (section 4.3). "Released" refers to the authors' published code.

    Attributes:
        encoder: "uni", "bi" (two recurrent networks of half the size, in opposite directions) or "bow" (sum of word
            vectors).
        units: length of f(s) and of g(s); not used by "bow".
        word_dimension: length of a word vector, and with "bow" of f(s) and g(s); not used with ``vectors``.
        vocabulary: number of rows of a word table, including the unknown word; not used with ``vectors``.
        tied: use the same encoder for f and g; the sentence vector is f(s).
        reset: where the reset gate of the recurrent units is applied, see :mod:`sentrep.networks.gru`.
        context: maximum distance of neighbours in sentences. The paper's windows of 3 and 7 sentences correspond to 1
            and 3.
        diagonal: a sentence's score with itself is set to "zero", as released, or left out ("masked").
        batch_size: number of contiguous sentences per step, which serve as contrasts for each other.
        epochs: epochs over the corpus; 0 is the untrained network, a baseline.
        learning_rate: constant learning rate of Adam.
        clip: gradient clipping: the norm of each matrix ("per_variable", released), the joint norm ("global"), or
            "none".
        largest_norm: maximum norm, as released.
        dropout: fraction of f(s) and g(s) that is dropped in training; available but not used in the released code.
        max_tokens: longer sentences are truncated in training (released: in corpus preprocessing).
        document_boundaries: "ignore" also takes neighbours from other documents, as released.
        shuffle_batches: shuffle the batches in each epoch; released: keep the order of the text.
        validation_sentences: number of sentences at the beginning of the corpus, in whole batches, that are held out;
            the accuracy of identifying their neighbours is logged at the end. Released: 50,000.
        test_vector: "both" is [f; g]; "input" is only f (appendix C).
        precision: precision of matrix products; "auto" is bfloat16 on a GPU and float32 elsewhere.
        snapshots_per_epoch: number of evenly spaced snapshots of the model per epoch, the last one at its end.
    """

    encoder: Literal["uni", "bi", "bow"] = "uni"
    units: Count = 1200
    word_dimension: Count = 620
    vocabulary: AtLeastTwo = 50_001
    tied: bool = False
    reset: Literal["before", "after"] = "before"
    context: Count = 1
    diagonal: Literal["zero", "masked"] = "zero"
    batch_size: AtLeastTwo = 400
    epochs: CountOrZero = 1
    learning_rate: Positive = 5e-4
    clip: Literal["per_variable", "global", "none"] = "per_variable"
    largest_norm: Positive = 5.0
    dropout: Share = 0.0
    max_tokens: Count = 50
    document_boundaries: Literal["ignore", "respect"] = "ignore"
    shuffle_batches: bool = False
    validation_sentences: CountOrZero = 50_000
    test_vector: Literal["both", "input"] = "both"
    precision: Literal["auto", "float32", "bfloat16"] = "auto"
    snapshots_per_epoch: CountOrZero = 0

    def __post_init__(self) -> None:
        if self.encoder == "bi" and self.units % 2:
            raise ValueError("units must be even for encoder bi")


def train(store: TokenStore, parameters: Parameters, run: Run) -> NeuralEncoder:
    """Train on a token store.

    Raises:
        SentrepError: the corpus is too small, an input does not fit, or the loss is not finite.
    """
    from sentrep.training import distributed
    from sentrep.training.expansion import word_vectors
    from sentrep.training.fit_network import fit_network
    from sentrep.training.neural import Optimisation, seeded
    from sentrep.training.quick_thoughts import Contiguous, QuickThoughts, accuracy
    from sentrep.training.schedule import adam_rates
    from sentrep.training.sentences import Sentences

    p = parameters
    if "vectors" in run.inputs:
        words, vectors = word_vectors(run.inputs["vectors"])
        sentences = Sentences(store, store.vocabulary_size + 1, p.max_tokens, run.device)
        vocabulary, table, rows = frozen_table(sentences.vocabulary, words, vectors, run.seed)
    else:
        sentences = Sentences(store, p.vocabulary, p.max_tokens, run.device)
        vocabulary, table, rows = sentences.vocabulary, None, None

    def build() -> QuickThoughts:
        return QuickThoughts(build_network(p, len(vocabulary), table), p.context, p.diagonal, p.dropout)

    objective = seeded(run.seed, build)
    batches = Contiguous(
        *(store, sentences, objective.network, run.device, p.batch_size, p.context, p.document_boundaries),
        *(p.shuffle_batches, run.seed, p.validation_sentences, rows),
    )

    def encoder() -> NeuralEncoder:
        network = objective.network if p.test_vector == "both" else objective.network.first_tower()
        return NeuralEncoder("two_towers", network, vocabulary, store.meta["encoding_tokeniser"])

    optimisation = Optimisation(p.clip, p.largest_norm, precision=p.precision)
    trained = fit_network(
        *(objective, batches, optimisation, run, "quick_thoughts", encoder),
        epochs=p.epochs,
        batch_size=p.batch_size,
        rates=adam_rates(p.learning_rate),
        snapshots_per_epoch=p.snapshots_per_epoch,
    )
    if p.validation_sentences >= p.batch_size and distributed.world_size() == 1:
        shares = [100 * share for share in accuracy(objective, batches.validation())]
        log.info("accuracy on held-out sentences: next sentence %.1f%%, previous sentence %.1f%%", *shares)
    return trained


def build_network(p: Parameters, words: int, table: npt.NDArray[np.float32] | None) -> Network:
    """Return the two encoders with random parameters; a (words, d) table of word vectors is used without training it.

    Raises:
        SentrepError: the encoder is a bag of fixed word vectors and has no trainable parameters.
    """
    import torch

    from sentrep.networks.two_towers import Network

    if table is not None and p.encoder == "bow":
        raise SentrepError(
            "inputs.vectors",
            expected="encoder uni or bi, which have trainable parameters",
            found="bow",
            remedy="remove the input, or change the encoder",
        )
    dimension = p.word_dimension if table is None else table.shape[1]
    network = Network(p.encoder, words, dimension, p.units, p.reset, 1 if p.tied else 2, table is not None)
    if table is not None:
        with torch.no_grad():
            network.tables[0].weight.copy_(torch.from_numpy(table))
    return network


def frozen_table(
    known: list[str], words: list[str], vectors: npt.NDArray[np.float32], seed: int
) -> tuple[list[str], npt.NDArray[np.float32], npt.NDArray[np.int64]]:
    """Return the vocabulary and table of given word vectors, and the row of each word of the corpus.

    Args:
        known: words of the corpus by id, "<unk>" first.
        words: V words, with or without an "<unk>", which is not used.
        vectors: (V, d).
        seed: random seed of the vector of the unknown word.

    Returns:
        The vocabulary, "<unk>" first; the (rows, d) table, whose row 0 is uniform in [0, 1), as released; the rows,
        (len(known),) int64, 0 for words without a vector.
    """
    unknown = known[0]
    kept = [i for i, word in enumerate(words) if word != unknown]
    vocabulary = [unknown, *(words[i] for i in kept)]
    first = np.random.default_rng([seed, 3]).random((1, vectors.shape[1]), dtype=np.float32)
    row_of = {word: row for row, word in enumerate(vocabulary)}
    rows = np.array([row_of.get(word, 0) for word in known], dtype=np.int64)
    return vocabulary, np.concatenate([first, vectors[kept]]), rows
