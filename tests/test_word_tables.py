"""Compare the gradients of word tables with torch's own dense gradients, step by step."""

import numpy as np
import pytest
import torch

from sentrep.training.neural import NeuralLearner, Optimisation, seeded
from sentrep.training.run import Run


class Words(torch.nn.Module):
    """A loss on the distance between two sentences' sums of word vectors; one word occurs twice."""

    def __init__(self):
        super().__init__()
        self.table = torch.nn.Embedding(50, 4)
        self.last = torch.nn.Linear(4, 1)

    def forward(self, batch):
        return self.last(self.table(batch).tanh().sum(1)).square().sum()


@pytest.mark.parametrize("clip", ["global", "rescale", "per_variable", "none"])
def test_word_tables_take_the_steps_of_dense_gradients(clip):
    """Compare with torch's dense gradients; rows that are not in a batch still move because of their momentum."""
    rows = np.random.default_rng(0).integers(0, 50, (6, 3, 5))
    rows[:, 0, :2] = 7
    batches = torch.from_numpy(rows)
    plain, ours = (seeded(1, Words) for _ in range(2))
    optimiser = torch.optim.Adam(plain.parameters(), lr=0.01)
    losses = []
    for batch in batches:
        optimiser.zero_grad()
        loss = plain(batch)
        loss.backward()
        gradients = [p.grad for p in plain.parameters()]
        if clip == "global":
            torch.nn.utils.clip_grad_norm_(plain.parameters(), 0.5)
        elif clip == "rescale":
            norm = torch.cat([g.flatten() for g in gradients]).norm()
            for gradient in gradients:
                gradient.mul_(0.5 / norm)
        elif clip == "per_variable":
            for gradient in gradients:
                gradient.mul_(min(1.0, 0.5 / gradient.norm().item()))
        optimiser.step()
        losses.append(loss.item())
    learner = NeuralLearner(ours, lambda first, n: batches[first : first + n], Optimisation(clip, 0.5), Run(1))
    assert learner.advance(0, np.full(6, 0.01)) == pytest.approx(losses, rel=1e-5)
    for expected, found in zip(plain.parameters(), ours.parameters(), strict=True):
        assert found.detach().numpy() == pytest.approx(expected.detach().numpy(), abs=1e-6)
