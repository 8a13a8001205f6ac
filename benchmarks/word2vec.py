"""Compare the training speed of sentrep's Siamese CBOW, sentrep's word2vec and gensim's word2vec in words per second.

All vectors have 300 dimensions. Both implementations of word2vec subsample frequent words with the threshold 0.001, and
use windows of at most 5 words on each side and 5 noise words per prediction; these values are gensim's defaults. Words
are counted before subsampling. In an epoch, Siamese CBOW reads a sentence not only as a centre, but also as a neighbour
of other centres and as a negative example; the words of the sentence are counted only once. The measured time of
Siamese CBOW includes the time to draw examples.
"""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Callable, Iterator
from itertools import pairwise

import numpy as np
from common import Contestant, Work, at_least
from gensim.models import Word2Vec
from inputs import Settings
from siamese_cbow import RATE

from sentrep.corpora.store import TokenStore
from sentrep.families.word2vec import Parameters, recorder
from sentrep.training.averaging.cpu import CpuTrainer
from sentrep.training.batches import Sampler, TokenReader
from sentrep.training.initialisation import normal_vectors, uniform_vectors
from sentrep.training.run import Run
from sentrep.training.word2vec.cpu import Word2VecLearner

THREADS, DIMENSION = 2, 300
ARCHITECTURES = {"cbow": "CBOW", "skipgram": "skip-gram"}


def gensim_training(store: TokenStore, architecture: str, workers: int = THREADS) -> Callable[[], object]:
    """Return a function that trains gensim's word2vec for an epoch."""
    logging.getLogger("gensim").setLevel(logging.WARNING)
    words = np.array(store.vocabulary, dtype=object)
    sentences = [words[store.ids[a:b]].tolist() for a, b in pairwise(store.sentence_offsets.tolist())]
    model = Word2Vec(
        sg=int(architecture == "skipgram"), vector_size=DIMENSION, min_count=1, workers=workers, sorted_vocab=0
    )
    counts = dict(zip(store.vocabulary, np.maximum(store.counts, 1).tolist(), strict=True))
    model.build_vocab_from_freq(counts, corpus_count=store.n_sentences)
    return lambda: model.train(sentences, total_examples=len(sentences), epochs=1)


def siamese_cbow(store: TokenStore) -> tuple[Callable[[], object], int]:
    """Return a function that trains Siamese CBOW for an epoch, and the number of words in the epoch.

    Only the words of centre sentences are counted.
    """
    sampler, reader = Sampler(store, 100, 2, seed=0), TokenReader(store, 50, "clean", 32)
    trainer = CpuTrainer(normal_vectors(store.vocabulary_size, DIMENSION, 0.01, 0), "sgd", THREADS)
    n = sampler.batches_per_epoch
    centres = sampler.order(0)[: n * 100].astype(np.int64)
    words = int((store.sentence_offsets[centres + 1] - store.sentence_offsets[centres]).sum())

    def train() -> None:
        for first in range(0, n, 256):  # as in the training loop
            some = min(256, n - first)
            trainer.step(reader.read(sampler.sentences(0, first, some)), np.full(some, RATE))

    return train, words


def gpu_training(store: TokenStore, architecture: str) -> Callable[[], object]:
    """Return a function that trains sentrep's word2vec for an epoch on the GPU."""
    from sentrep.training.word2vec.gpu import train_vectors

    p = Parameters(architecture=architecture, dimension=DIMENSION, epochs=1, sample=1e-3)
    vectors = uniform_vectors(store.vocabulary_size, DIMENSION, 1)

    def train() -> None:
        run = Run(1, device="cuda")
        with contextlib.closing(recorder(p, store, run)) as words:
            train_vectors(store, p, run, vectors, words)

    return train


def one_core(store: TokenStore, architecture: str) -> Callable[[], object]:
    """Return a function that trains sentrep's word2vec for an epoch on one core."""
    p = Parameters(architecture=architecture, dimension=DIMENSION, epochs=1, sample=1e-3)
    learner = Word2VecLearner(store, uniform_vectors(store.vocabulary_size, DIMENSION, 1), p, 1)
    learner.advance(0, np.empty(0))  # compile the functions before they are timed
    return lambda: learner.advance(0, np.full(learner.steps_per_epoch, p.initial_learning_rate))


def works(settings: Settings) -> Iterator[Work]:
    """Yield the tasks that ``run.py`` measures on the CPU."""
    store = settings.store
    train, words = siamese_cbow(store)
    contestants = [Contestant("sentrep, Siamese CBOW", train, words)]
    for architecture, label in ARCHITECTURES.items():
        goal = at_least(2) if architecture == "cbow" else None
        training = gensim_training(store, architecture)
        contestants.append(Contestant(f"gensim word2vec, {label}", training, store.n_tokens, goal))
    yield Work(f"training speed in corpus words per second, d={DIMENSION}", "words/s", contestants, THREADS)
    for architecture, label in ARCHITECTURES.items():
        contestants = [
            Contestant("sentrep, one core", one_core(store, architecture), store.n_tokens),
            Contestant("gensim, one worker", gensim_training(store, architecture, 1), store.n_tokens, at_least(1.5)),
        ]
        yield Work(f"word2vec {label}, d={DIMENSION}", "words/s", contestants, 1)


def gpu_works(settings: Settings) -> Iterator[Work]:
    """Yield the tasks that ``run.py`` measures on the GPU."""
    store = settings.store
    for architecture, label in ARCHITECTURES.items():
        contestants = [
            Contestant("sentrep, GPU", gpu_training(store, architecture), store.n_tokens),
            Contestant("gensim, 2 workers", gensim_training(store, architecture), store.n_tokens, at_least(20)),
        ]
        yield Work(f"word2vec {label} on the GPU, d={DIMENSION}", "words/s", contestants, THREADS)
