"""InferSent (Conneau et al., EMNLP 2017): a sentence encoder trained on natural language inference.

A BiLSTM with max pooling encodes the two sentences of a pair as u and v. From [u, v, |u - v|, u * v], a classifier
predicts whether the first sentence entails the second, contradicts it, or does neither. Only the encoder is kept after
training. The token store is not used.

The model has these inputs:

- ``vectors``: a model whose word vectors are used without further training (GloVe 840B in the paper).
- ``snli``: the manifest (list of files, see :mod:`sentrep.sources.registry`) of a source with the files of SNLI, from
  which the training, development and test pairs are read.
- ``multinli`` (optional): the manifest of a source with the files of MultiNLI. The training pairs of MultiNLI are added
  to those of SNLI.

The transfer scores that other papers quote from the InferSent paper were measured with a model that was trained on SNLI
and MultiNLI ("AllNLI"). The SNLI accuracy in the InferSent paper was measured with a model trained on SNLI alone.

The released code (train_nli.py) differs from the paper, or is more specific, in the following respects:

- The paper's classifier has "1 hidden-layer of 512 hidden units". The default classifier of the released code consists
  of three linear maps with 512, 512 and 3 outputs. There are no non-linearities between them, so together they are
  equivalent to one linear map.
- The "weight decay of 0.99" in the paper is a factor by which the learning rate is multiplied before each epoch except
  the first.
- The learning rate is divided by 5 after an epoch whose development accuracy does not exceed the best so far
  (paper: "if the dev accuracy decreases"). There are at most 20 epochs, and the encoder of the best epoch is used.
- Texts are enclosed in <s> and </s>, and words without a vector are omitted.
"""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field
from pydantic.dataclasses import dataclass

from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.corpora.nli import CLASSES, read_nli
from sentrep.corpora.store import UNKNOWN_WORD, TokenStore
from sentrep.corpora.tokenisers import tokeniser
from sentrep.encoders.neural import NeuralEncoder
from sentrep.training.parameters import Count, Positive
from sentrep.training.run import Run

if TYPE_CHECKING:
    from sentrep.networks.bilstm_max import Network

REPORTED_TEST_ACCURACY = 0.845  # InferSent, table 3: BiLSTM-Max with 4096 dimensions, trained on SNLI alone

log = logging.getLogger("sentrep")


INPUTS = ("vectors", "snli")
OPTIONAL_INPUTS = ("multinli",)


@dataclass(frozen=True)
class Parameters:
    """Settings of InferSent; the defaults follow the released code.

    Attributes:
        units: number of units of each LSTM; a sentence vector has twice as many components.
        hidden: number of hidden units in the classifier.
        classifier: "released" consists of three linear maps with ``hidden``, ``hidden`` and 3 outputs; "paper" has one
            hidden layer with tanh, the non-linearity that the released code offers as an option.
        batch_size: number of pairs per step.
        epochs: maximum number of epochs.
        learning_rate: learning rate of the first epoch.
        decay: factor by which the learning rate is multiplied before each epoch except the first.
        shrink: number by which the learning rate is divided after an epoch in which the accuracy on the development set
            did not exceed the best accuracy so far.
        smallest_rate: training ends when the division by ``shrink`` brings the learning rate below this value.
        largest_norm: maximum joint norm of all gradients.
        tokeniser: tokeniser that is used in training and encoding; "treebank" corresponds to the released code.
    """

    units: Count = 2048
    hidden: Count = 512
    classifier: Literal["released", "paper"] = "released"
    batch_size: Count = 64
    epochs: Count = 20
    learning_rate: Positive = 0.1
    decay: Annotated[float, Field(gt=0, le=1)] = 0.99
    shrink: Annotated[float, Field(gt=1, allow_inf_nan=False)] = 5.0
    smallest_rate: Positive = 1e-5
    largest_norm: Positive = 5.0
    tokeniser: str = "treebank"

    def __post_init__(self) -> None:
        tokeniser(self.tokeniser)


