"""Test that the optimisers make the same updates as torch without importing its compiler."""

import subprocess
import sys

import pytest
import torch

from sentrep.training.optimisers import without_compiler

KINDS = {
    "SGD": {"lr": 0.1},
    "Adam": {"lr": 0.1, "fused": True},
    "Adadelta": {"lr": 1.0, "rho": 0.9},
}


def updated(optimiser_class, settings):
    torch.manual_seed(0)
    network = torch.nn.Sequential(torch.nn.Linear(3, 4), torch.nn.Tanh(), torch.nn.Linear(4, 1))
    optimiser = optimiser_class(network.parameters(), **settings)
    for _ in range(5):
        optimiser.zero_grad(set_to_none=True)
        network(torch.randn(6, 3)).square().mean().backward()
        optimiser.step()
    return torch.cat([p.detach().flatten() for p in network.parameters()])


@pytest.mark.parametrize("name", KINDS)
def test_updates_are_those_of_torch(name):
    kind = getattr(torch.optim, name)
    ours, theirs = updated(without_compiler(kind), KINDS[name]), updated(kind, KINDS[name])
    assert torch.equal(ours, theirs)
    assert isinstance(without_compiler(kind)([torch.zeros(1)], lr=0.1), kind)


@pytest.mark.parametrize("name", KINDS)
def test_the_compiler_is_not_imported(name):
    program = (
        "import sys, torch\n"
        "from sentrep.training.optimisers import without_compiler\n"
        f"p = torch.nn.Parameter(torch.ones(2))\n"
        f"o = without_compiler(torch.optim.{name})([p], **{KINDS[name]})\n"
        "o.zero_grad(); p.sum().backward(); o.step()\n"
        "assert p[0] != 1\n"
        "sys.exit('torch._dynamo' in sys.modules)\n"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0
