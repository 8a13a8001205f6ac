"""Train and test the convolutional network of Kim (2014) on a transfer task.

The network consists of filters over 3, 4 and 5 words, max pooling over the sentence, dropout, and a softmax layer. Word
vectors are initialised from a trained model, and are trained together with the other weights (the variant
"CNN-non-static" of Kim). Words that this model does not know get random vectors; their components have the same
variance as the components of the vectors of known words. The network corresponds to the row "CNN" in table 3 of
Logeswaran and Lee (2018).

As in Kim (2014), training uses Adadelta and batches of 50 sentences, and limits the norm of each row of weights in the
last layer to 3. The test items are classified with the weights of the epoch that reaches the best accuracy on the dev
items. If a task has no dev items, a random tenth of the training items serves as dev items. The test folds are the same
as in the protocol ``kiros``.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd
import torch
from torch import nn

from sentrep.corpora.labelled_texts import Targets
from sentrep.encoders.base import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.adadelta import TableAdadelta
from sentrep.evaluation.transfer.folds import Rows, make_rounds, prepare
from sentrep.evaluation.transfer.kim_settings import Settings
from sentrep.evaluation.transfer.predictions import Predictions, TaskKey, accuracy
from sentrep.evaluation.transfer.protocols import PROTOCOLS
from sentrep.evaluation.transfer.scoring import score_rows
from sentrep.evaluation.transfer.tasks import SCORE_COLUMNS, Task
from sentrep.training.optimisers import without_compiler

log = logging.getLogger("sentrep")

PROTOCOL = "kim"
_HELD_OUT = 0.1
_RATE, _RHO, _EPSILON = 1.0, 0.95, 1e-6  # hyper-parameters of Adadelta


class Network(nn.Module):
    """The convolutional network of Kim (2014).

    Args:
        vectors: (V, d) initial word vectors; row 0 is the zero vector for padding.
        classes: number of classes.
        settings: hyper-parameters.
    """

    def __init__(self, vectors: npt.NDArray[np.float32], classes: int, settings: Settings) -> None:
        super().__init__()
        table = torch.from_numpy(vectors).clone()
        self.table = nn.Embedding.from_pretrained(table, freeze=False, padding_idx=0, sparse=True)
        self.filters = nn.ModuleList(nn.Conv1d(vectors.shape[1], settings.filters, width) for width in settings.windows)
        self.dropout = nn.Dropout(settings.dropout)
        self.last = nn.Linear(settings.filters * len(settings.windows), classes)
        self.longest = settings.longest

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return the log-probabilities of the classes, (n, classes), for n texts given as word ids, (n, L)."""
        words = self.table(ids).transpose(1, 2)
        pooled = [torch.relu(convolve(words)).amax(dim=2) for convolve in self.filters]
        return torch.log_softmax(self.last(self.dropout(torch.cat(pooled, dim=1))), dim=1)

    @torch.no_grad()
    def shorten(self) -> None:
        """Scale each row of the last layer's weights down to the maximum norm if its norm is larger."""
        lengths = self.last.weight.norm(dim=1, keepdim=True)
        self.last.weight.mul_((self.longest / lengths.clamp_min(1e-12)).clamp_max(1.0))


def score_task(
    task: Task, words: AveragingEncoder, settings: Settings, identity: Mapping[str, Any], device: str
) -> tuple[pd.DataFrame, dict[TaskKey, Predictions]]:
    """Train and test the network on a task, and return its scores and predictions.

    Args:
        task: the task. The network cannot process pairs of texts, so the results for a task on pairs are empty.
        words: model that provides the initial word vectors and the tokeniser.
        settings: hyper-parameters.
        identity: preset, model and seed, which are repeated in every row.
        device: torch device.

    Returns:
        A table of scores with the columns :data:`sentrep.evaluation.transfer.tasks.SCORE_COLUMNS`, and a mapping from
        (protocol, task) to predictions. In the table, the columns that describe sentence vectors are empty.

    Raises:
        SentrepError: the task has scores instead of classes, or there are too few items for the folds.
    """
    rows, predictions = [], dict[TaskKey, Predictions]()
    if task.pairs:
        log.info("%s: skipped, because the convolutional network cannot process pairs of texts", task.name)
    else:
        predicted = evaluate(task, words, settings, int(identity["seed"]), device)
        rows, predictions = score_rows(task, PROTOCOL, predicted, identity), {(PROTOCOL, task.name): predicted}
        log.info("%s: test accuracy %.4g%%", task.name, rows[0]["value"])
    return pd.DataFrame(rows, columns=SCORE_COLUMNS), predictions


