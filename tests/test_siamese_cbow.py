"""Siamese CBOW: examples, schedule, switches of the released code, and the family as a whole."""

import dataclasses
import json

import numpy as np
import pytest
from helpers_store import make_store, random_store
from hypothesis import given, settings
from hypothesis import strategies as st
from sentrep.errors import SentrepError
from sentrep.families import Run, load_encoder, parse_parameters
from sentrep.families.random_vectors import initial_embeddings
from sentrep.families.siamese_cbow import Parameters, train
from sentrep.store import TokenStore
from sentrep.training.batches import Sampler, TokenReader, filled_sentences, find_centres
from sentrep.training.schedule import constant, evenly_spaced, linear_decay

SMALL = Parameters(dimension=8, batch_size=5, learning_rate=0.05)


def small(**changes):
    return dataclasses.replace(SMALL, **changes)


def tokens_of(chunk):
    """Return the tokens of each sentence of a chunk, as lists: [batch][example][slot]."""
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
            done += 1  # the rate is changed after every batch
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


def test_total_learning_rate_is_the_paper_s():
    assert Parameters(learning_rate_total=74.0042).initial_rate(740_042) == pytest.approx(1e-4)
    assert Parameters().initial_rate(5) == 1e-4
    assert Parameters(optimiser="adadelta").initial_rate(5) == 1.0


# --- examples ---------------------------------------------------------------------------------------------

corpora = st.lists(
    st.lists(st.integers(0, 3), max_size=12),  # documents: lists of sentence lengths, 0 for an empty sentence
    min_size=1,
    max_size=6,
)


def store_of(documents):
    lengths = [length for document in documents for length in document]
    return make_store([[1] * length for length in lengths], 2, [len(document) for document in documents])


@settings(max_examples=150, deadline=None)
@given(corpora, st.sampled_from(["respect", "ignore"]))
def test_centres_are_all_sentences_with_two_neighbours(documents, boundaries):
    store = store_of(documents)
    if boundaries == "ignore":
        documents = [[length for document in documents for length in document]]
    expected, first = [], 0
    for document in documents:
        for i in range(1, len(document) - 1):
            if min(document[i - 1 : i + 2]) > 0:
                expected.append(first + i)
        first += len(document)
    found = find_centres(filled_sentences(store), store.document_offsets, boundaries)
    assert found.tolist() == expected
    assert found.dtype == np.uint32


@settings(max_examples=100, deadline=None)
@given(corpora, st.sampled_from(["respect", "ignore"]), st.integers(1, 4), st.integers(1, 3), st.booleans())
def test_every_centre_once_and_negatives_as_asked(documents, boundaries, batch_size, negatives, exclude):
    store = store_of(documents)
    try:
        sampler = Sampler(store, batch_size, negatives, 5, boundaries, exclude)
    except SentrepError as error:
        assert "corpus: expected" in str(error)
        return
    n = sampler.batches_per_epoch
    assert n == len(sampler.centres) // batch_size
    for epoch in range(2):
        sentences = sampler.sentences(epoch, 0, n)
        assert sentences.shape == (n, batch_size, 3 + negatives)
        centres = sentences[..., 0]
        assert len(np.unique(centres)) == centres.size
        assert np.isin(centres, sampler.centres).all()
        assert (sentences[..., 1] == centres - 1).all()
        assert (sentences[..., 2] == centres + 1).all()
        assert filled_sentences(store)[sentences].all()
        if exclude:
            assert (np.abs(sentences[..., 3:] - centres[..., None]) > 1).all()


def test_examples_do_not_depend_on_chunks_but_on_seed_and_epoch():
    store = random_store(0, 200, 50)
    first, second, other = Sampler(store, 7, 2, 1), Sampler(store, 7, 2, 1), Sampler(store, 7, 2, 2)
    whole = first.sentences(0, 0, 20)
    pieces = [second.sentences(0, start, 5) for start in (0, 5, 10, 15)]
    assert (np.concatenate(pieces) == whole).all()
    assert not (other.sentences(0, 0, 20) == whole).all(axis=-1).any()
    later = first.sentences(1, 0, 20)
    assert (later[..., 0] != whole[..., 0]).any() and (later[..., 3:] != whole[..., 3:]).any()
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
    assert (counts[10:13] > 0).all()  # the centre and its neighbours, unless they are excluded
    excluded = Sampler(store, 1, 20_000, 0).sentences(0, 0, 1)[0, 0, 3:]
    assert not np.isin(excluded, [10, 11, 12]).any()


