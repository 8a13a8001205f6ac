"""InferSent (Conneau et al., EMNLP 2017): sentence vectors learnt by telling how two sentences relate.

A BiLSTM with max pooling encodes both sentences of a pair; a classifier that sees [u, v, |u - v|, u * v] says whether
the first entails the second, contradicts it or neither. The encoder is what is kept. Of the store nothing is used.

Inputs: ``vectors``, a model whose word vectors are read and not trained (the paper: GloVe 840B); ``snli``, the manifest
of a source with the files of SNLI. ``multinli``, if given, adds its training pairs; dev and test items are SNLI's. The
paper's transfer scores that others quote are of a model trained on both ("AllNLI"), its SNLI accuracy of one trained on
SNLI alone.

Where paper and released code (train_nli.py) differ, or the paper is silent:

- The paper has "1 hidden-layer of 512 hidden units"; released by default are three linear maps to 512, 512 and 3
  numbers with nothing between them, which together are one linear map.
- What the paper calls a "weight decay of 0.99" multiplies the learning rate before each epoch but the first.
- The rate is divided by 5 after an epoch that does not exceed the best dev accuracy so far (paper: "if the dev accuracy
  decreases"); at most 20 epochs; the encoder of the best epoch is taken.
- Texts stand between <s> and </s>; words without a vector are left out.
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
from sentrep.errors import SentrepError
from sentrep.training.parameters import Count, Positive
from sentrep.training.run import Run

if TYPE_CHECKING:
    from sentrep.networks.bilstm_max import Network

REPORTED_TEST_ACCURACY = 0.845  # BiLSTM-Max of 4096 dimensions trained on SNLI alone: the paper's table 3

log = logging.getLogger("sentrep")


@dataclass(frozen=True)
class Parameters:
    """Settings; the defaults are the paper's, and the released code's where it is more exact.

    Attributes:
        units: of each LSTM; sentence vectors are twice as long.
        hidden: width of the classifier.
        classifier: "released": linear maps to ``hidden``, ``hidden`` and 3 numbers; "paper": one hidden layer, of
            tanh, the non-linearity that the released code has as an option.
        batch_size: pairs per step.
        epochs: at most.
        learning_rate: of the first epoch.
        decay: factor of the rate before each other epoch.
        shrink: divisor of the rate after an epoch without progress on dev items.
        smallest_rate: training ends when such a division leaves less.
        largest_norm: to which the norm of all gradients is limited.
        tokeniser: how texts are cut into words, in training and of the texts that are encoded. The released code
            cuts as "treebank".
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
    """Train on the pairs of ``run.inputs``; fill ``run.measured`` with accuracies on SNLI.

    Raises:
        SentrepError: an input is missing or damaged, there are too few pairs, or the loss is not finite.
    """
    from sentrep.families.quick_thoughts import frozen_table
    from sentrep.training.expansion import word_vectors
    from sentrep.training.infersent import InferSent, PairBatches, accuracy, number_texts
    from sentrep.training.loop import Course, fit
    from sentrep.training.neural import NeuralLearner, Optimisation, seeded
    from sentrep.training.plateau import Plateau, ValidatedLearner

    p = parameters
    splits = read_pairs(run)
    vocabulary, table, _ = frozen_table([UNKNOWN_WORD], *word_vectors(run.inputs["vectors"]), run.seed)
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
        # Of a model trained on SNLI alone.
        "snli_test_accuracy_reported": None if "multinli" in run.inputs else REPORTED_TEST_ACCURACY,
    }
    log.info("of SNLI's test items %.1f%% are right", 100 * run.measured["snli_test_accuracy"])
    return NeuralEncoder("bilstm_max", objective.network, vocabulary, p.tokeniser, normalise=False)


def read_pairs(run: Run) -> dict[str, LabelledTexts]:
    """Return SNLI's splits, and MultiNLI's training pairs after SNLI's own.

    Raises:
        SentrepError: an input is missing or damaged.
    """
    for name in ("vectors", "snli"):
        if name not in run.inputs:
            raise SentrepError(
                f"inputs.{name}",
                expected="a model of word vectors" if name == "vectors" else "the source snli",
                found="nothing",
                remedy="name it in the model's `inputs`",
            )
    splits = read_nli(run.inputs["snli"])
    if "multinli" in run.inputs:
        own, more = splits["train"], read_nli(run.inputs["multinli"], ["train"])["train"]
        both = np.concatenate([own.targets, more.targets]).astype(np.int64)
        splits["train"] = LabelledTexts([*own.first, *more.first], [*(own.second or []), *(more.second or [])], both)
    return splits


def build_network(units: int, vocabulary: list[str], table: npt.NDArray[np.float32], seed: int) -> Network:
    """Return the encoder with random LSTMs over a (words, d) table.

    The tokens that begin and end a text have the vectors of <s> and </s>, or, where the vocabulary lacks them, normally
    distributed ones of the same variance as the others.
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