def evaluate(task: Task, words: AveragingEncoder, settings: Settings, seed: int, device: str) -> Predictions:
    """Train the network on a single-sentence classification task, and predict the classes of the test items.

    Args:
        task: the task.
        words: model that provides the initial word vectors and the tokeniser.
        settings: hyper-parameters.
        seed: seed for the vectors of unknown words, the choice of dev items, the initial weights, the order of training
            items, and dropout.
        device: torch device.

    Raises:
        SentrepError: the items are pairs or have scores instead of classes, or there are too few items for the folds.
    """
    if task.pairs or not task.classes:
        raise SentrepError(
            task.label,
            expected="a single-sentence classification task",
            found="a task on sentence pairs" if task.pairs else "a task with scores instead of classes",
            remedy="evaluate the network on other tasks",
        )
    parts = {split: prepare(items, by_length=False, keep_empty=False) for split, items in task.parts.items()}
    targets = np.concatenate([items.targets for items in parts.values()])
    tokens = words.tokens([text for items in parts.values() for text in items.first])
    dice = np.random.default_rng(seed)
    vectors, ids = initial_vectors(tokens, words, dice)
    rounds = make_rounds(task, parts, PROTOCOLS["kiros"].splitter, search=False)
    # Training also draws from ``dice``. The dev items of all rounds are therefore drawn before training starts, so that
    # they do not depend on the number of epochs in earlier rounds.
    trained = [fold.search[0] if fold.search else hold_out(fold.train, dice) for fold in rounds]
    found, validation, epochs = [], [], []
    for number, (fold, (train, dev)) in enumerate(zip(rounds, trained, strict=True)):
        torch.manual_seed(1000 * seed + number)
        network = Network(vectors, len(task.classes), settings).to(device)
        predicted, score, epoch = _train(network, ids, targets, train, dev, fold.test, settings, dice)
        found.append(predicted)
        validation.append(score)
        epochs.append(epoch)
        where = f"{task.name}, round {number + 1} of {len(rounds)}"
        log.info("%s: best validation accuracy %.1f%%, reached in epoch %d", where, 100 * score, epoch)
    return Predictions(
        log_probabilities=np.concatenate(found),
        targets=targets[np.concatenate([fold.test for fold in rounds])],
        rounds=np.repeat(np.arange(len(rounds)), [len(fold.test) for fold in rounds]),
        validation=np.array(validation),
        chosen=np.array(epochs, dtype=np.float64),
        folds=len(rounds) if len(rounds) > 1 else 0,
    )


def hold_out(rows: Rows, dice: np.random.Generator) -> tuple[Rows, Rows]:
    """Split rows at random, and return nine tenths as training rows and one tenth as dev rows."""
    order = dice.permutation(rows)
    count = max(1, round(_HELD_OUT * len(rows)))
    return np.sort(order[count:]), np.sort(order[:count])


def initial_vectors(
    tokens: Sequence[Sequence[str]], words: AveragingEncoder, dice: np.random.Generator
) -> tuple[npt.NDArray[np.float32], list[npt.NDArray[np.int64]]]:
    """Return the initial word vectors of the network, (V, d), and the word ids of each text.

    Row 0 is the zero vector for padding. Words that are not in the vocabulary of ``words`` get random vectors.
    """
    vocabulary = {word: row for row, word in enumerate(sorted({w for text in tokens for w in text}), 1)}
    known = [word for word in vocabulary if word in words.row_of]
    table = words.embeddings[[words.row_of[word] for word in known]]
    # The variance of a uniform distribution on [-a, a] is a^2 / 3.
    limit = math.sqrt(3 * float(table.var())) if len(table) else 0.25
    vectors = dice.uniform(-limit, limit, (len(vocabulary) + 1, words.dimension)).astype(np.float32)
    vectors[[vocabulary[word] for word in known]] = table
    vectors[0] = 0
    return vectors, [np.array([vocabulary[word] for word in text], dtype=np.int64) for text in tokens]


def _batches(
    ids: Sequence[npt.NDArray[np.int64]], rows: Rows, size: int, margin: int, device: torch.device
) -> Iterator[tuple[Rows, torch.Tensor]]:
    """Yield the rows (item indices) of each batch, and the word ids of their texts.

    The word ids of shorter texts are padded with zeros at the end, up to the length of the longest text in the batch.
    Then ``margin`` zeros are added on each side of every text.
    """
    for first in range(0, len(rows), size):
        chosen = rows[first : first + size]
        longest = max(1, *(len(ids[row]) for row in chosen))
        padded = np.zeros((len(chosen), longest + 2 * margin), dtype=np.int64)
        for place, row in enumerate(chosen):
            padded[place, margin : margin + len(ids[row])] = ids[row]
        yield chosen, torch.from_numpy(padded).to(device)


def _train(
    network: Network,
    ids: Sequence[npt.NDArray[np.int64]],
    targets: Targets,
    train: Rows,
    dev: Rows,
    test: Rows,
    settings: Settings,
    dice: np.random.Generator,
) -> tuple[npt.NDArray[np.float32], float, int]:
    """Train the network, and classify the test items after the epoch with the best accuracy on the dev items.

    Returns:
        The log-probabilities of the classes, (test items, classes); the accuracy on the dev items; and the number of
        the best epoch. The log-probabilities and the accuracy are those after this epoch.
    """
    device = network.last.weight.device
    margin = max(settings.windows) - 1
    others = [p for p in network.parameters() if p is not network.table.weight]
    optimiser = without_compiler(torch.optim.Adadelta)(others, lr=_RATE, rho=_RHO, eps=_EPSILON)
    of_table = TableAdadelta(network.table.weight, lr=_RATE, rho=_RHO, eps=_EPSILON)

    def predict(rows: Rows) -> npt.NDArray[np.float32]:
        network.eval()
        with torch.inference_mode():
            batches = _batches(ids, rows, 10 * settings.batch, margin, device)
            return np.concatenate([network(words).float().cpu().numpy() for _, words in batches])

    best, best_epoch, predicted = -1.0, 0, np.empty(0, dtype=np.float32)
    for epoch in range(1, settings.epochs + 1):
        network.train()
        for rows, words in _batches(ids, dice.permutation(train), settings.batch, margin, device):
            loss = nn.functional.nll_loss(network(words), torch.from_numpy(targets[rows]).to(device))
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
            of_table.step()
            network.shorten()
        score = accuracy(predict(dev).argmax(axis=1), targets[dev])
        if score > best:
            best, best_epoch, predicted = score, epoch, predict(test)
        elif epoch - best_epoch >= settings.patience:
            break
    return predicted, best, best_epoch
