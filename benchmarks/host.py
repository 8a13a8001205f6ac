"""Describe the environment in which benchmarks run: the machine, its load, and the versions of libraries."""

from __future__ import annotations

import importlib.util
import os
import platform
import re
from functools import cache
from importlib import metadata
from pathlib import Path

# Maximum load average of a machine that counts as idle; a single busy process, with a load of 1, already takes a core
# away from the benchmarks.
IDLE_LOAD = 0.3
PEERS = (
    *("torch", "numpy", "numba", "gensim", "sentence-transformers", "tokenizers", "nltk", "mwparserfromhell"),
    "wikitextparser",
)


def cpu_model() -> str:
    """Return the name of the processor."""
    info = Path("/proc/cpuinfo")
    found = re.search(r"model name\s*:\s*(.+)", info.read_text()) if info.exists() else None
    return found[1].strip() if found else platform.processor() or platform.machine()


@cache
def versions() -> str:
    """Return the versions of Python and of the libraries in ``PEERS`` that are installed."""
    found = [f"python {platform.python_version()}"]
    for name in PEERS:
        try:
            found.append(f"{name} {metadata.version(name)}")
        except metadata.PackageNotFoundError:
            continue
    return ", ".join(found)


def installed(module: str) -> bool:
    """Return whether a module is installed."""
    return importlib.util.find_spec(module) is not None


def machine() -> dict[str, str]:
    """Return the processor, the number of cores, the memory, the operating system, the GPU and the version of torch."""
    import torch

    pages = os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")
    return {
        "processor": cpu_model(),
        "cores": str(os.cpu_count()),
        "memory": f"{pages / 2**30:.0f} GiB",
        "system": f"{platform.system()} {platform.release()} {platform.machine()}",
        "gpu": torch.cuda.get_device_name() if torch.cuda.is_available() else "none",
        "torch": torch.__version__,
    }


def file_name(described: dict[str, str]) -> str:
    """Return a file name without extension that identifies the machine described by :func:`machine`."""
    gpu = "" if described["gpu"] == "none" else f" {described['gpu']}"
    text = f"{described['processor']} {described['cores']} cores{gpu}"
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def load_line(load: float | None = None) -> str:
    """Return a line of text that states the load average of the machine and whether the machine is idle.

    Args:
        load: load average; None to use the current one.
    """
    load = os.getloadavg()[0] if load is None else load
    if load <= IDLE_LOAD:
        return f"load average {load:.2f}: the machine is idle"
    return f"LOAD AVERAGE {load:.2f}: OTHER PROGRAMS ARE RUNNING. Do not quote figures measured on a busy machine."
