"""Test skip-thought against loops, finite differences and its definition."""

from pathlib import Path

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import settings as budget
from hypothesis import strategies as st

from helpers_recurrent import encode, padded, write, written
from helpers_store import make_store, random_store
from helpers_training import Cut, DeathError, check_gradients
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.families import parse_parameters
from sentrep.families.skip_thought import train
from sentrep.networks.recurrent import Network
from sentrep.training.checkpoints import Checkpoints
from sentrep.training.decoders import scripts
from sentrep.training.neural import seeded
from sentrep.training.run import Run
from sentrep.training.sentences import Sentences
from sentrep.training.skip_thought import SkipThought, TripleBatches, Triples

TINY = {"units": 8, "word_dimension": 5, "vocabulary": 20, "batch_size": 4, "learning_rate": 0.01}
WORDS = 7  # the number of rows in the word table


def triples(rows: list[tuple[list[int], list[int], list[int]]]) -> Triples:
    source, *neighbours = (list(column) for column in zip(*rows, strict=True))
    lengths = np.array([[len(words) for words in column] for column in neighbours])
    return Triples(padded(source), *scripts([lengths], [[padded(column) for column in neighbours]], WORDS))


def objective(
    bidirectional: bool = False, reset: str = "after", dtype: torch.dtype = torch.float64, **settings: object
):
    def build() -> SkipThought:
        return SkipThought(Network(WORDS, 3, 4, bidirectional, reset), **settings)

    module = seeded(1, build)
    with torch.no_grad():
        for parameter in module.parameters():  # use larger values than the initial ones, also for biases
            generator = torch.Generator().manual_seed(2)
            parameter.add_(torch.empty_like(parameter).uniform_(-0.5, 0.5, generator=generator))
    return module.to(dtype)


ROWS = [([1, 2, 3], [4], [5, 0, 6, 6]), ([2], [3, 3], [1]), ([0, 0, 0, 0, 0], [0], [0, 0])]


def loss_by_loops(module: SkipThought, source: list[int], *neighbours: list[int]) -> float:
    vector = encode(module.network, source, module.read_end)
    condition = {"context": vector} if module.every_step else {"initial": vector}
    return sum(
        write(module.network, unit, module.readout, words, **condition)
        for unit, words in zip(module.decoders, neighbours, strict=True)
    )


@pytest.mark.parametrize("context", ["every_step", "initial_state"])
@pytest.mark.parametrize("reset", ["after", "before"])
@pytest.mark.parametrize("bidirectional", [False, True])
@pytest.mark.parametrize("read_end", [False, True])
def test_the_loss_against_loops(context, reset, bidirectional, read_end):
    module = objective(bidirectional, reset, context=context, read_end=read_end)
    expected = sum(loss_by_loops(module, *row) for row in ROWS)
    np.testing.assert_allclose(module(triples(ROWS)).item(), expected, rtol=1e-10)
    np.testing.assert_allclose(module.float()(triples(ROWS)).item(), expected, rtol=1e-5)


@given(st.lists(st.tuples(*[st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=9)] * 3), min_size=1, max_size=5))
@budget(max_examples=25)
def test_a_padded_batch_is_the_sum_of_its_sentences(rows):
    module = objective(True)
    singles = [module(triples([row])).item() for row in rows]
    np.testing.assert_allclose(module(triples(rows)).item(), sum(singles), rtol=1e-10)
    mean = objective(True, loss_scale="mean")(triples(rows)).item()
    np.testing.assert_allclose(mean, np.mean(singles), rtol=1e-10)


@pytest.mark.parametrize("context", ["every_step", "initial_state"])
def test_gradients_by_finite_differences(context):
    check_gradients(objective(True, context=context), triples(ROWS))


def test_the_encoder_of_a_model_is_the_network(tmp_path):
    store = random_store(1, 60, 30)
    for end in ("training", "always", "never"):
        model = train(store, parse_parameters("skip_thought", {**TINY, "end_of_sentence": end}, "test"), Run(1))
        model.meta["family"] = "skip_thought"
        folder = tmp_path / end
        folder.mkdir()
        model.save(folder)
        long = " ".join(["w1", "w7"] * 25)  # longer than any training sentence
        texts = ["w3", "w2 nonsense w0", "nonsense", long, ""]
        vectors = load_encoder(folder).encode(texts)
        for text, vector in zip(texts[:4], vectors, strict=False):
            words = [model.row_of.get(word, 0) for word in text.split()]
            expected = encode(model.network, words, end == "always")
            np.testing.assert_allclose(vector, expected / np.linalg.norm(expected), atol=1e-5)
        assert not vectors[4].any()


