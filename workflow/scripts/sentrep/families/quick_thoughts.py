"""Quick Thoughts (Logeswaran and Lee, ICLR 2018): encoders trained to identify neighbouring sentences.

Two encoders, f and g, encode each sentence of a batch of consecutive sentences. They are trained such that, for each
sentence s, a softmax over the inner products of f(s) with the vectors g(t) of all sentences t in the batch assigns high
probabilities to the neighbours of s. The sentence vector is [f(s); g(s)], with both parts scaled to length one.

A Quick Thoughts model has two optional inputs:

- ``vectors``: a model with word vectors. Both encoders use these vectors without training them further, as in the
  branch of MC-QT that uses pre-trained vectors.
- ``expansion``: a model with word vectors. After training, the vocabulary is extended with words of this model; see
  :mod:`sentrep.training.expansion`.
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


OPTIONAL_INPUTS = ("vectors", "expansion")


@dataclass(frozen=True)
class Parameters:
    """Settings of Quick Thoughts; the defaults follow uni-QT in section 4.3 of the paper.

    "The released code" is the code that the authors of the paper published.

    Attributes:
        encoder: kind of the encoders f and g: "uni" (one recurrent network), "bi" (two recurrent networks that read in
            opposite directions and have half the units each) or "bow" (sum of word vectors).
        units: length of f(s) and of g(s); ignored by the encoder "bow".
        word_dimension: length of a word vector and, with the encoder "bow", of f(s) and g(s); ignored if the model has
            the input ``vectors``.
        vocabulary: maximum size of the vocabulary, including the unknown word; ignored if the model has the input
            ``vectors``.
        tied: use the same encoder for f and g; the sentence vector is then f(s).
        reset: where the reset gate of the recurrent units is applied; see :mod:`sentrep.networks.gru`.
        context: maximum distance between neighbours, in sentences. The paper's windows of 3 and 7 sentences correspond
            to the values 1 and 3.
        candidates: "contiguous" fills a batch with consecutive sentences, as in the released code; "random" divides the
            corpus into windows of 2 * context + 1 consecutive sentences and fills each batch with randomly chosen
            windows. According to section 4.3 of the paper, both options perform equally well.
        loss: "softmax" (equation 2), or one of two losses that performed worse in the paper (section 3): "max_margin"
            (hinge loss with a margin of 1) or "binary" (logistic loss for classifying pairs of sentences as neighbours
            or non-neighbours).
        diagonal: treatment of the score of a sentence s with itself, the inner product of f(s) and g(s): "zero" sets
            this score to 0, as in the released code; "masked" excludes it from the softmax.
        batch_size: number of sentences per batch. The neighbours of a sentence are identified among these sentences.
        epochs: number of training epochs; 0 keeps the untrained network, as a baseline.
        learning_rate: constant learning rate of Adam.
        clip: how gradients are clipped: by the norm of each parameter's gradient ("per_variable", as in the released
            code), by the joint norm of all gradients ("global"), or not at all ("none").
        largest_norm: maximum norm of gradients; the default follows the released code.
        dropout: probability with which each component of f(s) and g(s) is dropped in training; the released code
            supports dropout but does not use it.
        max_tokens: maximum number of tokens per training sentence; longer sentences are truncated. The released code
            truncates sentences in corpus preprocessing.
        document_boundaries: "ignore" also uses neighbours from other documents, as in the released code; "respect" does
            not.
        shuffle_batches: shuffle the batches in each epoch; the released code keeps the order of the text.
        validation_sentences: number of sentences at the beginning of the corpus that are not used for training, rounded
            down to a multiple of ``batch_size``. After training in a single process, the model is tested on these
            sentences, and its accuracies in identifying the next and the previous sentence are logged. The default
            follows the released code.
        test_vector: "both" represents a sentence s by [f(s); g(s)], and "input" by f(s) alone (appendix C of the
            paper).
        precision: data type in which matrix products are computed; "auto" means bfloat16 on a GPU and float32
            elsewhere.
        snapshots_per_epoch: number of snapshots of the model that are saved in each epoch. They are evenly spaced, and
            the last one is saved at the end of the epoch.
    """

    encoder: Literal["uni", "bi", "bow"] = "uni"
    units: Count = 1200
    word_dimension: Count = 620
    vocabulary: AtLeastTwo = 50_001
    tied: bool = False
    reset: Literal["before", "after"] = "before"
    context: Count = 1
    candidates: Literal["contiguous", "random"] = "contiguous"
    loss: Literal["softmax", "max_margin", "binary"] = "softmax"
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
            raise ValueError("`units` must be even with `encoder: bi`")


def train(store: TokenStore, parameters: Parameters, run: Run) -> NeuralEncoder:
    """Train Quick Thoughts on a token store and return the encoder.

    Raises:
        SentrepError: the corpus is too small for one batch, an input is unsuitable, the number of processes does not
            divide the batch size, or training fails (see :func:`sentrep.training.loop.fit`).
    """
    from sentrep.encoders.registry import load_word_vectors
    from sentrep.training import distributed
    from sentrep.training.fit_network import fit_network
    from sentrep.training.neural import Optimisation, seeded
    from sentrep.training.quick_thoughts import QuickThoughts, SentenceBatches, accuracy
    from sentrep.training.schedule import adam_rates
    from sentrep.training.sentences import Sentences

    p = parameters
    if "vectors" in run.inputs:
        given = load_word_vectors(run.inputs["vectors"])
        sentences = Sentences(store, store.vocabulary_size + 1, p.max_tokens, run.device)
        vocabulary, table, rows = frozen_table(sentences.vocabulary, given.vocabulary, given.embeddings, run.seed)
    else:
        sentences = Sentences(store, p.vocabulary, p.max_tokens, run.device)
        vocabulary, table, rows = sentences.vocabulary, None, None

    def build() -> QuickThoughts:
        return QuickThoughts(build_network(p, len(vocabulary), table), p.context, p.diagonal, p.loss, p.dropout)

    objective = seeded(run.seed, build)
    batches = SentenceBatches(
        *(store, sentences, objective.network, run.device, p.batch_size, p.context, p.document_boundaries),
        *(p.shuffle_batches, p.candidates, run.seed, p.validation_sentences, rows),
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
        log.info(
            "accuracy on held-out sentences: %.1f%% in predicting the next sentence, "
            "%.1f%% in predicting the previous one",
            *shares,
        )
    return trained


def build_network(p: Parameters, words: int, table: npt.NDArray[np.float32] | None) -> Network:
    """Return a randomly initialised network that contains the encoders f and g.

    Args:
        p: settings of Quick Thoughts; only those of the encoders are used.
        words: number of words in the vocabulary, including the unknown word.
        table: (words, d) word vectors, which are not trained; if None, the network has trainable word vectors.

    Raises:
        SentrepError: the encoder is "bow" and ``table`` is not None; such a network has no parameters to train.
    """
    import torch

    from sentrep.networks.two_towers import Network

    if table is not None and p.encoder == "bow":
        raise SentrepError(
            "inputs.vectors",
            expected="an encoder with trainable parameters (uni or bi) if this input is set",
            found="encoder bow",
            remedy="remove the input `vectors`, or change `encoder`",
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
    """Return the vocabulary and the word table for given word vectors, and the row index of each word of a corpus.

    Args:
        known: words of the corpus in the order of their ids; the first is the unknown word, "<unk>".
        words: V words that have a vector. If "<unk>" is among them, its vector is not used.
        vectors: vectors of the V words, (V, d).
        seed: random seed for the vector of the unknown word.

    Returns:
        The vocabulary, which consists of "<unk>" and the words that have a vector; the float32 word table, with one row
        per word of the vocabulary; and an int64 array that contains the row index of each word in ``known``, or 0 if
        the word has no vector. The components of the table's row 0 are drawn uniformly from [0, 1), as in the released
        Quick Thoughts code.
    """
    unknown = known[0]
    kept = [i for i, word in enumerate(words) if word != unknown]
    vocabulary = [unknown, *(words[i] for i in kept)]
    first = np.random.default_rng([seed, 3]).random((1, vectors.shape[1]), dtype=np.float32)
    row_of = {word: row for row, word in enumerate(vocabulary)}
    rows = np.array([row_of.get(word, 0) for word in known], dtype=np.int64)
    return vocabulary, np.concatenate([first, vectors[kept]]), rows
