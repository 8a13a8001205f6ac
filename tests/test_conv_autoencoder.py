"""Compare the convolutional encoder of Gan et al. and its training losses with loops written from the equations."""

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers_training import check_gradients
from sentrep.networks.convolutional import Network
from sentrep.training.conv_autoencoder import LSTM, Batch, SentenceLoss, runs
from sentrep.training.neural import seeded
from sentrep.training.sentences import Padded

OBJECTIVES = ["autoencoder", "future", "composite", "hierarchical"]
WORDS, DIMENSION, UNITS = 7, 4, 5


def randomised(build):
    """Return a module in double precision with large random parameters, including biases."""
    module = seeded(1, build).double()
    generator = torch.Generator().manual_seed(2)
    with torch.no_grad():
        for parameter in module.parameters():
            if parameter.requires_grad:
                parameter.copy_(torch.randn(parameter.shape, generator=generator, dtype=torch.float64) / 2)
    return module


def network() -> Network:
    return Network(WORDS, DIMENSION, [3, 4, 5], maps=2)


def pad(sentences: list[list[int]], columns: int = 0) -> Padded:
    ids = np.zeros((len(sentences), max(columns, *map(len, sentences))), dtype=np.int64)
    for row, words in zip(ids, sentences, strict=True):
        row[: len(words)] = words
    return Padded(torch.from_numpy(ids), torch.tensor([len(words) for words in sentences]))


def batch_of(module: SentenceLoss, examples: list[list[list[int]]]) -> Batch:
    padded = pad([sentence for example in examples for sentence in example])
    return Batch(padded, padded.lengths.numpy().reshape(-1, module.span))


def arrays(module: torch.nn.Module) -> dict[str, np.ndarray]:
    return {name: tensor.numpy() for name, tensor in module.state_dict().items()}


def encode(p: dict[str, np.ndarray], words: list[int], prefix: str = "") -> np.ndarray:
    """Encode as in the released code: filters over 48 positions, which start with four rows of zeros."""
    x = np.zeros((48, DIMENSION))
    for t, word in enumerate(words):
        x[4 + t] = p[f"{prefix}table.weight"][word]
    x[4 + len(words)] = p[f"{prefix}end"]
    code = []
    for group, width in enumerate((3, 4, 5)):
        weight, bias = p[f"{prefix}filters.{group}.weight"], p[f"{prefix}filters.{group}.bias"]
        for f in range(len(weight)):
            responses = []
            for t in range(48 - width + 1):
                total = bias[f]
                for k in range(width):
                    for d in range(DIMENSION):
                        total += weight[f, d, k] * x[t + k, d]
                responses.append(np.tanh(total))
            code.append(max(responses))
    return np.array(code)


def lstm_step(p: dict[str, np.ndarray], prefix: str, x: np.ndarray, h: np.ndarray, c: np.ndarray) -> tuple:
    """Return the next state of an LSTM; the rows of input, forget, candidate and output gates are in torch's order."""
    gates = p[f"{prefix}weight_ih_l0"] @ x + p[f"{prefix}weight_hh_l0"] @ h + p[f"{prefix}bias_ih_l0"]
    i, f, g, o = gates.reshape(4, -1)
    sigmoid = lambda v: 1 / (1 + np.exp(-v))  # noqa: E731
    c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
    return sigmoid(o) * np.tanh(c), c


def write(p: dict[str, np.ndarray], name: str, z: np.ndarray, words: list[int]) -> float:
    """Return -log p of a sentence and its end."""
    prefix = f"decoders.{name}."
    table = np.vstack([p["network.table.weight"], p["network.end"]])
    h, c, total = np.tanh(p[f"{prefix}first.weight"] @ z + p[f"{prefix}first.bias"]), np.zeros(UNITS), 0.0
    for t, word in enumerate([*words, WORDS]):
        if t > 0:
            h, c = lstm_step(p, f"{prefix}lstm.", np.concatenate([table[words[t - 1]], z]), h, c)
        logits = table @ (p[f"{prefix}to_words"].T @ h) + p[f"{prefix}bias"]
        total += np.log(np.exp(logits).sum()) - logits[word]
    return total


