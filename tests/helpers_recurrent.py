"""Gated recurrent units and decoders written as loops over words and sentences, as references for tests."""

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from sentrep.networks.gru import GRU
from sentrep.networks.recurrent import Network
from sentrep.training.decoders import Script
from sentrep.training.sentences import Padded

Vector = npt.NDArray[np.float64]


def padded(sentences: Sequence[Sequence[int]]) -> Padded:
    """Return sentences of word ids as a padded batch."""
    ids = torch.zeros(len(sentences), max(1, *map(len, sentences)), dtype=torch.int64)
    for row, words in enumerate(sentences):
        ids[row, : len(words)] = torch.tensor(words, dtype=torch.int64)
    return Padded(ids, torch.tensor([len(words) for words in sentences]))


def written(script: Script, end: int) -> list[list[list[int]]]:
    """Return the sentences that each decoder writes according to a script, and check the words that it reads."""
    groups, rows = script.sentences.shape
    n = script.sizes[0]
    assert rows == sum(script.sizes)
    sentences = [[[] for _ in range(n)] for _ in range(groups)]
    for row, word in zip(script.rows.tolist(), script.targets.tolist(), strict=True):
        group, place = divmod(row, rows)
        sentence = sentences[group][script.sentences[group, place]]
        step = int(np.searchsorted(np.cumsum(script.sizes), place, side="right"))
        assert step == len(sentence)  # sentences are written from left to right
        if step:
            assert script.words[group, place - n] == sentence[-1]
        sentence.append(word)
    assert all(sentence.pop() == end for group in sentences for sentence in group)
    return sentences


def array(parameter: nn.Parameter) -> Vector:
    """Return the values of a parameter as a numpy array."""
    return parameter.detach().double().numpy()


def sigmoid(x: Vector) -> Vector:
    """Return 1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-x))


def run_unit(
    unit: GRU, inputs: Sequence[Vector], initial: Vector | None = None, context: Vector | None = None
) -> list[Vector]:
    """Return the state after each input: z h + (1 - z) c, as defined in :mod:`sentrep.networks.gru`."""
    wide = np.split(array(unit.input.weight), 3)
    bias = np.split(array(unit.input.bias), 3)
    recurrent = np.split(array(unit.recurrent), 3, axis=1)
    contexts = np.split(array(unit.context.weight), 3) if unit.context is not None else None
    h, states = np.zeros(unit.units) if initial is None else initial, []
    for x in inputs:
        update, reset, candidate = (
            wide[k] @ x + bias[k] + (contexts[k] @ context if contexts is not None else 0) for k in range(3)
        )
        z, r = sigmoid(update + h @ recurrent[0]), sigmoid(reset + h @ recurrent[1])
        product = (r * h) @ recurrent[2] if unit.reset == "before" else r * (h @ recurrent[2])
        h = z * h + (1 - z) * np.tanh(candidate + product)
        states.append(h)
    return states


def encode(network: Network, words: Sequence[int], end: bool) -> Vector:
    """Return the vector of one sentence."""
    vectors = [array(network.table.weight)[word] for word in words] + [array(network.end)] * end
    last = run_unit(network.forwards, vectors)[-1]
    if network.backwards is None:
        return last
    return np.concatenate([last, run_unit(network.backwards, vectors[::-1])[-1]])


def surprise(readout: nn.Linear, state: Vector, word: int) -> float:
    """Return -log p of a word, given a state of the decoder."""
    logits = array(readout.weight) @ state + array(readout.bias)
    p = np.exp(logits - logits.max())
    return float(-np.log(p[word] / p.sum()))


def write(
    network: Network,
    unit: GRU,
    readout: nn.Linear,
    words: Sequence[int],
    initial: Vector | None = None,
    context: Vector | None = None,
) -> float:
    """Return -log p of the words of one sentence and of its end."""
    table = array(network.table.weight)
    states = run_unit(unit, [np.zeros(table.shape[1]), *(table[word] for word in words)], initial, context)
    return sum(surprise(readout, state, word) for state, word in zip(states, [*words, len(table)], strict=True))
