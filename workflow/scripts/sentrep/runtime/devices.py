"""Choose the device, a GPU or the processor, on which a job computes."""

from __future__ import annotations

import shutil
from pathlib import Path

from sentrep.errors import SentrepError


def resolve_device(wanted: str) -> str:
    """Return the device, "cuda" or "cpu", that the setting "auto", "cuda" or "cpu" selects.

    Raises:
        SentrepError: CUDA is requested but not available.
    """
    # Importing torch takes several seconds, so with "auto", it is imported only if there are signs of an NVIDIA driver.
    driver = shutil.which("nvidia-smi") is not None or Path("/dev/nvidiactl").exists()
    if wanted == "cpu" or (wanted == "auto" and not driver):
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
        found=f"no device (torch {torch.__version__} built {build})",
        remedy="set `device` to cpu or auto, or install a CUDA build of torch",
    )
