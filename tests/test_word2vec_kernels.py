"""Compare compiled word2vec with the same algorithm in plain Python, and test its checkpoints."""

import math
from functools import partial

import numpy as np
import pytest

from helpers_store import random_store
from helpers_training import Cut, DeathError
from helpers_word2vec import ARCHITECTURES
from sentrep.families.word2vec import Parameters, train
from sentrep.training.checkpoints import Checkpoints
from sentrep.training.fastsent.huffman import noise_words
from sentrep.training.run import Run
from sentrep.training.word2vec.cpu import Word2VecLearner
from sentrep.training.word2vec.subsampling import keep_probabilities

MASK = 2**64 - 1


class Draws:
    """SplitMix64, and noise words by the alias method, with Python's integers."""

    def __init__(self, seed, step, noise):
        self.state = int(np.random.SeedSequence([seed, 1, step]).generate_state(1, np.uint64)[0])
        self.noise = noise

    def bits(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self):
        return (self.bits() >> 11) / 2**53

    def word(self):
        bits = self.bits()
        word = ((bits >> 32) * len(self.noise.keep)) >> 32
        return word if (bits & 0xFFFFFFFF) / 2**32 < self.noise.keep[word] else int(self.noise.others[word])


def predict(h, outputs, rows, rate):
    """Update the rows, and return the error of h and the loss."""
    scores = [float(outputs[row] @ h) for row in rows]
    error, loss = np.zeros_like(h), 0.0
    for p, row in enumerate(rows):
        if p and row == rows[0]:
            continue
        sign = -1 if p else 1
        probability = 1 / (1 + math.exp(-sign * scores[p]))
        loss -= math.log(probability)
        step = rate * sign * (1 - probability)
        error += step * outputs[row]
        outputs[row] += step * h
    return error, loss


def plain_step(store, parameters, vectors, outputs, sentences, draws_of, rate):
    """Train on some sentences, and return the sum of the losses and the number of predictions."""
    counts = np.maximum(store.counts, 1)
    keep, noise = keep_probabilities(counts, parameters.sample), noise_words(counts, parameters.ns_exponent)
    draws, total, predictions = draws_of(noise), 0.0, 0
    for s in sentences:
        ids = store.ids[slice(*store.sentence_offsets[s : s + 2])].tolist()
        words = [i for i in ids if keep[i] >= 1 or draws.uniform() < keep[i]]
        for centre, word in enumerate(words):
            radius = 1 + int(draws.uniform() * parameters.window)
            around = [t for t in range(max(centre - radius, 0), min(centre + radius + 1, len(words))) if t != centre]
            if not around:
                continue
            pairs = len(around) if parameters.architecture == "skipgram" else 1
            noise_of = [[draws.word() for _ in range(parameters.negatives)] for _ in range(pairs)]
            if parameters.architecture == "skipgram":
                for t, others in zip(around, noise_of, strict=True):
                    error, loss = predict(vectors[words[t]], outputs, [word, *others], rate)
                    vectors[words[t]] += error
                    total += loss
            else:
                mean = np.mean([vectors[words[t]] for t in around], axis=0)
                error, loss = predict(mean, outputs, [word, *noise_of[0]], rate)
                for t in around:
                    vectors[words[t]] += error
                total += loss
            predictions += pairs
    return total, predictions


@pytest.mark.parametrize("architecture", ARCHITECTURES)
@pytest.mark.parametrize(("vocabulary", "sample"), [(4, 0.0), (30, 0.05), (400, 0.01)])
def test_training_is_that_of_plain_python(architecture, vocabulary, sample):
    store = random_store(1, 70, vocabulary)  # there are four words, so that noise words repeat and equal the true word
    parameters = Parameters(architecture, dimension=19, window=3, sample=sample, negatives=4)
    initial = np.random.default_rng(0).normal(0, 0.3, (store.vocabulary_size, 19))
    learner = Word2VecLearner(store, initial, parameters, seed=5)
    vectors, outputs = initial.copy(), np.zeros_like(initial)
    rates = np.linspace(0.2, 0.1, learner.steps_per_epoch + 3)  # some steps after the first epoch
    found = learner.advance(0, rates)
    for step, rate in enumerate(rates):
        begin = step % learner.steps_per_epoch * learner.block
        sentences = range(begin, min(begin + learner.block, store.n_sentences))
        draws_of = partial(Draws, 5, step)
        loss, predictions = plain_step(store, parameters, vectors, outputs, sentences, draws_of, rate)
        assert found[step] == pytest.approx(loss / max(predictions, 1), rel=1e-9)
    np.testing.assert_allclose(learner.vectors(), vectors, atol=1e-10)
    np.testing.assert_allclose(learner.outputs(), outputs, atol=1e-10)


def test_float32_stays_close_to_float64():
    store, parameters = random_store(2, 300, 50), Parameters("skipgram", dimension=20, sample=0.0)
    initial = np.random.default_rng(0).normal(0, 0.1, (store.vocabulary_size, 20))
    exact, single = (Word2VecLearner(store, initial.astype(kind), parameters, 1) for kind in (np.float64, np.float32))
    for learner in (exact, single):
        learner.advance(0, np.full(learner.steps_per_epoch, 0.05))
    np.testing.assert_allclose(single.vectors(), exact.vectors(), atol=1e-4)


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_an_interrupted_training_continues_bit_by_bit(tmp_path, architecture):
    store, parameters = random_store(3, 200, 40), Parameters(architecture, dimension=8, sample=0.01, epochs=2)
    whole = train(store, parameters, Run(4))
    with pytest.raises(DeathError):
        train(store, parameters, Run(4, checkpoints=Cut(tmp_path / "c", steps=7)))
    run = Run(4, checkpoints=Checkpoints(tmp_path / "c", 0))
    np.testing.assert_array_equal(train(store, parameters, run).embeddings, whole.embeddings)
    assert run.resumed_at == [7]