def expected_loss(p: dict[str, np.ndarray], objective: str, examples: list[list[list[int]]]) -> float:
    sums, counts = {"same": 0.0, "next": 0.0}, {"same": 0, "next": 0}
    for example in examples:
        h, c = np.zeros(UNITS), np.zeros(UNITS)
        for i, sentence in enumerate(example):
            z = encode(p, sentence, "network.")
            if objective in ("autoencoder", "composite") and i == 0:
                sums["same"] += write(p, "same", z, sentence)
                counts["same"] += len(sentence) + 1
            if objective == "autoencoder" or i + 1 == len(example):
                continue
            if objective == "hierarchical":
                h, c = lstm_step(p, "paragraph.", z, h, c)
                z = h
            sums["next"] += write(p, "next", z, example[i + 1])
            counts["next"] += len(example[i + 1]) + 1
    return sum(sums[name] / counts[name] for name in sums if counts[name])


SENTENCE = st.lists(st.integers(0, WORDS - 1), min_size=1, max_size=38)


@settings(deadline=None, max_examples=10)
@given(st.lists(SENTENCE, min_size=1, max_size=3))
def test_the_encoder_against_the_released_rectangle(sentences):
    module = randomised(network)
    with torch.no_grad():
        found = module.embed(*vars(pad(sentences)).values()).numpy()
    np.testing.assert_allclose(found, [encode(arrays(module), words) for words in sentences], atol=1e-12)


@settings(deadline=None, max_examples=20)
@given(SENTENCE, SENTENCE, st.integers(1, 60))
def test_a_vector_does_not_depend_on_padding(sentence, other, columns):
    module = randomised(network).float()
    with torch.no_grad():
        alone = module.embed(*vars(pad([sentence])).values())[0]
        together = module.embed(*vars(pad([other, sentence], columns)).values())[1]
    np.testing.assert_allclose(together, alone, atol=1e-6)


def examples_of(objective: str, n: int = 4, paragraph: int = 3) -> list[list[list[int]]]:
    generator = np.random.default_rng(5)
    span = {"autoencoder": 1, "hierarchical": paragraph}.get(objective, 2)
    lengths = generator.integers(1, 7, (n, span))
    lengths[0, 0], lengths[-1, -1] = 1, 9
    return [[generator.integers(0, WORDS, k).tolist() for k in row] for row in lengths]


def loss_of(objective: str, paragraph: int = 3) -> SentenceLoss:
    return randomised(lambda: SentenceLoss(network(), objective, UNITS, paragraph))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_the_loss_against_loops(objective):
    module, examples = loss_of(objective), examples_of(objective)
    batch = batch_of(module, examples)
    expected = expected_loss(arrays(module), objective, examples)
    assert module(batch).item() == pytest.approx(expected, rel=1e-10)
    assert module.float()(batch).item() == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_gradients_against_finite_differences(objective):
    module = loss_of(objective)
    check_gradients(module, batch_of(module, examples_of(objective, n=2)))


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_gradients_in_single_precision(objective):
    """Check gradients in single precision, which are computed by other code, against double precision."""
    gradients = []
    for module in (loss_of(objective), loss_of(objective).float()):
        loss = module(batch_of(module, examples_of(objective)))
        gradients.append(torch.autograd.grad(loss, [p for p in module.parameters() if p.requires_grad]))
    for double, single in zip(*gradients, strict=True):
        torch.testing.assert_close(single.double(), double, rtol=1e-4, atol=1e-5)


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_two_processes_have_the_loss_of_one(objective, monkeypatch):
    module = loss_of(objective)
    batch = batch_of(module, examples_of(objective))
    parameters = [p for p in module.parameters() if p.requires_grad]
    loss = module(batch)
    expected = [loss, *torch.autograd.grad(loss, parameters)]
    monkeypatch.setenv("WORLD_SIZE", "2")
    monkeypatch.setenv("TORCHELASTIC_RUN_ID", "test")
    found = []
    for rank in "01":
        monkeypatch.setenv("RANK", rank)
        loss = module(batch)
        found.append([loss, *torch.autograd.grad(loss, parameters)])
    for whole, first, second in zip(expected, *found, strict=True):
        torch.testing.assert_close((first + second) / 2, whole)
        assert not torch.allclose(first, second)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("objective", OBJECTIVES)
