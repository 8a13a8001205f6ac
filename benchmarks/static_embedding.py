"""Compare the training speed of Siamese CBOW with that of StaticEmbedding in sentence-transformers, on two threads.

Both models are trained on neighbouring sentences and represent a sentence by the mean of its word vectors, but their
losses differ. ``StaticEmbedding`` is trained with ``MultipleNegativesRankingLoss``, which contrasts the first sentence
of each pair with the second sentences of all pairs in the batch, so the cost per pair grows with the batch size. Speeds
are given in pairs of neighbouring sentences per second; for Siamese CBOW, a sentence with its two neighbours and two
negative examples counts as one pair. The measured time does not include drawing examples for Siamese CBOW, tokenising
sentences for ``StaticEmbedding``, or the overhead of the trainer in sentence-transformers. ``StaticEmbedding`` is
measured with two optimisers: SGD, which sentrep also uses, and AdamW, the default of the trainer in
sentence-transformers.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np
import torch
from common import Contestant, Work, at_least
from inputs import Settings
from sentence_transformers import SentenceTransformer
from sentence_transformers.sentence_transformer.losses import MultipleNegativesRankingLoss
from sentence_transformers.sentence_transformer.modules import StaticEmbedding
from siamese_cbow import RATE
from tokenizers import Tokenizer, models, pre_tokenizers

from sentrep.corpora.store import TokenStore
from sentrep.training.averaging.cpu import CpuTrainer
from sentrep.training.batches import Sampler, TokenReader
from sentrep.training.initialisation import normal_vectors

THREADS, DIMENSION = 2, 300
NOTE = "the loss is an in-batch softmax, so its cost per pair grows with the batch size"
GOALS = {100: 50, 2048: 15}
Features = dict[str, torch.Tensor]


def tokeniser(store: TokenStore) -> Tokenizer:
    """Return a tokeniser that splits text at whitespace and maps the words of a token store to their ids."""
    words = Tokenizer(models.WordLevel({word: i for i, word in enumerate(store.vocabulary)}, store.vocabulary[-1]))
    words.pre_tokenizer = pre_tokenizers.WhitespaceSplit()
    return words


def pair_batches(store: TokenStore, embedding: StaticEmbedding, n: int, size: int) -> list[list[Features]]:
    """Return ``n`` batches of ``size`` pairs, preprocessed for ``embedding``.

    A pair consists of a random sentence and the next sentence in the corpus.
    """
    dice = np.random.default_rng(0)
    text = [" ".join(store.vocabulary[i] for i in sentence) for sentence in sentences(store, dice, n * size)]
    batches = []
    for begin in range(0, len(text), 2 * size):
        piece = text[begin : begin + 2 * size]
        batches.append([embedding.preprocess(piece[::2]), embedding.preprocess(piece[1::2])])
    return batches


def sentences(store: TokenStore, dice: np.random.Generator, n: int) -> Iterator[np.ndarray]:
    """Yield the word ids of ``n`` random sentences, each followed by those of the next sentence in the corpus."""
    for first in dice.integers(store.n_sentences - 1, size=n):
        for sentence in (first, first + 1):
            yield store.ids[store.sentence_offsets[sentence] : store.sentence_offsets[sentence + 1]]


def trainer(store: TokenStore, initial: np.ndarray, optimiser: type) -> Callable[[list[list[Features]]], None]:
    """Return a function that trains ``StaticEmbedding`` once on each of the given batches."""
    embedding = StaticEmbedding(tokeniser(store), embedding_weights=torch.tensor(initial))
    loss = MultipleNegativesRankingLoss(SentenceTransformer(modules=[embedding], device="cpu"))
    steps = optimiser(loss.parameters(), lr=RATE)

    def train(batches: list[list[Features]]) -> None:
        for features in batches:
            steps.zero_grad()
            # The model adds its output to the dictionary that it receives, so it is given a copy.
            loss([dict(side) for side in features], torch.empty(0)).backward()
            steps.step()

    return train


def works(settings: Settings) -> Iterator[Work]:
    """Yield the tasks that ``run.py`` measures."""
    store = settings.store
    initial = normal_vectors(store.vocabulary_size, DIMENSION, 0.01, 0)
    embedding = StaticEmbedding(tokeniser(store), embedding_weights=torch.tensor(initial))
    for size, goal in GOALS.items():
        sampler = Sampler(store, size, 2, seed=0)
        n = min(settings.size(30_000, 2_500) // size, sampler.batches_per_epoch)
        chunk = TokenReader(store, 50, "clean", 32).read(sampler.sentences(0, 0, n))
        ours = CpuTrainer(initial, "sgd", THREADS)
        few = settings.size(40 if size < 1000 else 5, 2)
        batches = pair_batches(store, embedding, few, size)
        contestants = [
            Contestant("sentrep, Siamese CBOW", lambda o=ours, c=chunk, n=n: o.step(c, np.full(n, RATE)), n * size)
        ]
        for optimiser in (torch.optim.SGD, torch.optim.AdamW):
            train = trainer(store, initial, optimiser)
            name = f"StaticEmbedding, MultipleNegativesRankingLoss, {optimiser.__name__}"
            contestants.append(Contestant(name, lambda t=train, b=batches: t(b), few * size, at_least(goal), note=NOTE))
        name = f"pairs of neighbouring sentences, d={DIMENSION}, batch {size:,}"
        yield Work(name, "pairs/s", contestants, THREADS)
