"""Train and evaluate sentence embeddings, and replicate four papers about them.

The public interface is ``train``, ``load``, ``Model``, ``evaluate``, ``evaluate_transfer``, ``Evaluation`` and, for
scikit-learn, ``SentenceVectors``. Each of these names is imported on first use.
"""

import importlib
from pathlib import Path

from sentrep.runtime.compiled_cache import use_writable_cache

__version__ = "0.1.0"
__all__ = ["Evaluation", "Model", "SentenceVectors", "__version__", "evaluate", "evaluate_transfer", "load", "train"]

# Modules are listed by name instead of imported; otherwise, the code digest of every rule would cover the whole
# library.
_MODULES = {
    "Evaluation": "evaluation",
    "Model": "model",
    "SentenceVectors": "scikit_learn",
    "evaluate": "evaluation",
    "evaluate_transfer": "transfer",
    "load": "model",
    "train": "model",
}

use_writable_cache(Path(__file__).parent)


def __getattr__(name: str) -> object:
    """Import a public name on first use."""
    if name not in _MODULES:
        raise AttributeError(f"module 'sentrep' has no attribute '{name}'")
    return getattr(importlib.import_module(f"sentrep.api.{_MODULES[name]}"), name)
