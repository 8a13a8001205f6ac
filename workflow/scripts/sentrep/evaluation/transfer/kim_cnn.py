"""The convolutional network of Kim (2014) on transfer tasks: trained for one task, end to end (Table 3's row CNN).

Words of a sentence, filters over 3, 4 and 5 of them, the maximum of each filter over the sentence, dropout, a softmax.
Word vectors begin as another model's; words that it does not know begin at random with the same variance. Training is
Kim's: Adadelta, batches of 50, rows of the last layer not longer than 3, the epoch that is best on dev items. Where a
task has no dev items a tenth of the training items is held out. Folds and order are those of the protocol ``kiros``.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.encoders.base import AveragingEncoder
from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.adadelta import TableAdadelta
from sentrep.evaluation.transfer.classification import Predictions, accuracy
from sentrep.evaluation.transfer.folds import Round, Rows, blocks, nested, shuffled
from sentrep.evaluation.transfer.tasks import WHOLE, Task

log = logging.getLogger("sentrep")

PROTOCOL = "kim"
_FOLDS, _ORDER_SEED = 10, 1234
_HELD_OUT = 0.1
_ADADELTA = {"lr": 1.0, "rho": 0.95, "eps": 1e-6}


@dataclass(frozen=True)
class Settings:
    """Kim's hyper-parameters (section 3.1) and the length of the training.

    Attributes:
        windows: numbers of words that filters see.
        filters: of each window.
        dropout: share of the pooled features left out.
        longest: norm to which rows of the last layer are scaled back.
        batch: sentences of an update.
        epochs: at most so many.
        patience: epochs without a better score on the dev items, after which training ends.
        channels: "static": word vectors stay; "nonstatic": they are trained; "multichannel": both side by side.
    """

    windows: tuple[int, ...] = (3, 4, 5)
    filters: int = 100
    dropout: float = 0.5
    longest: float = 3.0
    batch: int = 50
    epochs: int = 25
    patience: int = 5
    channels: Literal["static", "nonstatic", "multichannel"] = "nonstatic"


class Network(nn.Module):
    """Kim's network.

    Args:
        vectors: (V, d) first word vectors; row 0 is the padding, all zero.
        classes: number of classes.
        settings: see :class:`Settings`.
    """

    def __init__(self, vectors: npt.NDArray[np.float32], classes: int, settings: Settings) -> None:
        super().__init__()
        kinds = {"static": [True], "nonstatic": [False], "multichannel": [True, False]}[settings.channels]
        table = torch.from_numpy(vectors)
        self.tables = nn.ModuleList(
            nn.Embedding.from_pretrained(table.clone(), freeze=frozen, padding_idx=0, sparse=not frozen)
            for frozen in kinds
        )
        # filters are shared by the channels, whose convolutions are added
        self.filters = nn.ModuleList(nn.Conv1d(vectors.shape[1], settings.filters, width) for width in settings.windows)
        self.dropout = nn.Dropout(settings.dropout)
        self.last = nn.Linear(settings.filters * len(settings.windows), classes)
        self.longest = settings.longest

    def forward(self, ids: torch.Tensor) -> torch.Tensor:
        """Return (n, classes) log-probabilities of (n, L) word numbers."""
        words = sum(table(ids) for table in self.tables).transpose(1, 2)
        pooled = [torch.relu(convolve(words)).amax(dim=2) for convolve in self.filters]
        return torch.log_softmax(self.last(self.dropout(torch.cat(pooled, dim=1))), dim=1)

    @torch.no_grad()
    def shorten(self) -> None:
        """Scale rows of the last layer back to the greatest length allowed."""
        lengths = self.last.weight.norm(dim=1, keepdim=True)
        self.last.weight.mul_((self.longest / lengths.clamp_min(1e-12)).clamp_max(1.0))


def evaluate(task: Task, words: AveragingEncoder, settings: Settings, seed: int, device: str) -> Predictions:
    """Train and test the network on a task of single sentences with classes.

    Args:
        task: what to do.
        words: gives the first word vectors and cuts texts into words.
        settings: see :class:`Settings`.
        seed: of weights, order and dropout.
        device: "cpu" or "cuda".

    Raises:
        SentrepError: the task is one of pairs or scores; too few items for the folds.
    """
    if task.pairs or not task.classes:
        raise SentrepError(
            task.label, expected="single sentences with classes", found="pairs", remedy="leave the task out"
        )
    parts = {split: _prepared(part) for split, part in task.parts.items()}
    targets = np.concatenate([part.targets for part in parts.values()])
    tokens = words.tokens([text for part in parts.values() for text in part.first])
    dice = np.random.default_rng(seed)
    vectors, ids = _vectors(tokens, words, dice)
    rounds = _rounds(task, parts, targets, dice)
    found, validation, epochs = [], [], []
    for number, chance in enumerate(rounds):
        (train, dev), *_ = chance.search
        torch.manual_seed(1000 * seed + number)
        network = Network(vectors, len(task.classes), settings).to(device)
        predicted, score, epoch = _train(network, ids, targets, train, dev, chance.test, settings, dice)
        found.append(predicted)
        validation.append(score)
        epochs.append(epoch)
        log.info("%s, round %d of %d: dev %.3f after %d epochs", task.name, number + 1, len(rounds), score, epoch)
    return Predictions(
        log_probabilities=np.concatenate(found),
        targets=targets[np.concatenate([chance.test for chance in rounds])],
        rounds=np.repeat(np.arange(len(rounds)), [len(chance.test) for chance in rounds]),
        validation=np.array(validation),
        chosen=np.array(epochs, dtype=np.float64),
        folds=len(rounds) if len(rounds) > 1 else 0,
    )


def _prepared(part: LabelledTexts) -> LabelledTexts:
    part = part.take(np.array([row for row, text in enumerate(part.first) if text], dtype=np.int64))
    return part.take(shuffled(part, _ORDER_SEED))


def _rounds(
    task: Task, parts: dict[str, LabelledTexts], targets: npt.NDArray[np.int64], dice: np.random.Generator
) -> list[Round]:
    """Return the rounds; the search of each is its training rows and the rows that say when to stop."""
    ends = np.cumsum([0, *(len(part) for part in parts.values())])
    rows = {s: np.arange(a, b) for s, a, b in zip(parts, ends[:-1], ends[1:], strict=True)}
    if "dev" in rows:
        return [Round(((rows["train"], rows["dev"]),), rows["train"], rows["test"])]
    whole = nested(task, targets, blocks, _FOLDS) if WHOLE in rows else [Round((), rows["train"], rows["test"])]
    return [Round((_held_out(chance.train, dice),), chance.train, chance.test) for chance in whole]


def _held_out(rows: Rows, dice: np.random.Generator) -> tuple[Rows, Rows]:
    """Return (training rows, a random tenth)."""
    order = dice.permutation(rows)
    count = max(1, round(_HELD_OUT * len(rows)))
    return np.sort(order[count:]), np.sort(order[:count])


def _vectors(
    tokens: Sequence[Sequence[str]], words: AveragingEncoder, dice: np.random.Generator
) -> tuple[npt.NDArray[np.float32], list[npt.NDArray[np.int64]]]:
    """Return the first word vectors, (V, d) with the padding in row 0, and the rows of each text's words."""
    vocabulary = {word: row for row, word in enumerate(sorted({w for text in tokens for w in text}), 1)}
    known = [word for word in vocabulary if word in words.row_of]
    table = words.embeddings[[words.row_of[word] for word in known]]
    # a uniform variable in +-a has the variance a^2 / 3
    limit = math.sqrt(3 * float(table.var())) if len(table) else 0.25
    vectors = dice.uniform(-limit, limit, (len(vocabulary) + 1, words.dimension)).astype(np.float32)
    vectors[[vocabulary[word] for word in known]] = table
    vectors[0] = 0
    return vectors, [np.array([vocabulary[word] for word in text], dtype=np.int64) for text in tokens]


