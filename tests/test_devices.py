"""Test on which device a job computes, and whether a job is expected to need a GPU."""

import importlib.metadata
import shutil
from pathlib import Path

import pytest

from sentrep.families import FAMILIES, cpu_only
from sentrep.runtime import devices


@pytest.mark.parametrize(
    ("driver", "torch", "expected"),
    [
        ("/usr/bin/nvidia-smi", "2.13.0", True),
        ("/usr/bin/nvidia-smi", "2.13.0+cu128", True),
        ("/usr/bin/nvidia-smi", None, True),  # jobs may run in conda environments of their own
        ("/usr/bin/nvidia-smi", "2.13.0+cpu", False),
        (None, "2.13.0+cu128", False),
    ],
)
def test_signs_of_a_gpu(monkeypatch, driver, torch, expected):
    def version(name):
        if torch is None:
            raise importlib.metadata.PackageNotFoundError(name)
        return torch

    if Path("/dev/nvidiactl").exists() and driver is None:
        pytest.skip("this machine has a GPU")
    monkeypatch.setattr(shutil, "which", lambda _name: driver)
    monkeypatch.setattr(devices, "version", version)
    devices.gpu_expected.cache_clear()
    try:
        found = {wanted: devices.uses_gpu(wanted) for wanted in ("auto", "cpu", "cuda")}
        assert found == {"auto": expected, "cpu": False, "cuda": True}
        assert devices.resolve_device("cpu") == "cpu"
        if not expected:
            assert devices.resolve_device("auto") == "cpu"
    finally:
        devices.gpu_expected.cache_clear()


def test_families_that_never_use_a_gpu():
    found = {name for name in FAMILIES if cpu_only(name)}
    assert {"tfidf", "random_vectors", "fastsent"} <= found
    assert not found & {"siamese_cbow", "quick_thoughts", "word2vec"}
