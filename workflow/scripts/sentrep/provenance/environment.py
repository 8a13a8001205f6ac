"""The environment of a job: versions, machine and time."""

from __future__ import annotations

import platform
from datetime import UTC, datetime
from importlib import metadata
from typing import Any

from sentrep.runtime.machine import processor

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
            continue  # not every environment has every library
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "libraries": versions,
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
    }