def _batches(
    ids: Sequence[npt.NDArray[np.int64]], rows: Rows, size: int, margin: int, device: torch.device
) -> Iterator[tuple[Rows, torch.Tensor]]:
    """Yield rows and their words, padded to the longest text of the batch and by ``margin`` on both sides."""
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
    targets: npt.NDArray[np.int64],
    train: Rows,
    dev: Rows,
    test: Rows,
    settings: Settings,
    dice: np.random.Generator,
) -> tuple[npt.NDArray[np.float32], float, int]:
    """Return log-probabilities of the test rows after the epoch that is best on ``dev``, its score and number."""
    device = network.last.weight.device
    margin = max(settings.windows) - 1
    tables = [TableAdadelta(t.weight, **_ADADELTA) for t in network.tables if t.weight.requires_grad]
    others = [p for name, p in network.named_parameters() if not name.startswith("tables.")]
    optimiser = torch.optim.Adadelta(others, **_ADADELTA)

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
            for optimises in (optimiser, *tables):
                optimises.step()
            network.shorten()
        score = accuracy(predict(dev).argmax(axis=1), targets[dev])
        if score > best:
            best, best_epoch, predicted = score, epoch, predict(test)
        elif epoch - best_epoch >= settings.patience:
            break
    return predicted, best, best_epoch
