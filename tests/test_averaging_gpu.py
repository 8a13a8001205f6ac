"""Compare the GPU kernel of Siamese CBOW with the compiled CPU kernel, on a GPU or in Triton's interpreter."""

import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest
import torch

from helpers_store import random_store
from sentrep.training.averaging.cpu import CpuTrainer
from sentrep.training.averaging.learner import AveragingLearner
from sentrep.training.batches import Sampler, TokenReader

pytestmark = pytest.mark.skipif(
    find_spec("triton") is None, reason="triton is installed only with CUDA builds of torch"
)


def compare(device: str, programs: int | None, batch: int, exclude: bool, vocabulary: int, dimension: int) -> None:
    """Train on some batches with both kernels, in chunks of different sizes over two epochs."""
    from sentrep.training.averaging.gpu import GpuLearner

    store = random_store(3, 40 * batch, vocabulary, longest=40)
    initial = (np.random.default_rng(0).standard_normal((vocabulary, dimension)) * 0.1).astype(np.float32)
    samplers = [Sampler(store, batch, 3, 1, "respect", exclude) for _ in range(2)]
    cpu = AveragingLearner(CpuTrainer(initial, "sgd", 1), samplers[0], TokenReader(store, 33, "clean", 32))
    gpu = GpuLearner(initial, store, samplers[1], 33, device, programs)
    per_epoch = samplers[0].batches_per_epoch
    for first, n in ((0, 3), (3, 1), (per_epoch - 1, 1), (per_epoch, 2)):
        rates = np.linspace(0.5, 0.4, n)
        np.testing.assert_allclose(gpu.advance(first, rates), cpu.advance(first, rates), rtol=1e-5)
    expected = cpu.state()["matrix"] - initial
    assert np.abs(expected).max() > 1e-3
    np.testing.assert_allclose(gpu.matrix() - initial, expected, atol=1e-3 * np.abs(expected).max())


@pytest.mark.gpu
@pytest.mark.parametrize("programs", [1, 7, None])
@pytest.mark.parametrize(("batch", "vocabulary", "dimension"), [(100, 70_000, 300), (6, 60, 20), (300, 500, 64)])
def test_on_a_gpu(programs, batch, vocabulary, dimension):
    if not torch.cuda.is_available():
        pytest.skip("no CUDA device")
    compare("cuda", programs, batch, True, vocabulary, dimension)


@pytest.mark.parametrize("exclude", [True, False])
def test_in_the_interpreter(exclude):
    here = Path(__file__).parent
    code = f"from test_averaging_gpu import compare; compare('cpu', 1, 6, {exclude}, 60, 20)"
    path = os.pathsep.join([str(here), str(here.parent / "workflow" / "scripts"), *sys.path])
    environment = {**os.environ, "TRITON_INTERPRET": "1", "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