def test_both_directions_are_one_part():
    assert Network(5, 3, 8, bidirectional=True).parts == [8]  # the released code normalises both directions together


def sentences_of(batch: Triples, end: int) -> list[tuple[tuple[int, ...], ...]]:
    source = [row[:n] for row, n in zip(batch.source.ids.tolist(), batch.source.lengths, strict=True)]
    return [tuple(map(tuple, parts)) for parts in zip(source, *written(batch.neighbours, end), strict=True)]


@pytest.mark.parametrize("boundaries", ["respect", "ignore"])
def test_triples_are_all_those_of_the_corpus(boundaries):
    rng = np.random.default_rng(2)
    texts = [rng.integers(0, 12, rng.choice([0, 1, 3, 5, 6, 7, 20])).tolist() for _ in range(300)]
    store = make_store(texts, 12, documents=[40, 20, 0, 140, 100])
    document = np.repeat([0, 1, 3, 4], [40, 20, 140, 100])
    expected = [
        tuple(tuple(word + 1 if word < 8 else 0 for word in texts[j]) for j in (i, i + 1, i - 1))
        for i in range(1, 299)
        if all(0 < len(texts[j]) <= 6 for j in (i - 1, i, i + 1))
        and (boundaries == "ignore" or document[i - 1] == document[i + 1])
    ]
    assert 20 < len(expected) < 200
    batches = TripleBatches(store, Sentences(store, 9, 7, "cpu"), 2, 6, boundaries, seed=1)
    found = [triple for batch in batches(0, batches.per_epoch) for triple in sentences_of(batch, 9)]
    assert sorted(found) == sorted(expected)


def test_batches_hold_sources_of_one_length():
    store = random_store(1, 20_000, 50)
    batches = TripleBatches(store, Sentences(store, 50, 30, "cpu"), 32, 29, "respect", seed=1)
    spread = [int(np.ptp(batch.source.lengths.numpy())) for batch in batches(0, batches.per_epoch)]
    assert np.mean(np.array(spread) == 0) > 0.7
    assert max(spread) <= 3
    used = [len(batch.neighbours.rows) / batch.neighbours.sentences.numel() for batch in batches(0, 100)]
    assert np.mean(used) > 0.85


@pytest.mark.parametrize("loss_scale", ["sum", "mean"])
def test_processes_average_to_the_whole_batch(monkeypatch, loss_scale):
    store, module = random_store(1, 400, WORDS - 1), objective(True, loss_scale=loss_scale)

    def losses() -> list[float]:
        sentences = Sentences(store, WORDS, 30, "cpu")
        return [module(batch).item() for batch in TripleBatches(store, sentences, 8, 29, "respect", 1)(3, 4)]

    whole = losses()
    monkeypatch.setenv("WORLD_SIZE", "4")
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "test")
    shares = []
    for rank in range(4):
        monkeypatch.setenv("RANK", str(rank))
        shares.append(losses())
    np.testing.assert_allclose(np.mean(shares, axis=0), whole, rtol=1e-10)


@pytest.mark.parametrize("changes", [{}, {"encoder": "bi", "adam": "released", "decoder_context": "initial_state"}])
def test_an_interrupted_run_ends_as_an_uninterrupted_one(tmp_path, changes):
    store = random_store(2, 160, 40)
    parameters = parse_parameters("skip_thought", {**TINY, "epochs": 2, **changes}, "test")
    expected = train(store, parameters, Run(5)).network.state_dict()
    with pytest.raises(DeathError):
        train(store, parameters, Run(5, checkpoints=Cut(tmp_path, steps=10)))
    resumed = Run(5, checkpoints=Checkpoints(tmp_path, minutes=60))
    found = train(store, parameters, resumed).network.state_dict()
    assert 10 <= resumed.resumed_at[0] < 20
    assert all(torch.equal(found[name], expected[name]) for name in expected)


def test_neighbours_are_learnt():
    store = make_store([[i % 5, 5 + i % 3] for i in range(300)])  # each sentence determines the next one
    settings = {"units": 24, "batch_size": 16, "epochs": 8, "learning_rate": 0.05, "loss_scale": "mean"}
    run = Run(1)
    train(store, parse_parameters("skip_thought", {**TINY, **settings}, "test"), run)
    assert run.history[0]["loss"] > 0.9 * 2 * 3 * np.log(9)  # nine outputs with equal probabilities
    ignorant = 2 * (np.log(5) + np.log(3))  # the lowest loss of a decoder that does not read the sentence
    assert run.history[-1]["loss"] < 0.2 * ignorant


