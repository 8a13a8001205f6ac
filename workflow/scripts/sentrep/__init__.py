"""Sentence embeddings learnt from neighbouring text: corpora, models, evaluation, tables.

``train``, ``load``, ``Model``, ``evaluate`` and ``Evaluation`` are the public interface; they are imported when
they are first used.
"""

import importlib
from pathlib import Path

from sentrep.runtime.compiled_cache import use_writable_cache

__version__ = "0.1.0"
__all__ = ["Evaluation", "Model", "__version__", "evaluate", "load", "train"]

# By name, not by import statements, so that the digest of a rule's code does not cover the whole library.
_MODULES = {"Evaluation": "evaluation", "Model": "model", "evaluate": "evaluation", "load": "model", "train": "model"}

use_writable_cache(Path(__file__).parent)


def __getattr__(name: str) -> object:
    """Import a public name."""
    if name not in _MODULES:
        raise AttributeError(f"module 'sentrep' has no attribute '{name}'")
    return getattr(importlib.import_module(f"sentrep.api.{_MODULES[name]}"), name)
