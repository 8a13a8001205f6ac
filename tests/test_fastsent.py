"""Test FastSent: the kernel against loops and finite differences, the Huffman tree, and the reproducibility of runs."""

import heapq
import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from helpers_store import make_store, random_store
from helpers_training import Cut, DeathError
from sentrep.errors import SentrepError
from sentrep.families import parse_parameters
from sentrep.families.fastsent import Parameters, train
from sentrep.training.checkpoints import Checkpoints
from sentrep.training.fastsent import kernels
from sentrep.training.fastsent.huffman import huffman_tree, noise_words
from sentrep.training.fastsent.learner import FastSentLearner
from sentrep.training.run import Run

MASK = (1 << 64) - 1


def ways(tree):
    """Return the path to each word as [(node, sign), ...]."""
    return [
        [(int(n), int(s)) for n, s in zip(tree.nodes[a:b], tree.signs[a:b], strict=True)]
        for a, b in itertools.pairwise(tree.starts)
    ]


def heap_cost(counts):
    """Return the sum of count x code length of an optimal code: each merge of two nodes adds their total count."""
    heap, cost = list(counts), 0
    heapq.heapify(heap)
    while len(heap) > 1:
        joined = heapq.heappop(heap) + heapq.heappop(heap)
        cost += joined
        heapq.heappush(heap, joined)
    return cost


@given(st.lists(st.integers(1, 10**6), min_size=2, max_size=60))
def test_the_tree_is_a_shortest_code(counts):
    tree = huffman_tree(np.array(counts))
    lengths = np.diff(tree.starts)
    assert sum(c * n for c, n in zip(counts, lengths.tolist(), strict=True)) == heap_cost(counts)
    codes = [tuple(way) for way in ways(tree)]
    assert len(set(codes)) == len(codes)
    assert sum(2.0 ** -len(code) for code in codes) == 1  # the code is complete and free of prefixes
    assert all(code[0][0] == len(counts) - 2 for code in codes)  # all codes start at one root
    assert {node for code in codes for node, _ in code} == set(range(len(counts) - 1))


def test_a_deep_tree_and_a_single_word():
    fibonacci = [1, 1]
    while len(fibonacci) < 40:
        fibonacci.append(sum(fibonacci[-2:]))
    assert np.diff(huffman_tree(np.array(fibonacci[::-1])).starts).max() == 39
    assert huffman_tree(np.array([5])).starts.tolist() == [0, 0]


@given(st.lists(st.integers(1, 10**6), min_size=1, max_size=60), st.sampled_from([0.0, 0.75, 1.0]))
def test_noise_words_have_their_probabilities(counts, exponent):
    noise = noise_words(np.array(counts), exponent)
    found = noise.keep.copy()
    np.add.at(found, noise.others, 1 - noise.keep)
    expected = np.array(counts, dtype=float) ** exponent
    np.testing.assert_allclose(found / len(counts), expected / expected.sum(), rtol=1e-9, atol=1e-12)


def sigmoid(x):
    return 1 / (1 + math.exp(-x))


class Draws:
    """SplitMix64 and the alias method with Python's integers."""

    def __init__(self, seed, step, noise):
        self.state = int(np.random.SeedSequence([seed, 1, step]).generate_state(1, np.uint64)[0])
        self.noise = noise

    def __call__(self):
        self.state = (self.state + 0x9E3779B97F4A7C15) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        z ^= z >> 31
        word = ((z >> 32) * len(self.noise.keep)) >> 32
        return word if (z & 0xFFFFFFFF) / 2**32 < self.noise.keep[word] else int(self.noise.others[word])


def released_epoch(store, U, V, rates, block, *, negatives, autoencode, divide, limit, gain, skip, seed=1):
    """Train for an epoch as in the released code, which sums the sentence again for each context word.

    In addition, the updates of sentences with a large gain are scaled down.
    """
    counts = np.maximum(store.counts, 1)
    paths, noise = ways(huffman_tree(counts)), noise_words(counts, 0.75)
    document = np.repeat(np.arange(store.n_documents), np.diff(store.document_offsets))
    for step, rate in enumerate(rates):
        draw = Draws(seed, step, noise)
        end = min((step + 1) * block, store.n_sentences)
        for s in range(step * block, end):
            if not 0 < s < store.n_sentences - 1 or not document[s - 1] == document[s] == document[s + 1]:
                continue
            if skip and s in (step * block, end - 1):
                continue
            words = [store.ids[store.sentence_offsets[i] : store.sentence_offsets[i + 1]] for i in (s - 1, s, s + 1)]
            if len(words[1]) == 0:
                continue
            scale = min(1, gain / (np.unique(words[1], return_counts=True)[1] ** 2).sum())
            targets = np.concatenate(words if autoencode else [words[0], words[2]])
            for target in targets.tolist():
                h = U[words[1]].sum(axis=0)
                if negatives:
                    noisy = [draw() for _ in range(negatives)]
                    decisions = [(target, 1), *((word, -1) for word in noisy if word != target)]
                else:
                    decisions = paths[target]
                old, error = V.copy(), np.zeros(U.shape[1])
                for row, sign in decisions:
                    score = sign * float(h @ old[row])
                    if abs(score) < limit:
                        g = rate * sign * (1 - sigmoid(score))
                        error += g * old[row]
                        V[row] += g * h
                for word in words[1]:
                    U[word] += scale * error / (len(words[1]) if divide else 1)


