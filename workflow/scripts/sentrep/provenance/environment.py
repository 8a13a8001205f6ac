"""Describe the environment of a job: library versions, machine and time."""

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
    """Return the time (UTC), the operating system, the processor, and the versions of Python and the main libraries."""
    versions = {}
    for library in _LIBRARIES:
        try:
            versions[library] = metadata.version(library)
        except metadata.PackageNotFoundError:
            continue  # some environments lack optional libraries
    return {
        "time": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "libraries": versions,
        "system": f"{platform.system()} {platform.machine()}",
        "processor": processor(),
    }
