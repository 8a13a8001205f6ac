"""Choose whether a job computes on a GPU or on the CPU."""

from __future__ import annotations

import shutil
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Literal, get_args

from sentrep.errors import SentrepError, unknown_name

Device = Literal["auto", "cpu", "cuda"]
DEVICES: tuple[Device, ...] = get_args(Device)


@cache
def gpu_expected() -> bool:
    """Return whether torch can probably use a GPU.

    A GPU is expected if an NVIDIA driver is installed, unless the installed build of torch is for the CPU only. torch
    itself is not imported, because importing it takes several seconds.
    """
    try:
        without_cuda = version("torch").endswith("+cpu")
    except PackageNotFoundError:  # jobs may have their own environment with torch
        without_cuda = False
    return not without_cuda and (shutil.which("nvidia-smi") is not None or Path("/dev/nvidiactl").exists())


def uses_gpu(wanted: str) -> bool:
    """Return whether a job is expected to compute on a GPU.

    Args:
        wanted: value of the setting ``device``: "auto", "cuda" or "cpu".
    """
    return wanted == "cuda" or (wanted == "auto" and gpu_expected())


def resolve_device(wanted: str) -> str:
    """Return the device on which a job computes: "cuda" or "cpu".

    Args:
        wanted: value of the setting ``device``: "auto", "cuda" or "cpu". "auto" selects CUDA if it is available.

    Raises:
        SentrepError: the value is unknown, or CUDA is requested but not available.
    """
    if wanted not in DEVICES:
        raise unknown_name("config.device", "device", wanted, DEVICES)
    if not uses_gpu(wanted):
        return "cpu"
    import torch

    if torch.cuda.is_available():
        return "cuda"
    if wanted == "auto":
        return "cpu"
    build = f"for CUDA {torch.version.cuda}" if torch.version.cuda else "without CUDA"
    raise SentrepError(
        "config.device",
        expected="an available CUDA device",
        found=f"no CUDA device (torch {torch.__version__} built {build})",
        remedy="set `device` to cpu or auto, or use a machine with an NVIDIA GPU and a CUDA build of torch",
    )
