"""Define the batches and the loss of InferSent, which classifies sentence pairs (Conneau et al. 2017, section 3)."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.corpora.store import UNKNOWN_WORD, TokenStore
from sentrep.networks.bilstm_max import Network
from sentrep.training import distributed
from sentrep.training.bucketing import ShuffledBatches
from sentrep.training.sentences import Padded, Sentences

Indices = npt.NDArray[np.int64]
Classifier = Literal["released", "paper"]


@dataclass(frozen=True)
class Pairs:
    """A batch of n sentence pairs, each labelled with the relation between its sentences.

    Attributes:
        texts: the first sentences of all n pairs, followed by the second sentences.
        targets: (n,) int64 class of each pair's relation.
    """

    texts: Padded
    targets: torch.Tensor


@dataclass(frozen=True)
class PairSet:
    """The text pairs in one split of a data set, with words represented by ids.

    Attributes:
        sentences: the texts of all splits.
        texts: (n, 2) int64, positions of each pair's two texts in ``sentences``.
        targets: (n,) int64, class of each pair's relation.
        device: torch device of the batches.
    """

    sentences: Sentences
    texts: Indices
    targets: Indices
    device: torch.device

    def __len__(self) -> int:
        """Return the number of pairs."""
        return len(self.targets)

    def batches(self, rows: Indices) -> Iterator[Pairs]:
        """Yield one batch for each row of ``rows``, a (steps, n) array of pair indices."""
        texts = self.texts[rows]
        targets = torch.from_numpy(self.targets[rows]).to(self.device)
        both = np.concatenate([texts[..., 0], texts[..., 1]], axis=1)
        for padded, of_step in zip(self.sentences.batches(both), targets, strict=True):
            yield Pairs(padded, of_step)

    def in_order(self, size: int) -> Iterator[Pairs]:
        """Yield all pairs once, in order, in batches of ``size`` pairs; the last batch may be smaller.

        Every process yields all pairs.
        """
        for begin in range(0, len(self), size):
            yield from self.batches(np.arange(begin, min(begin + size, len(self)))[None])


class PairBatches:
    """A source of training batches for InferSent; each process reads its share of every batch.

    Pairs are shuffled in each epoch, as in the released code. Unlike the released code, this class drops an incomplete
    last batch.

    Args:
        pairs: the training pairs.
        batch_size: number of pairs per batch, summed over all processes.
        seed: random seed for the order of the pairs.

    Attributes:
        per_epoch: number of batches per epoch.

    Raises:
        SentrepError: there are not enough pairs for one batch, or the number of processes does not divide the batch
            size.
    """

    def __init__(self, pairs: PairSet, batch_size: int, seed: int) -> None:
        self._pairs = pairs
        self._batches = ShuffledBatches(len(pairs), batch_size, seed, "training pairs")
        self.per_epoch = self._batches.per_epoch

    def __call__(self, first: int, n: int) -> Iterator[Pairs]:
        """Yield the batches of ``n`` steps, beginning with step ``first``; all steps must belong to one epoch."""
        return self._pairs.batches(self._batches.items(first, n)[:, self._batches.share])


def number_texts(
    splits: Mapping[str, LabelledTexts], vocabulary: Sequence[str], tokenise: Callable[[str], list[str]], device: str
) -> dict[str, PairSet]:
    """Tokenise the texts of all splits, map words to ids, and return a :class:`PairSet` for each split.

    Each distinct text is tokenised once.

    Args:
        splits: mapping from the name of each split to its labelled text pairs.
        vocabulary: words in the order of their ids, with the unknown word first.
        tokenise: function that returns the words of a text.
        device: torch device of the batches.
    """
    texts = list(dict.fromkeys(text for part in splits.values() for text in part.texts()))
    # The unknown word comes last in a store, but has id 0 in networks.
    number = {word: i for i, word in enumerate(vocabulary[1:])}
    unknown = len(number)
    ids, lengths = array("I"), []
    for text in texts:
        # A text without tokens is replaced by one unknown word, because every text needs a vector.
        words = [number.get(word, unknown) for word in tokenise(text)] or [unknown]
        ids.extend(words)
        lengths.append(len(words))
    store = TokenStore(
        ids=np.frombuffer(ids, dtype=np.uint32),
        sentence_offsets=np.cumsum([0, *lengths], dtype=np.int64),
        document_offsets=np.array([0, len(texts)], dtype=np.int64),
        vocabulary=[*vocabulary[1:], UNKNOWN_WORD],
        counts=np.bincount(ids, minlength=unknown + 1),
        meta={"unknown_word": UNKNOWN_WORD},
    )
    sentences = Sentences(store, len(vocabulary), max(lengths), device)
    place = {text: i for i, text in enumerate(texts)}
    return {split: _pair_set(part, place, sentences, device) for split, part in splits.items()}


def _pair_set(part: LabelledTexts, place: Mapping[str, int], sentences: Sentences, device: str) -> PairSet:
    texts = [[place[text] for text in column or []] for column in (part.first, part.second)]
    return PairSet(sentences, np.array(texts, dtype=np.int64).T, part.targets.astype(np.int64), torch.device(device))


def features(u: torch.Tensor, v: torch.Tensor) -> torch.Tensor:
    """Return the (n, 4 d) features [u, v, |u - v|, u * v] of n sentence pairs with the (n, d) vectors u and v."""
    return torch.cat([u, v, (u - v).abs(), u * v], dim=1)


class InferSent(nn.Module):
    """The training loss of InferSent: the cross-entropy of a classifier that predicts how two sentences are related.

    Args:
        network: encoder of both sentences.
        hidden: number of units in each hidden layer of the classifier.
        classes: number of relations.
        classifier: "released" or "paper"; see :class:`sentrep.families.infersent.Parameters`.
    """

    def __init__(self, network: Network, hidden: int, classes: int, classifier: Classifier = "released") -> None:
        super().__init__()
        self.network = network
        middle = nn.Linear(hidden, hidden) if classifier == "released" else nn.Tanh()
        self.classifier = nn.Sequential(nn.Linear(4 * sum(network.parts), hidden), middle, nn.Linear(hidden, classes))

    def forward(self, batch: Pairs) -> torch.Tensor:
        """Return this process's loss, a scalar tensor; the mean over processes is the loss of the batch."""
        return nn.functional.cross_entropy(self.scores(batch), batch.targets)

    def scores(self, batch: Pairs) -> torch.Tensor:
        """Return the (n, classes) logits of a batch."""
        u, v = self.network.embed(batch.texts.ids, batch.texts.lengths).chunk(2)
        return self.classifier(features(u, v))


@torch.inference_mode()
def accuracy(objective: InferSent, batches: Iterable[Pairs]) -> float:
    """Return the fraction of correctly classified pairs; all processes classify all pairs and get the same result."""
    objective.eval()
    right, total = torch.zeros((), dtype=torch.float64), 0
    device = next(objective.parameters()).device
    for batch in batches:
        right += (objective.scores(batch).argmax(dim=1) == batch.targets).sum().item()
        total += len(batch.targets)
    # The processes classify the same pairs. The mean ensures that all of them use the same learning rate, even if
    # rounding makes their fractions differ.
    return float(distributed.mean_over_processes(right.to(device))) / total