def test_glorot_begins_as_quick_thoughts_encoders_do():
    module = seeded(1, lambda: SkipThought(Network(50, 30, 40, reset="before"), initialisation="glorot"))
    for unit in (module.network.forwards, *module.decoders):
        assert (unit.input.bias[:80] == 1).all()
        assert not unit.input.bias[80:].any()
        read = 30 if unit.context is None else 30 + 40
        for rows, width in ((slice(0, 80), 80), (slice(80, 120), 40)):  # one matrix for both gates, as in TensorFlow
            bound = np.sqrt(6 / (read + 40 + width))
            assert 0.98 * bound < unit.input.weight[rows].abs().max().item() <= bound
    assert 0.099 < module.network.table.weight.abs().max().item() <= 0.1


@pytest.mark.parametrize(
    ("values", "message"),
    [
        ({"units": 7, "encoder": "bi"}, "`units` must be even"),
        ({"vocabulary": 2}, "vocabulary: expected at least 3"),
        ({"learning_rate": 0.0}, "learning_rate: expected above 0"),
        ({"max_tokens": 0}, "max_tokens: expected at least 1"),
        ({"encoder": "both"}, "one of uni, bi"),
    ],
)
def test_bad_parameters_are_named(values, message):
    with pytest.raises(SentrepError, match=message):
        parse_parameters("skip_thought", values, "test")


def test_a_corpus_without_a_batch_is_an_error():
    with pytest.raises(SentrepError, match="4 sequences of three consecutive sentences with 1 to 29 words each"):
        train(random_store(1, 5, 10), parse_parameters("skip_thought", TINY, "test"), Run(1))


def test_snapshots(tmp_path):
    taken: dict[float, Path] = {}
    run = Run(1, snapshot=lambda epochs, encoder: taken.update({epochs: encoder.encode(["w1 w2"])}))
    model = train(
        random_store(1, 400, 30), parse_parameters("skip_thought", {**TINY, "snapshots_per_epoch": 2}, "t"), run
    )
    assert list(taken) == [0.5, 1.0]
    assert np.array_equal(taken[1.0], model.encode(["w1 w2"]))
    assert not np.array_equal(taken[0.5], taken[1.0])


def test_no_epochs_give_the_initial_network():
    store, run = random_store(1, 60, 30), Run(3)
    parameters = parse_parameters("skip_thought", {**TINY, "epochs": 0}, "test")
    found = train(store, parameters, run).network
    words = found.words
    initial = seeded(3, lambda: SkipThought(Network(words, 5, 8, False, "after"))).network
    assert all(torch.equal(value, initial.state_dict()[name]) for name, value in found.state_dict().items())
    assert run.history == []


def test_the_vocabulary_can_be_expanded(tmp_path):
    rng, names = np.random.default_rng(1), [f"w{i}" for i in range(30)]
    vectors = AveragingEncoder(rng.normal(size=(30, 4)).astype(np.float32), names, "whitespace")
    vectors.meta["family"] = "random_vectors"
    vectors.save(tmp_path)
    parameters = parse_parameters("skip_thought", TINY, "test")
    plain = train(random_store(1, 60, 30), parameters, Run(1))
    larger = train(random_store(1, 60, 30), parameters, Run(1, inputs={"expansion": tmp_path}))
    assert len(plain.vocabulary) == 19  # the end of a sentence, <eos>, is not one of the 19 words; its id is 20
    assert sorted(larger.vocabulary) == sorted(["<unk>", *names])
    known, unknown = "w1 w2 w0", "w29 w25"
    np.testing.assert_array_equal(larger.encode([known]), plain.encode([known]))
    assert not np.allclose(larger.encode([unknown]), plain.encode([unknown]))


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("settings", [{}, {"context": "initial_state"}, {"bidirectional": True, "reset": "before"}])
def test_a_gpu_gives_the_losses_of_loops(settings):
    store, module = random_store(1, 400, WORDS - 1), objective(dtype=torch.float32, **settings)
    (batch,) = TripleBatches(store, Sentences(store, WORDS, 30, "cpu"), 16, 29, "respect", 1)(0, 1)
    expected = sum(loss_by_loops(module, *map(list, triple)) for triple in sentences_of(batch, WORDS))
    (batch,) = TripleBatches(store, Sentences(store, WORDS, 30, "cuda"), 16, 29, "respect", 1)(0, 1)
    module.cuda()
    for precision, tolerance in ((torch.float32, 1e-3), (torch.bfloat16, 1e-2)):
        with torch.autocast("cuda", torch.bfloat16, enabled=precision == torch.bfloat16):
            loss = module(batch)
        loss.backward()
        np.testing.assert_allclose(loss.item(), expected, rtol=tolerance)
    assert all(bool(parameter.grad.isfinite().all()) for parameter in module.parameters())
