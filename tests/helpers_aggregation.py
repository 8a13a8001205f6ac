"""Helpers for the tests of weighted aggregation: synthetic texts on topics, and slow reference implementations."""

import math

import numpy as np

from helpers_store import make_store
from sentrep.aggregation.lexicon import Lexicon
from sentrep.encoders.base import AveragingEncoder
from sentrep.families import parse_parameters, weighted_aggregation
from sentrep.pairs.pair_set import Count, Pairs, PairSet
from sentrep.training.run import Run

TOPICS, CONTENT, FUNCTION, DIMENSION, DOCUMENTS = 12, 120, 40, 16, 1000


def write_pairs_folder(folder, sizes=(600, 400, 400), words=(8, 8), seed=0, counts=()):
    """Write pairs of texts, half of which share a topic; half of the words of a text belong to its topic."""
    rng = np.random.default_rng(seed)
    vocabulary = [f"t{i % TOPICS}x{i}" for i in range(CONTENT)] + [f"f{i}" for i in range(FUNCTION)]
    frequencies = np.concatenate([rng.integers(1, 60, CONTENT), rng.integers(300, 900, FUNCTION)])

    def text(topic, longest):
        n = rng.integers(words[0], words[1] + 1)
        content = topic + TOPICS * rng.integers(0, CONTENT // TOPICS, (n + 1) // 2)
        row = np.concatenate([content, CONTENT + rng.integers(0, FUNCTION, n // 2)])
        rng.shuffle(row)
        return np.pad(row, (0, longest - n), constant_values=-1)

    splits = {}
    for name, size in zip(("train", "validation", "test"), sizes, strict=True):
        related = np.arange(size) % 2 == 0
        topics = rng.integers(0, TOPICS, size)
        others = np.where(related, topics, (topics + rng.integers(1, TOPICS, size)) % TOPICS)
        sides = [np.array([text(t, words[1]) for t in side], dtype=np.int32) for side in (topics, others)]
        splits[name] = Pairs(sides[0], sides[1], related)
    notes = [Count("", "toy", "", number, note) for note, number in counts]
    PairSet(vocabulary, frequencies, DOCUMENTS, splits, [Count("test", "toy", True, 3), *notes]).save(folder)
    return folder


def word_vectors(folder, seed=1, noise=1.0, missing=()):
    """Save a model in which words of the same topic have similar vectors, and return its folder."""
    rng = np.random.default_rng(seed)
    words = [f"t{i % TOPICS}x{i}" for i in range(CONTENT)] + [f"f{i}" for i in range(FUNCTION)]
    topics = rng.standard_normal((TOPICS, DIMENSION))
    centres = [topics[i % TOPICS] for i in range(CONTENT)] + [np.zeros(DIMENSION)] * FUNCTION
    vectors = (np.array(centres) + noise * rng.standard_normal((len(words), DIMENSION))).astype(np.float32)
    kept = [row for row, word in enumerate(words) if word not in missing]
    folder.mkdir(parents=True)
    meta = {"family": "random_vectors"}
    AveragingEncoder(vectors[kept], [words[row] for row in kept], "whitespace", meta=meta).save(folder)
    return folder


def small_lexicon(rng, words=30, dimension=5):
    """Return a lexicon of random vectors in which the rank of a word is its row."""
    vectors = np.zeros((words + 1, dimension), dtype=np.float32)
    vectors[:-1] = rng.standard_normal((words, dimension))
    idf = np.append(np.sort(rng.random(words) * 5)[::-1], 0.0)
    return Lexicon(vectors, idf, np.arange(words, dtype=np.int32))


def random_pairs(lexicon, rng, n, longest, shortest=1):
    """Return pairs of random texts as ranks; a random half of the pairs is related."""
    sides = []
    for _ in range(2):
        rows = rng.integers(0, lexicon.nothing, (n, longest)).astype(np.int32)
        rows[np.arange(longest) >= rng.integers(shortest, longest + 1, n)[:, None]] = -1
        sides.append(rows)
    related = rng.permutation(np.arange(n) % 2 == 0)
    return lexicon.rank(Pairs(sides[0], sides[1], related))


def slow_interpolation(weights, n):
    """Interpolate weights as in section 3.3 of the paper, one word at a time."""
    m = len(weights)
    result = []
    for j in range(n):
        place = j * (m - 1) / (n - 1) if n > 1 else 0.0
        low, high = math.floor(place + 1e-12), math.ceil(place - 1e-12)
        rise = (weights[high] - weights[low]) * (place - low) / (high - low + 1e-5)
        result.append(weights[low] + rise)
    return np.array(result)


def words_of(lexicon, ranks):
    """Return the ranks of the words of one text, without the padding."""
    return [int(rank) for rank in ranks if rank < lexicon.nothing]


def build_world(folder):
    """Write pairs of 4 to 10 words, word vectors and two trained models to a folder, and return the folder."""
    write_pairs_folder(folder / "pairs", words=(4, 10))
    word_vectors(folder / "vectors")
    for loss in ("contrastive", "median"):
        values = {"loss": loss, "maximum_words": 10, "variable_length": True}
        train_weights(folder, folder / loss, **values, maximum_updates=1500, minimum_epoch_updates=100)
    return folder


def train_weights(world, out, **values):
    """Train weights on the pairs in a folder and save the model."""
    parameters = parse_parameters("weighted_aggregation", values, "models.w.parameters")
    run = Run(seed=1, inputs={"pairs": world / "pairs", "embeddings": world / "vectors"})
    encoder = weighted_aggregation.train(make_store([[0]]), parameters, run)
    assert run.history
    assert set(run.history[0]) >= {"examples", "epoch", "loss", "learning_rate", "examples_per_second"}
    encoder.meta = {"family": "weighted_aggregation"}
    out.mkdir()
    encoder.save(out)
    return encoder
