"""InferSent's training (Conneau et al., EMNLP 2017, section 3): pairs of texts, the loss of naming their relation."""

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
from sentrep.errors import SentrepError
from sentrep.networks.bilstm_max import Network
from sentrep.training import distributed
from sentrep.training.sentences import Padded, Sentences

Indices = npt.NDArray[np.int64]
Classifier = Literal["released", "paper"]


@dataclass(frozen=True)
class Pairs:
    """A batch of n pairs.

    Attributes:
        texts: 2 n sentences: all first ones, then all second ones.
        targets: (n,) int64, numbers of relations.
    """

    texts: Padded
    targets: torch.Tensor


@dataclass(frozen=True)
class PairSet:
    """Pairs of a split as numbers.

    Attributes:
        sentences: the texts of all splits.
        texts: (n, 2) int64, which two of them belong together.
        targets: (n,) int64.
        device: of torch, the one that ``sentences`` has.
    """

    sentences: Sentences
    texts: Indices
    targets: Indices
    device: torch.device

    def __len__(self) -> int:
        """Number of pairs."""
        return len(self.targets)

    def batches(self, rows: Indices) -> Iterator[Pairs]:
        """Yield a batch for each of (steps, n) rows, numbers of pairs."""
        texts = self.texts[rows]
        targets = torch.from_numpy(self.targets[rows]).to(self.device)
        both = np.concatenate([texts[..., 0], texts[..., 1]], axis=1)
        for padded, of_step in zip(self.sentences.batches(both), targets, strict=True):
            yield Pairs(padded, of_step)

    def in_order(self, size: int) -> Iterator[Pairs]:
        """Yield all pairs once, ``size`` at a time; every process the same."""
        for begin in range(0, len(self), size):
            yield from self.batches(np.arange(begin, min(begin + size, len(self)))[None])


class PairBatches:
    """Training batches: called with (first, n), gives those of these steps, this process's share of each.

    An epoch is a random order of all pairs, as released; a last incomplete batch is dropped, unlike there.

    Args:
        pairs: to learn from.
        batch_size: pairs per batch, of all processes together.
        seed: of the order.

    Attributes:
        per_epoch: batches.

    Raises:
        SentrepError: there are not enough pairs for a batch, or processes cannot share one.
    """

    def __init__(self, pairs: PairSet, batch_size: int, seed: int) -> None:
        self._pairs, self._size, self._seed = pairs, batch_size, seed
        self.per_epoch = len(pairs) // batch_size
        if self.per_epoch == 0:
            raise SentrepError(
                "training pairs",
                expected=f"at least {batch_size}, one batch",
                found=f"{len(pairs)}",
                remedy="use more pairs or a smaller batch_size",
            )
        self._share = distributed.share(batch_size)
        self._epoch, self._order = -1, np.empty(0, dtype=np.int64)

    def __call__(self, first: int, n: int) -> Iterator[Pairs]:
        """Yield the batches of ``n`` steps from ``first`` on, all of one epoch."""
        epoch, done = divmod(first, self.per_epoch)
        if epoch != self._epoch:
            self._order = np.random.default_rng([self._seed, 2, epoch]).permutation(len(self._pairs))
            self._epoch = epoch
        rows = self._order[done * self._size : (done + n) * self._size].reshape(n, self._size)
        return self._pairs.batches(rows[:, self._share])


def number_texts(
    splits: Mapping[str, LabelledTexts], vocabulary: Sequence[str], tokenise: Callable[[str], list[str]], device: str
) -> dict[str, PairSet]:
    """Cut all texts into words, each distinct one once, and number both.

    Args:
        splits: pairs.
        vocabulary: words by number, the unknown word first.
        tokenise: cuts.
        device: of torch.
    """
    texts = list(dict.fromkeys(text for part in splits.values() for text in part.texts()))
    # In a store numbers begin at 0, and the unknown word, which networks call 0, is the last.
    number = {word: i for i, word in enumerate(vocabulary[1:])}
    unknown = len(number)
    ids, lengths = array("I"), []
    for text in texts:
        # A text without any token is one unknown word, so that every text has its place.
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
    """Return [u, v, |u - v|, u * v], (n, 4 d), of two (n, d) sentence vectors."""
    return torch.cat([u, v, (u - v).abs(), u * v], dim=1)


class InferSent(nn.Module):
    """Cross-entropy of the relation of two sentences, encoded by the same network; mean over pairs.

    Args:
        network: the encoder.
        hidden: width of the classifier's layers.
        classes: relations.
        classifier: "released" or "paper", see :class:`sentrep.families.infersent.Parameters`.
    """

    def __init__(self, network: Network, hidden: int, classes: int, classifier: Classifier = "released") -> None:
        super().__init__()
        self.network = network
        middle = nn.Linear(hidden, hidden) if classifier == "released" else nn.Tanh()
        self.classifier = nn.Sequential(nn.Linear(4 * sum(network.parts), hidden), middle, nn.Linear(hidden, classes))

    def forward(self, batch: Pairs) -> torch.Tensor:
        """Return the loss, ()."""
        return nn.functional.cross_entropy(self.scores(batch), batch.targets)

    def scores(self, batch: Pairs) -> torch.Tensor:
        """Return (n, classes) scores, of which a softmax makes probabilities."""
        u, v = self.network.embed(batch.texts.ids, batch.texts.lengths).chunk(2)
        return self.classifier(features(u, v))


@torch.inference_mode()
def accuracy(objective: InferSent, batches: Iterable[Pairs]) -> float:
    """Return the share of pairs whose relation has the highest score; the same number in all processes."""
    objective.eval()
    right, total = torch.zeros((), dtype=torch.float64), 0
    device = next(objective.parameters()).device
    for batch in batches:
        right += (objective.scores(batch).argmax(dim=1) == batch.targets).sum().item()
        total += len(batch.targets)
    # Sums in another order may tip a score in one process only, and rates that differ would part the processes.
    return float(distributed.mean_over_processes(right.to(device))) / total
