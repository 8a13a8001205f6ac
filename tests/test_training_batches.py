"""Test training batches: which sentences they contain, which tokens are read, and learning rates."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_store import make_store, random_store
from sentrep.errors import SentrepError
from sentrep.training.batches import Sampler, TokenReader, filled_sentences, find_centres
from sentrep.training.schedule import constant, evenly_spaced, linear_decay


def tokens_of(chunk):
    """Return the tokens of each sentence of a chunk as lists: [batch][example][slot]."""
    n, batch, slots = chunk.starts.shape
    return [
        [
            [chunk.tokens[chunk.starts[b, e, s] :][: chunk.lengths[b, e, s]].tolist() for s in range(slots)]
            for e in range(batch)
        ]
        for b in range(n)
    ]


# --- learning rate ----------------------------------------------------------------------------------------


@pytest.mark.parametrize(("epochs", "horizon_epochs"), [(1, 1), (1, 5), (3, 3), (3, 2)])
def test_schedule_is_the_released_loop(epochs, horizon_epochs):
    per_epoch, initial = 37, 0.3
    expected, rate, done = [], initial, 0
    for _ in range(epochs):
        for _ in range(per_epoch):
            expected.append(rate)
            done += 1  # the rate changes after every batch
            rate = initial * max(0.0001, 1 - done / (per_epoch * horizon_epochs))
    whole = linear_decay(0, epochs * per_epoch, initial, per_epoch * horizon_epochs)
    np.testing.assert_allclose(whole, expected, rtol=1e-13)
    assert (linear_decay(20, 9, initial, per_epoch * horizon_epochs) == whole[20:29]).all()


def test_constant_rate():
    assert constant(3, 0.5).tolist() == [0.5] * 3


@pytest.mark.parametrize(("n", "points"), [(8, 8), (740_042, 8), (10, 3), (5, 0)])
def test_evenly_spaced(n, points):
    marks = evenly_spaced(n, points)
    assert len(marks) == points
    assert all(abs(batches - k * n / points) < 1 for batches, k in marks.items())
    assert points == 0 or marks[n] == points


# --- examples ---------------------------------------------------------------------------------------------

corpora = st.lists(
    st.lists(st.integers(0, 3), max_size=12),  # documents are lists of sentence lengths; 0 stands for an empty sentence
    min_size=1,
    max_size=6,
)


def store_of(documents):
    lengths = [length for document in documents for length in document]
    return make_store([[1] * length for length in lengths], 2, [len(document) for document in documents])


@settings(max_examples=150, deadline=None)
@given(corpora, st.sampled_from(["respect", "ignore"]), st.integers(1, 3))
def test_centres_are_all_sentences_with_neighbours_on_both_sides(documents, boundaries, context):
    store = store_of(documents)
    if boundaries == "ignore":
        documents = [[length for document in documents for length in document]]
    expected, first = [], 0
    for document in documents:
        for i in range(context, len(document) - context):
            expected += [first + i] if min(document[i - context : i + context + 1]) > 0 else []
        first += len(document)
    found = find_centres(filled_sentences(store), store.document_offsets, boundaries, context)
    assert found.tolist() == expected
    assert found.dtype == np.uint32


@settings(max_examples=100, deadline=None)
@given(
    corpora,
    st.sampled_from(["respect", "ignore"]),
    st.integers(1, 4),
    st.integers(1, 3),
    st.booleans(),
    st.integers(1, 3),
)
def test_every_centre_once_and_negatives_as_asked(documents, boundaries, batch_size, negatives, exclude, context):
    store = store_of(documents)
    try:
        sampler = Sampler(store, batch_size, negatives, 5, boundaries, exclude, context)
    except SentrepError as error:
        assert "corpus: expected" in str(error)
        return
    n = sampler.batches_per_epoch
    assert n == len(sampler.centres) // batch_size
    for epoch in range(2):
        sentences = sampler.sentences(epoch, 0, n)
        assert sentences.shape == (n, batch_size, 1 + 2 * context + negatives)
        centres = sentences[..., 0]
        assert len(np.unique(centres)) == centres.size
        assert np.isin(centres, sampler.centres).all()
        neighbours = [*range(-context, 0), *range(1, context + 1)]
        assert (sentences[..., 1 : 1 + 2 * context] - centres[..., None] == neighbours).all()
        assert filled_sentences(store)[sentences].all()
        if exclude:
            assert (np.abs(sentences[..., 1 + 2 * context :] - centres[..., None]) > context).all()


def test_examples_do_not_depend_on_chunks_but_on_seed_and_epoch():
    store = random_store(0, 200, 50)
    first, second, other = Sampler(store, 7, 2, 1), Sampler(store, 7, 2, 1), Sampler(store, 7, 2, 2)
    whole = first.sentences(0, 0, 20)
    pieces = [second.sentences(0, start, 5) for start in (0, 5, 10, 15)]
    assert (np.concatenate(pieces) == whole).all()
    assert not (other.sentences(0, 0, 20) == whole).all(axis=-1).any()
    later = first.sentences(1, 0, 20)
    assert (later[..., 0] != whole[..., 0]).any()
    assert (later[..., 3:] != whole[..., 3:]).any()
    assert (first.sentences(0, 0, 20) == whole).all()


def test_negatives_are_uniform():
    with_words = {10, 11, 12, *range(1, 8, 2), *range(15, 40, 2)}  # only sentence 11 has two neighbours
    sentences = [[1] if i in with_words else [] for i in range(40)]
    store = make_store(sentences)
    sampler = Sampler(store, 1, 20_000, 0, exclude_neighbours=False)
    counts = np.bincount(sampler.sentences(0, 0, 1)[0, 0, 3:], minlength=40)
    filled = filled_sentences(store)
    assert (counts[~filled] == 0).all()
    mean = 20_000 / filled.sum()
    assert (np.abs(counts[filled] - mean) < 5 * np.sqrt(mean)).all()  # five standard deviations
    assert (counts[10:13] > 0).all()  # the centre and its neighbours, if they are not excluded
    excluded = Sampler(store, 1, 20_000, 0).sentences(0, 0, 1)[0, 0, 3:]
    assert not np.isin(excluded, [10, 11, 12]).any()


def test_boundaries():
    store = make_store([[1]] * 6, documents=[3, 3])
    assert find_centres(filled_sentences(store), store.document_offsets, "respect").tolist() == [1, 4]
    assert find_centres(filled_sentences(store), store.document_offsets, "ignore").tolist() == [1, 2, 3, 4]


# --- tokens -----------------------------------------------------------------------------------------------


def test_long_sentences_are_cut():
    store = make_store([list(range(10)), [3], list(range(60))])
    chunk = TokenReader(store, 50, "clean", 32).read(np.array([[[0, 1, 2]]]))
    assert tokens_of(chunk) == [[[list(range(10)), [3], list(range(50))]]]
    assert np.shares_memory(chunk.tokens, store.ids)  # no tokens are copied


@pytest.mark.parametrize("vocabulary", [300, 200_000])
@pytest.mark.parametrize("padding", ["clean", "stale"])
@pytest.mark.parametrize("bits", [32, 16])
def test_tokens_are_those_of_the_released_arrays(vocabulary, padding, bits):
    store = random_store(7, 120, vocabulary, longest=9)
    sampler, reader = Sampler(store, 6, 2, 0), TokenReader(store, 7, padding, bits)
    for epoch in range(2):
        reader.start_epoch()
        rows = [[[0] * 7 for _ in range(5)] for _ in range(6)]  # the arrays are zeroed once per epoch, not per batch
        for first, n in ((0, 4), (4, 1), (5, 9)):
            sentences = sampler.sentences(epoch, first, n)
            read = tokens_of(reader.read(sentences))
            for b in range(n):
                if padding == "clean":
                    rows = [[[0] * 7 for _ in range(5)] for _ in range(6)]
                for e in range(6):
                    for s in range(5):
                        begin, end = store.sentence_offsets[sentences[b, e, s] :][:2]
                        for place, word in enumerate(store.ids[begin:end][:7].tolist()):
                            rows[e][s][place] = (word + 1) % 2**bits
                        assert read[b][e][s] == [x - 1 for x in rows[e][s] if x != 0]


def test_wrapped_ids():
    store = make_store([[0, 65_535, 65_536, 131_071, 131_072, 65_540]])
    sentence = np.zeros((1, 1, 1), dtype=np.int64)
    assert tokens_of(TokenReader(store, 50, "clean", 16).read(sentence)) == [[[[0, 0, 0, 4]]]]
    assert tokens_of(TokenReader(store, 50, "clean", 32).read(sentence)) == [[[store.ids.tolist()]]]


@pytest.mark.parametrize("padding", ["unigram", "uniform", "most_frequent"])
def test_fillers_of_unused_slots(padding):
    """Each sentence keeps its tokens and is filled up to max_tokens, with the same tokens whenever it is read."""
    vocabulary, size = 40, 30
    store = random_store(3, 400, vocabulary, longest=9)
    sentences = Sampler(store, 20, 2, 0).sentences(0, 0, 6)
    read = tokens_of(TokenReader(store, size, padding, 32).read(sentences))
    assert read == tokens_of(TokenReader(store, size, padding, 32).read(sentences[:3])) + tokens_of(
        TokenReader(store, size, padding, 32).read(sentences[3:])
    )
    fillers = []
    for place in np.ndindex(sentences.shape):
        begin, end = store.sentence_offsets[sentences[place] :][:2]
        tokens = read[place[0]][place[1]][place[2]]
        assert len(tokens) == size
        assert tokens[: end - begin] == store.ids[begin:end].tolist()
        fillers += tokens[end - begin :]
    shares = np.bincount(fillers, minlength=vocabulary) / len(fillers)
    expected = {
        "unigram": np.bincount(store.ids, minlength=vocabulary) / len(store.ids),
        "uniform": np.full(vocabulary, 1 / vocabulary),
        "most_frequent": np.eye(vocabulary)[0],
    }[padding]
    # 600 sentences, of which about 400 are distinct: about 10,000 independent draws
    assert np.abs(shares - expected).max() < 5 * np.sqrt(expected.max() / 10_000)
