"""What a result was made with: versions, machine, time."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib import metadata
from pathlib import Path
from typing import Any

_LIBRARIES = (
    "numpy",
    "scipy",
    "scikit-learn",
    "pandas",
    "torch",
    "numba",
    "gensim",
    "nltk",
    "safetensors",
    "snakemake",
    "matplotlib",
)


def environment() -> dict[str, Any]:
    """Return Python's and the libraries' versions, operating system, processor and the time (UTC)."""
    versions = {}
    for library in _LIBRARIES:
        try:
            versions[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            continue  # not every step's environment holds every library
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "libraries": versions,
        "system": f"{platform.system()} {platform.machine()}",
        "processor": _processor(),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        return platform.processor()
    return next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), "")
