"""Test the parts of word2vec in torch: sampling, windows, noise words, chunks and the gradient of a batch."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from torch.nn.functional import logsigmoid

from helpers_word2vec import ARCHITECTURES, SMALL, store_of
from sentrep.training.word2vec.gpu import (
    NoiseWords,
    Windows,
    batches,
    cbow_batch,
    chunks,
    keep_probabilities,
    skipgram_batch,
    windows,
)


def generator(seed=0):
    return torch.Generator().manual_seed(seed)


def test_keep_probabilities_are_the_original_tools():
    counts = np.array([1_000_000, 5000, 300, 2, 1])
    for sample in (1e-3, 1e-5):
        expected = []
        for count in counts.tolist():
            threshold = sample * counts.sum()  # as in word2vec.c
            expected.append(min((np.sqrt(count / threshold) + 1) * threshold / count, 1.0))
        np.testing.assert_allclose(keep_probabilities(counts, sample), expected)
    assert keep_probabilities(counts, 0).tolist() == [1] * 5


def test_words_are_kept_as_often_as_they_should():
    words = torch.zeros(20_000, dtype=torch.int64)
    words[::2] = 1
    keep = torch.tensor([0.3, 0.9])
    found = windows(words, torch.zeros_like(words), keep, 1, generator()).centres.bincount() / 10_000
    np.testing.assert_allclose(found, keep, atol=0.02)


@settings(deadline=None)
@given(
    lengths=st.lists(st.integers(0, 12), max_size=8),
    radius=st.integers(1, 6),
    keep=st.floats(0, 1),
    seed=st.integers(0, 99),
)
def test_windows_are_symmetric_bounded_and_within_sentences(lengths, radius, keep, seed):
    sentences = np.repeat(np.arange(len(lengths)), lengths)
    n = len(sentences)  # all words are different, so ids are positions
    found = windows(torch.arange(n), torch.from_numpy(sentences), torch.full((n,), keep), radius, generator(seed))
    # A kept word that is alone in its sentence is neither a centre nor a context word.
    kept = sorted({*found.centres.tolist(), *found.contexts.tolist()})
    assert sorted(found.centres.tolist()) == kept
    place = {word: i for i, word in enumerate(kept)}
    starts = found.starts.tolist()
    for i, centre in enumerate(found.centres.tolist()):
        contexts = found.contexts[starts[i] : starts[i + 1]].tolist()
        assert found.owners[starts[i] : starts[i + 1]].tolist() == [i] * len(contexts)
        candidates = []
        for r in range(1, radius + 1):
            around = kept[max(place[centre] - r, 0) : place[centre] + r + 1]
            candidates.append([w for w in around if w != centre and sentences[w] == sentences[centre]])
        assert contexts in candidates
        assert contexts
    if keep == 1:
        assert len(kept) == sum(length for length in lengths if length > 1)


def test_radii_are_uniform():
    n = 30_000
    words = torch.arange(n)
    found = windows(words, torch.zeros_like(words), torch.ones(n), 5, generator())
    inner = (found.centres >= 5) & (found.centres < n - 5)
    radii = found.starts.diff()[inner] // 2
    np.testing.assert_allclose(radii.bincount(minlength=6) / len(radii), [0, *[0.2] * 5], atol=0.01)


def test_noise_follows_counts():
    counts = np.array([1000, 100, 10, 1])
    drawn = NoiseWords(counts, 0.75, generator()).draw(50_000, 4)
    assert drawn.shape == (50_000, 4)
    expected = counts**0.75 / (counts**0.75).sum()
    np.testing.assert_allclose(drawn.flatten().bincount(minlength=4) / 200_000, expected, atol=0.003)
    assert not NoiseWords(counts[:1], 0.75, generator()).draw(3, 2).any()


@pytest.mark.parametrize("chunk_words", [1, 4, 7, 10**6])
def test_chunks_hold_every_sentence_once(chunk_words):
    store = store_of(SMALL)
    parts = list(chunks(store, chunk_words))
    np.testing.assert_array_equal(np.concatenate([ids for ids, _ in parts]), store.ids)
    numbers = np.repeat(np.arange(store.n_sentences), np.diff(store.sentence_offsets))
    np.testing.assert_array_equal(np.concatenate([sentences for _, sentences in parts]), numbers)
    for ids, sentences in parts:
        assert len(ids) <= chunk_words or len(set(sentences)) == 1


def test_batches_are_the_chunk_in_pieces():
    words = torch.arange(100)
    chunk = windows(words, words // 10, torch.full((100,), 0.8), 3, generator())
    pieces = list(batches(chunk, 16))
    shares, parts = zip(*pieces, strict=True)
    assert shares[0] == 0
    assert list(shares) == sorted(shares)
    for name in ("centres", "contexts"):
        assert torch.equal(torch.cat([getattr(part, name) for part in parts]), getattr(chunk, name))
    assert torch.equal(torch.cat([part.starts.diff() for part in parts]), chunk.starts.diff())
    assert torch.equal(torch.cat([part.centres[part.owners] for part in parts]), chunk.centres[chunk.owners])


class FixedNoise:
    def __init__(self, words):
        self.words = words

    def draw(self, rows, columns):
        assert self.words.shape == (rows, columns)
        return self.words


def negative_sampling_loss(hidden, true, noise, outputs):
    """Write the loss as in the paper; noise words that equal the true word are omitted."""
    loss = -logsigmoid((hidden * outputs[true]).sum(1)).sum()
    scores = torch.einsum("bd,bkd->bk", hidden, outputs[noise])
    return loss - (logsigmoid(-scores) * (noise != true[:, None])).sum()


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_one_batch_is_the_autograd_gradient(architecture):
    # there are few words, so that rows repeat and noise words equal true words
    words = torch.randint(0, 6, (40,), generator=generator(3))
    batch = windows(words, torch.arange(40) // 8, torch.ones(6), 3, generator(4))
    rows = len(batch.contexts) if architecture == "skipgram" else len(batch.centres)
    noise = torch.randint(0, 6, (rows, 5), generator=generator(5))
    inputs, outputs = torch.randn(2, 6, 7, dtype=torch.float64, generator=generator(6))

    occurrences = inputs[batch.contexts].requires_grad_()
    free_outputs = outputs.clone().requires_grad_()
    sizes = batch.starts.diff()
    if architecture == "skipgram":
        loss = negative_sampling_loss(occurrences, batch.centres[batch.owners], noise, free_outputs)
    else:
        means = torch.zeros(len(sizes), 7, dtype=torch.float64).index_add(0, batch.owners, occurrences)
        loss = negative_sampling_loss(means / sizes[:, None], batch.centres, noise, free_outputs)
    loss.backward()
    step = occurrences.grad
    if architecture == "cbow":  # the error of the mean is not divided by the number of contexts
        step = step * sizes[batch.owners][:, None]
    expected_inputs = inputs.index_add(0, batch.contexts, step, alpha=-0.1)
    expected_outputs = outputs - 0.1 * free_outputs.grad

    update = {"skipgram": skipgram_batch, "cbow": cbow_batch}[architecture]
    found_loss, predictions = update(inputs, outputs, batch, FixedNoise(noise), 5, 0.1)
    assert predictions == rows
    assert torch.allclose(found_loss, loss)
    assert torch.allclose(inputs, expected_inputs, atol=1e-12)
    assert torch.allclose(outputs, expected_outputs, atol=1e-12)


def test_skipgram_predicts_the_centre_from_the_context():
    batch = Windows(torch.tensor([2]), torch.tensor([0, 1]), torch.tensor([0, 0]), torch.tensor([0, 2]))
    inputs, outputs = torch.ones(3, 4), torch.zeros(3, 4)
    skipgram_batch(inputs, outputs, batch, FixedNoise(torch.tensor([[2], [2]])), 1, 0.5)
    # only the row of the centre is updated, because the noise word equals it
    assert outputs.any(dim=1).tolist() == [False, False, True]