@pytest.mark.parametrize("negatives", [0, 3])
@pytest.mark.parametrize(("autoencode", "divide"), [(False, True), (True, False), (True, True)])
@pytest.mark.parametrize(("gain", "skip"), [(math.inf, False), (math.inf, True), (6, False)])
def test_the_kernel_is_the_loop_as_released(negatives, autoencode, divide, gain, skip):
    lists = [list(map(int, s)) for s in np.array_split(random_store(3, 60, 12, 9).ids, 40)]
    lists[5] = lists[17] = []  # these sentences contain no known words
    lists[8] = [4, 4, 4, 1]  # one word occurs three times
    store = make_store(lists, 12, [3, 22, 1, 14])
    rng = np.random.default_rng(0)
    U = rng.normal(0, 0.3, (12, 7)).astype(np.float32)
    rates, limit = np.linspace(0.3, 0.1, 8), 1.2
    learner = FastSentLearner(
        *(store, U),
        **{"negatives": negatives, "autoencode": autoencode, "divide_error": divide, "largest_score": limit},
        largest_gain=gain,
        **{"block": 5, "edges": "skip" if skip else "train"},
    )
    learner.advance(0, rates)
    expected_U, expected_V = U.astype(np.float64), np.zeros((12, 7))
    options = {"negatives": negatives, "autoencode": autoencode, "divide": divide, "limit": limit, "gain": gain}
    released_epoch(store, expected_U, expected_V, rates, 5, skip=skip, **options)
    assert np.abs(expected_U - U).max() > 0.05  # training has a visible effect
    np.testing.assert_allclose(learner.source_vectors(), expected_U, atol=1e-5)
    np.testing.assert_allclose(learner.target_vectors(), expected_V, atol=1e-5)


def triple_loss(U, V, tree, sentences, autoencode):
    """Return -ln of the probability of the context words of one triple, for fixed vectors."""
    h, paths = U[sentences[1]].sum(axis=0), ways(tree)
    targets = itertools.chain(*(sentences if autoencode else sentences[::2]))
    return -sum(math.log(sigmoid(sign * h @ V[node])) for t in targets for node, sign in paths[t])


@pytest.mark.parametrize("autoencode", [False, True])
def test_a_small_step_is_the_finite_difference(autoencode):
    sentences = [[3, 1], [0, 2, 0, 5], [4, 1, 1]]
    store = make_store(sentences, 6)
    tree, rng = huffman_tree(np.maximum(store.counts, 1)), np.random.default_rng(1)
    U, V, rate, step = rng.normal(size=(6, 4)), rng.normal(size=(6, 4)), 1e-9, 1e-5
    learner = FastSentLearner(store, U, autoencode=autoencode, divide_error=False, largest_score=None)
    learner.restore({"source": U, "target": V})
    predicted = 9 if autoencode else 5
    loss = learner.advance(0, np.array([rate]))[0] * predicted
    assert loss == pytest.approx(triple_loss(U, V, tree, sentences, autoencode), abs=1e-5)
    for matrix, moved in ((U, learner.source_vectors()), (V, learner.target_vectors())):
        for place in np.ndindex(matrix.shape):
            before = matrix[place]
            matrix[place] = before + step
            high = triple_loss(U, V, tree, sentences, autoencode)
            matrix[place] = before - step
            low = triple_loss(U, V, tree, sentences, autoencode)
            matrix[place] = before
            assert (before - moved[place]) / rate == pytest.approx((high - low) / (2 * step), abs=1e-4)


def test_probabilities_of_all_words_sum_to_one():
    tree, rng = huffman_tree(np.array([50, 20, 9, 4, 2, 1])), np.random.default_rng(2)
    h, V = rng.normal(size=5), rng.normal(size=(6, 5))
    p = [math.prod(sigmoid(sign * h @ V[node]) for node, sign in way) for way in ways(tree)]
    assert sum(p) == pytest.approx(1, abs=1e-12)