def train(store: TokenStore, parameters: Parameters, run: Run) -> NeuralEncoder:
    """Train InferSent on the sentence pairs in ``run.inputs``, and return the encoder.

    The number of training pairs and the accuracies on the development and test sets of SNLI are stored in
    ``run.measured``.

    Raises:
        SentrepError: an input is missing, damaged or unsuitable; there are too few pairs for one batch; the number of
            processes does not divide the batch size; or training fails (see :func:`sentrep.training.loop.fit`).
    """
    from sentrep.encoders.registry import load_word_vectors
    from sentrep.families.quick_thoughts import frozen_table
    from sentrep.training.infersent import InferSent, PairBatches, accuracy, number_texts
    from sentrep.training.loop import Course, fit
    from sentrep.training.neural import NeuralLearner, Optimisation, seeded
    from sentrep.training.plateau import Plateau, ValidatedLearner

    p = parameters
    splits = read_pairs(run)
    given = load_word_vectors(run.inputs["vectors"])
    vocabulary, table, _ = frozen_table([UNKNOWN_WORD], given.vocabulary, given.embeddings, run.seed)
    pairs = number_texts(splits, vocabulary, tokeniser(p.tokeniser), run.device)
    batches = PairBatches(pairs["train"], p.batch_size, run.seed)

    def build() -> InferSent:
        return InferSent(build_network(p.units, vocabulary, table, run.seed), p.hidden, len(CLASSES), p.classifier)

    objective = seeded(run.seed, build)
    optimisation = Optimisation("global", p.largest_norm, precision="float32", optimiser="sgd")
    learner = ValidatedLearner(
        NeuralLearner(objective, batches, optimisation, run),
        batches.per_epoch,
        lambda: accuracy(objective, pairs["dev"].in_order(p.batch_size)),
        Plateau(p.learning_rate, p.decay, p.shrink, p.smallest_rate),
    )
    course = Course(
        *(p.epochs, batches.per_epoch, p.batch_size, learner.rates), unit="pairs", finished=learner.finished
    )
    fit(learner, course, run, "infersent")
    learner.take_best()
    run.measured |= {
        "training_pairs": len(pairs["train"]),
        "snli_dev_accuracy": learner.schedule.best,
        "snli_test_accuracy": accuracy(objective, pairs["test"].in_order(p.batch_size)),
        # The published accuracy is from a model trained on SNLI alone.
        "snli_test_accuracy_reported": None if "multinli" in run.inputs else REPORTED_TEST_ACCURACY,
    }
    log.info("accuracy on the SNLI test set: %.1f%%", 100 * run.measured["snli_test_accuracy"])
    return NeuralEncoder("bilstm_max", objective.network, vocabulary, p.tokeniser, normalise=False)


def read_pairs(run: Run) -> dict[str, LabelledTexts]:
    """Read SNLI, and return a mapping from each split ("train", "dev" and "test") to its labelled sentence pairs.

    If MultiNLI is among the inputs, its training pairs are appended to the split "train".

    Raises:
        SentrepError: an input is damaged.
    """
    splits = read_nli(run.inputs["snli"])
    if "multinli" in run.inputs:
        own, more = splits["train"], read_nli(run.inputs["multinli"], ["train"])["train"]
        both = np.concatenate([own.targets, more.targets]).astype(np.int64)
        splits["train"] = LabelledTexts([*own.first, *more.first], [*(own.second or []), *(more.second or [])], both)
    return splits


def build_network(units: int, vocabulary: list[str], table: npt.NDArray[np.float32], seed: int) -> Network:
    """Return a network with randomly initialised LSTMs and fixed word vectors.

    The network encloses each text in the tokens ``<s>`` and ``</s>``. If the vocabulary lacks one of these tokens, the
    components of the token's vector are drawn from a normal distribution with mean 0 and with the same standard
    deviation as the components of the word vectors.

    Args:
        units: number of units of each LSTM.
        vocabulary: words in the order of the rows of ``table``; the first is the unknown word.
        table: word vectors, (words, d).
        seed: random seed for the vectors of ``<s>`` and ``</s>`` if the vocabulary lacks these tokens.
    """
    import torch

    from sentrep.networks.bilstm_max import Network

    words, dimension = table.shape
    network = Network(words, dimension, units)
    row_of = {word: row for row, word in enumerate(vocabulary)}
    drawn = np.random.default_rng([seed, 4]).normal(0, table[1:].std(), (2, table.shape[1])).astype(np.float32)
    ends = [table[row_of[word]] if word in row_of else drawn[i] for i, word in enumerate(("<s>", "</s>"))]
    with torch.no_grad():
        network.table.weight.copy_(torch.from_numpy(table))
        network.ends.weight.copy_(torch.from_numpy(np.stack(ends)))
    return network