def test_a_gpu_has_the_same_loss_and_gradients(objective):
    module, examples = loss_of(objective), examples_of(objective)
    parameters = {name: p for name, p in module.named_parameters() if p.requires_grad}
    loss = module(batch_of(module, examples))
    expected = dict(zip(parameters, torch.autograd.grad(loss, list(parameters.values())), strict=True))
    on_gpu = loss_of(objective).float().cuda()
    batch = batch_of(on_gpu, examples)
    batch = Batch(Padded(batch.sentences.ids.cuda(), batch.sentences.lengths.cuda()), batch.lengths)
    for enabled, tolerance in ((False, 0.005), (True, 0.1)):  # products may use TF32
        with torch.autocast("cuda", torch.bfloat16, enabled=enabled):
            found = on_gpu(batch)
        assert found.item() == pytest.approx(loss.item(), rel=tolerance)
        on_gpu.zero_grad()
        found.backward()
        for name, gradient in expected.items():
            difference = on_gpu.get_parameter(name).grad.cpu().double() - gradient
            assert difference.norm() < 4 * tolerance * gradient.norm(), name


def test_initial_values():
    module = seeded(3, lambda: SentenceLoss(Network(50, 8, [3, 5], 6), "hierarchical", 9, 4))
    for lstm in (module.paragraph, module.decoders["next"].lstm):
        for gate in lstm.weight_hh_l0.split(9):
            torch.testing.assert_close(gate @ gate.T, torch.eye(9), atol=1e-5, rtol=0)
        assert lstm.bias_ih_l0.tolist() == [0] * 9 + [3] * 9 + [0] * 18
        assert not lstm.bias_hh_l0.any()
    bounds = {"table.weight": 0.05, "end": 0.05, "filters.0.weight": 0.01, "filters.1.weight": 0.01}
    for name, bound in bounds.items():
        values = module.network.get_parameter(name)
        assert bound / 2 < values.abs().max() <= bound
    assert [name for name, p in module.named_parameters() if not p.requires_grad] == [
        "paragraph.bias_hh_l0",
        "decoders.next.lstm.bias_hh_l0",
    ]


@pytest.mark.parametrize("objective", OBJECTIVES)
def test_lower_precision(objective):
    module = loss_of(objective).float()
    batch = batch_of(module, examples_of(objective))
    with torch.autocast("cpu", torch.bfloat16):
        loss = module(batch)
    assert loss.dtype == torch.float32
    assert loss.item() == pytest.approx(module(batch).item(), rel=0.05)


def test_autocast_leaves_the_lstm_alone():
    layer, x = seeded(1, lambda: LSTM(3, 4)), torch.randn(2, 5, 3)
    expected = layer(x)
    with torch.autocast("cpu", torch.bfloat16):
        assert torch.equal(layer(x), expected)
        assert layer(x.bfloat16()).dtype == torch.float32


@given(st.lists(st.tuples(st.integers(1, 2), st.booleans(), st.booleans()), max_size=30), st.integers(1, 4))
def test_runs_against_the_definition(items, span):
    numbers = np.cumsum([step for step, _, _ in items], dtype=np.int64)
    documents = np.cumsum([new for _, new, _ in items], dtype=np.int64)
    usable = np.array([flag for _, _, flag in items], dtype=bool)
    expected, taken, free = [], [], 0
    for i in range(len(items) - span + 1):
        part = slice(i, i + span)
        if usable[part].all() and len(set(documents[part])) == 1 and numbers[part][-1] == numbers[i] + span - 1:
            expected.append(i)
            if i >= free:
                taken.append(i)
                free = i + span
    assert runs(numbers, documents, usable, span, disjoint=False).tolist() == expected
    assert runs(numbers, documents, usable, span, disjoint=True).tolist() == taken