def test_documents_are_not_crossed_unless_asked():
    store = make_store([[0], [1], [2], [3], [4], [5]], 6, [3, 3])
    U = np.ones((6, 4))
    for boundaries, centres in (("respect", [1, 4]), ("ignore", [1, 2, 3, 4])):
        learner = FastSentLearner(store, U, boundaries=boundaries)
        learner.restore({"source": U, "target": np.full((6, 4), 0.5)})
        learner.advance(0, np.array([0.1]))
        assert np.flatnonzero((learner.source_vectors() != U).any(axis=1)).tolist() == centres
    with pytest.raises(SentrepError, match="at least one sentence with a neighbour on each side"):
        FastSentLearner(make_store([[0], [1], [2]], 3, [2, 1]), U[:3])


@pytest.mark.parametrize("negatives", [0, 4])
def test_cut_into_pieces_or_resumed_it_is_the_same_to_the_last_bit(negatives):
    store = random_store(5, 300, 40)
    U, rates = np.random.default_rng(0).normal(0, 0.1, (40, 20)).astype(np.float32), np.linspace(0.2, 0.1, 60)
    whole, cut, later = (FastSentLearner(store, U, negatives=negatives, block=10) for _ in range(3))
    losses = whole.advance(0, rates)
    assert (cut.advance(0, rates[:7]) == losses[:7]).all()
    later.restore(cut.state())
    assert (later.advance(7, rates[7:]) == losses[7:]).all()
    for before, after in zip(whole.state().values(), later.state().values(), strict=True):
        assert (before == after).all()


def topics(n=400):
    """Return documents on one of two topics: half of the words depend on the topic, the others occur in both."""
    rng = np.random.default_rng(4)
    sentences = [[*(rng.integers(0, 6, 4) + 6 * (i // 10 % 2)).tolist(), 12, 13] for i in range(n)]
    return make_store(sentences, 14, [10] * (n // 10))


@pytest.mark.parametrize("output", ["hierarchical_softmax", "negative_sampling"])
@pytest.mark.parametrize("autoencode", [False, True])
def test_words_of_neighbouring_sentences_become_alike(output, autoencode):
    run = Run(seed=1)
    parameters = Parameters(16, output=output, autoencode=autoencode, epochs=10, learning_rate=0.02, block_sentences=40)
    encoder = train(topics(), parameters, run)
    unit = encoder.embeddings / np.linalg.norm(encoder.embeddings, axis=1)[:, None]
    cosines = unit[:12] @ unit[:12].T
    same = np.kron(np.eye(2), np.ones((6, 6))) - np.eye(12)
    assert cosines[same == 1].mean() > cosines[same == 0].mean() + 0.4
    assert run.history[-1]["loss"] < run.history[0]["loss"]
    assert run.history[0]["learning_rate"] == 0.02
    assert 1e-4 < run.history[-1]["learning_rate"] < 1e-3


def test_the_encoder_sums():
    encoder = train(topics(40), Parameters(8), Run(seed=1))
    vectors = encoder.encode(["w1 w2 w1 unknown", "unknown"])
    expected = 2 * encoder.embeddings[1] + encoder.embeddings[2]
    np.testing.assert_allclose(vectors, [expected, np.zeros(8)], atol=1e-7)


def test_an_interrupted_run_ends_as_the_whole_one(tmp_path):
    store, parameters = random_store(6, 200, 30), Parameters(12, epochs=2, block_sentences=10)
    whole = train(store, parameters, Run(seed=3)).embeddings
    with pytest.raises(DeathError):
        train(store, parameters, Run(seed=3, checkpoints=Cut(tmp_path, steps=23)))
    run = Run(seed=3, checkpoints=Checkpoints(tmp_path, 0))
    assert (train(store, parameters, run).embeddings == whole).all()
    assert run.resumed_at == [23]


def test_wrong_parameters_are_refused():
    for values in ({"dimension": 0}, {"final_learning_rate": 1.0}, {"largest_score": 0.0}, {"output": "softmax"}):
        with pytest.raises(SentrepError):
            parse_parameters("fastsent", values, "models.fastsent.parameters")


def test_a_score_beyond_the_range_of_exp_has_a_finite_loss():
    """Such scores occur in a sentence of hundreds of equal words, because its vector is a sum."""
    sentence, row = np.full(4, 10.0, np.float32), np.full((1, 4), -100.0, np.float32)
    signs, steps, error = np.ones(1, np.int8), np.zeros(1, np.float32), np.zeros(4, np.float32)
    predict = kernels._predict  # noqa: SLF001
    loss = predict(sentence, row, np.zeros(1, np.int64), signs, 0, 1, 0.1, 6.0, steps, error)
    assert loss == pytest.approx(4000)
    assert (row == -100).all()  # decisions whose scores exceed the largest score are not trained
