"""Gated recurrent units written as loops, as references for the fast implementation."""

from __future__ import annotations

import numpy as np
import torch


def loop_forward(unit, x, initial=None, context=None):
    """Return all states (n, L, units) in numpy float64, computed one sentence, step and matrix product at a time."""
    W, b, U = (array(t) for t in (unit.input.weight, unit.input.bias, unit.recurrent))
    x, H = array(x), unit.units
    states = np.zeros((*x.shape[:2], H))
    for i, sentence in enumerate(x):
        h = np.zeros(H) if initial is None else array(initial[i])
        for t, word in enumerate(sentence):
            a = W @ word + b
            if context is not None:
                a = a + array(unit.context.weight) @ array(context[i])
            z = sigmoid(a[:H] + h @ U[:, :H])
            r = sigmoid(a[H : 2 * H] + h @ U[:, H : 2 * H])
            if unit.reset == "before":
                c = np.tanh(a[2 * H :] + (r * h) @ U[:, 2 * H :])
            else:
                c = np.tanh(a[2 * H :] + r * (h @ U[:, 2 * H :]))
            h = z * h + (1 - z) * c
            states[i, t] = h
    return states


def loop_gru(unit, x, initial=None, context=None):
    """Return all states (n, L, units), computed with a loop over steps that autograd can differentiate."""
    gates = unit.input(x)
    if context is not None:
        gates = gates + unit.context(context)[:, None]
    H, U = unit.units, unit.recurrent
    h = gates.new_zeros(x.shape[0], H) if initial is None else initial
    states = []
    for t in range(x.shape[1]):
        z, r = (gates[:, t, : 2 * H] + h @ U[:, : 2 * H]).sigmoid().split(H, dim=1)
        inside, outside = (r, 1) if unit.reset == "before" else (1, r)
        c = (gates[:, t, 2 * H :] + outside * ((inside * h) @ U[:, 2 * H :])).tanh()
        h = z * h + (1 - z) * c
        states.append(h)
    return torch.stack(states, dim=1)


def array(tensor):
    return tensor.detach().double().numpy()


def sigmoid(a):
    return 1 / (1 + np.exp(-a))
