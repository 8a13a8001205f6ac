"""Quick Thoughts (Logeswaran and Lee, ICLR 2018): encode sentences so that neighbours recognise each other.

Two encoders f and g turn each sentence of a contiguous batch into a vector. The softmax over the inner products of
f(s) with g of all the batch's sentences should pick the neighbours of s. A sentence's vector is [f(s); g(s)], each of
length one.

Inputs, all optional: ``vectors``, a model whose word vectors both encoders read, without training them (the branch of
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
    """Settings; the defaults are uni-QT's (section 4.3). "Released" is the authors' published code.

    Attributes:
        encoder: "uni", "bi" (two recurrent units of half the size, in opposite directions) or "bow" (sum of word
            vectors).
        units: length of f(s) and of g(s); not used by "bow".
        word_dimension: length of a word vector, and with "bow" of f(s) and g(s); not used with ``vectors``.
        vocabulary: rows of a word table, the unknown word among them; not used with ``vectors``.
        tied: f is g; the sentence vector is f(s).
        reset: where the recurrent units' reset gate acts, see :mod:`sentrep.networks.gru`.
        context: neighbours are at most so many sentences away. The paper's window of 3 sentences is 1, of 7 is 3.
        diagonal: a sentence's score with itself is set to "zero", as released, or left out ("masked").
        batch_size: contiguous sentences per step, which are each other's contrast.
        epochs: epochs over the corpus; 0 is the untrained network, a baseline.
        learning_rate: of Adam, constant.
        clip: whose norm is limited: each matrix's ("per_variable", released), that of all gradients ("global"),
            "none".
        largest_norm: the limit, as released.
        dropout: share of f(s) and g(s) that a batch does without; released: available, not used.
        max_tokens: longer sentences are cut in training (released: in preparing the corpus).
        document_boundaries: "ignore" takes neighbours from other documents, as released.
        shuffle_batches: another order of the batches in each epoch; released: the order of the text.
        validation_sentences: so many first sentences, in whole batches, are not trained on; how often neighbours
            among them are recognised is logged in the end. Released: 50,000.
        test_vector: "both" is [f; g]; "input" is f alone (appendix C).
        precision: of matrix products; "auto" is bfloat16 on a GPU, float32 elsewhere.
        snapshots_per_epoch: intermediate models, evenly spaced, the last one at the end of the epoch.
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
    """Train on a store.

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
        log.info("of held-out sentences, %.1f%% recognise the next one, %.1f%% the one before", *shares)
    return trained


def build_network(p: Parameters, words: int, table: npt.NDArray[np.float32] | None) -> Network:
    """Return the towers, with random parameters; with a (words, d) table, they read that and do not change it.

    Raises:
        SentrepError: a bag of given word vectors leaves nothing to train.
    """
    import torch

    from sentrep.networks.two_towers import Network

    if table is not None and p.encoder == "bow":
        raise SentrepError(
            "inputs.vectors",
            expected="encoder uni or bi, whose recurrent units are trained",
            found="bow",
            remedy="drop the input, or change the encoder",
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
    """Return the vocabulary of given word vectors, their table, and the row of each word of the corpus.

    Args:
        known: words of the corpus by number, "<unk>" first.
        words: V words, with or without an "<unk>", which is not used.
        vectors: (V, d).
        seed: of the unknown word's vector.

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