def test_boundaries():
    store = make_store([[1]] * 6, documents=[3, 3])
    assert find_centres(filled_sentences(store), store.document_offsets, "respect").tolist() == [1, 4]
    assert find_centres(filled_sentences(store), store.document_offsets, "ignore").tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("sentences", "changes", "found"),
    [
        ([[0]] * 6, {}, "4 of 6 sentences"),  # four centres do not fill a batch of five
        ([[]] * 50, {}, "0 of 50 sentences"),
        ([], {}, "0 of 0 sentences"),
        ([[0]] * 3, {"batch_size": 1}, "3 sentences"),  # no sentence is left as a negative
        ([[0]] * 20, {"snapshots_per_epoch": 8}, "found 3"),
    ],
)
def test_too_little_text_is_one_line(sentences, changes, found):
    with pytest.raises(SentrepError, match=r"^corpus: expected .*") as error:
        train(make_store(sentences, 1), small(**changes), Run(0))
    assert found in str(error.value)


# --- tokens -----------------------------------------------------------------------------------------------


def test_long_sentences_are_cut():
    store = make_store([list(range(10)), [3], list(range(60))])
    chunk = TokenReader(store, 50, "clean", 32).read(np.array([[[0, 1, 2]]]))
    assert tokens_of(chunk) == [[[list(range(10)), [3], list(range(50))]]]
    assert np.shares_memory(chunk.tokens, store.ids)  # nothing is copied


def test_a_store_on_disk_trains_like_one_in_memory(tmp_path):
    store = random_store(0, 100, 40)
    for name in ("ids", "sentence_offsets", "document_offsets"):
        np.save(tmp_path / f"{name}.npy", getattr(store, name))
    lines = (f"{word}\t{count}\n" for word, count in zip(store.vocabulary, store.counts, strict=True))
    (tmp_path / "vocabulary.tsv").write_text("".join(lines))
    (tmp_path / "meta.json").write_text(json.dumps(store.meta))
    for backend in ("numba", "torch"):
        opened, given = (
            train(each, small(backend=backend), Run(0)) for each in (TokenStore.open(tmp_path), store)
        )
        assert (opened.embeddings == given.embeddings).all()


@pytest.mark.parametrize("vocabulary", [300, 200_000])
@pytest.mark.parametrize("padding", ["clean", "stale"])
@pytest.mark.parametrize("bits", [32, 16])
def test_tokens_are_those_of_the_released_arrays(vocabulary, padding, bits):
    store = random_store(7, 120, vocabulary, longest=9)
    sampler, reader = Sampler(store, 6, 2, 0), TokenReader(store, 7, padding, bits)
    for epoch in range(2):
        reader.start_epoch()
        rows = [[[0] * 7 for _ in range(5)] for _ in range(6)]  # zeroed once per epoch, not per batch
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


# --- the family -------------------------------------------------------------------------------------------


def topical_store(n_documents=60):
    """Build documents whose sentences share a topic's words, so that neighbours can be told from others."""
    rng = np.random.default_rng(0)
    sentences = [
        (10 * (document % 6) + rng.integers(0, 10, 4)).tolist()
        for document in range(n_documents)
        for _ in range(8)
    ]
    return make_store(sentences, 60, [8] * n_documents)


@pytest.mark.parametrize("backend", ["numba", "torch"])
@pytest.mark.parametrize(
    "changes", [{"learning_rate": 0.5}, {"learning_rate": None, "optimiser": "adadelta"}]
)
def test_loss_goes_down(backend, changes):
    run = Run(1)
    train(topical_store(), small(backend=backend, epochs=12, dimension=16, **changes), run)
    losses = [row["loss"] for row in run.history]
    assert np.mean(losses[-10:]) < np.mean(losses[:10]) - 0.05


def test_learning_brings_a_topic_s_words_together():
    store = topical_store()
    encoder = train(store, small(epochs=20, dimension=16, learning_rate=0.5), Run(1))
    W = encoder.embeddings / np.linalg.norm(encoder.embeddings, axis=1, keepdims=True)
    cosines, topic = W @ W.T, np.arange(60) // 10
    same = topic[:, None] == topic
    assert cosines[same].mean() > cosines[~same].mean() + 0.5


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"padding": "stale", "index_bits": 16},
        {"document_boundaries": "ignore", "exclude_neighbours": False, "negatives": 5},
        {"learning_rate": None, "learning_rate_total": 4.0, "lr_horizon_epochs": 5, "epochs": 2},
        {"learning_rate": None, "optimiser": "adadelta"},
    ],
)
def test_backends_train_the_same_model(changes):
    store = random_store(3, 400, 66_000)
    ours, theirs = (train(store, small(backend=name, **changes), Run(2)) for name in ("numba", "torch"))
    start = initial_embeddings(66_000, 8, 0.01, 2)
    assert np.abs(ours.embeddings - start).max() > 1e-3
    np.testing.assert_allclose(ours.embeddings, theirs.embeddings, atol=1e-5)


def test_same_seed_same_bits_whatever_the_threads_and_snapshots():
    store = random_store(3, 400, 200)
    runs = [Run(2), Run(2, threads=2), Run(3)]
    first, again, other = (
        train(store, small(snapshots_per_epoch=k), run).embeddings
        for k, run in zip((0, 7, 0), runs, strict=True)
    )
    assert (first == again).all()
    assert not (first == other).any()


def test_only_trained_words_move():
    store = random_store(3, 100, 200)
    encoder = train(store, SMALL, Run(2))
    moved = (encoder.embeddings != initial_embeddings(200, 8, 0.01, 2)).any(axis=1)
    assert moved.any()
    assert not moved[store.counts == 0].any()


def test_words_beyond_16_bits_are_never_trained_when_ids_wrap():
    store = random_store(3, 300, 100_000)
    encoder = train(store, small(index_bits=16), Run(2))
    moved = (encoder.embeddings != initial_embeddings(100_000, 8, 0.01, 2)).any(axis=1)
    assert moved[:65_535].any()
    assert not moved[65_535:].any()


@pytest.mark.parametrize("epochs", [1, 2])
def test_snapshots(epochs):
    taken = []
    run = Run(0, snapshot=lambda done, encoder: taken.append((done, encoder)))
    encoder = train(random_store(0, 300, 90), small(epochs=epochs, snapshots_per_epoch=8), run)
    assert [done for done, _ in taken] == [k / 8 for k in range(1, 8 * epochs + 1)]
    assert (taken[-1][1].embeddings == encoder.embeddings).all()
    assert len({snapshot.embeddings.tobytes() for _, snapshot in taken}) == 8 * epochs


def test_a_snapshot_is_the_model_of_that_moment():
    store, taken = random_store(0, 300, 90), []
    parameters = small(lr_horizon_epochs=2, snapshots_per_epoch=1)
    one = train(store, parameters, Run(0))
    run = Run(0, snapshot=lambda done, encoder: taken.append(encoder))
    train(store, dataclasses.replace(parameters, epochs=2), run)
    assert (taken[0].embeddings == one.embeddings).all()


def test_history():
    run = Run(0)
    train(random_store(0, 523, 90), small(epochs=2), run)
    last = run.history[-1]
    assert set(last) == {"examples", "epoch", "loss", "learning_rate", "examples_per_second"}
    assert last["examples"] == 2 * 520  # 521 centres, 104 batches of 5
    assert last["epoch"] == 2
    examples = [row["examples"] for row in run.history]
    assert examples == sorted(set(examples))
    assert last["learning_rate"] == pytest.approx(0.05 * (1 - 207 / 208))


@pytest.mark.parametrize("backend", ["numba", "torch"])
def test_a_loss_that_is_not_finite_stops_with_one_line(backend):
    with pytest.raises(SentrepError, match=r"found nan in batch \d+; lower the learning rate$"):
        train(random_store(0, 300, 90), small(learning_rate=1e38, backend=backend), Run(0))


def test_the_encoder_can_be_saved(tmp_path):
    encoder = train(random_store(0, 100, 40), small(oov="random"), Run(0))
    encoder.meta["family"] = "siamese_cbow"
    encoder.save(tmp_path)
    loaded = load_encoder(tmp_path)
    assert (loaded.embeddings == encoder.embeddings).all()
    assert (loaded.oov, loaded.tokeniser_name, loaded.aggregation) == ("random", "whitespace", "mean")


@pytest.mark.parametrize(
    "values",
    [
        {"learning_rate": 0.1, "learning_rate_total": 1.0},
        {"learning_rate": 0.0},
        {"learning_rate": float("inf")},
        {"learning_rate_total": -1.0},
        {"sigma": 0.0},
        {"lr_horizon_epochs": 0},
        {"snapshots_per_epoch": -1},
        {"optimiser": "adadelta", "learning_rate_total": 74.0},
        {"optimiser": "adadelta", "lr_horizon_epochs": 5},
        *({name: 0} for name in ("dimension", "negatives", "batch_size", "epochs", "max_tokens")),
    ],
)
def test_bad_parameters(values):
    with pytest.raises(ValueError):
        Parameters(**values)
    with pytest.raises(SentrepError, match=r"^models\.x"):
        parse_parameters("siamese_cbow", values, "models.x")
