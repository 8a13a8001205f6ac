"""Import the NLTK classes that this library uses, in a fifth of the time that ``import nltk`` takes.

``import nltk`` also imports scikit-learn and ``scipy.stats`` if they are installed, for parts of NLTK that this library
does not use. These imports would take 1.5 s of processor time in each job of the workflow.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def _hidden(*modules: str) -> Iterator[None]:
    """Make imports of ``modules`` fail in a ``with`` block, unless the modules are already loaded."""
    absent = [name for name in modules if name not in sys.modules]
    for name in absent:
        sys.modules[name] = None  # pyright: ignore[reportArgumentType] - makes an import raise ModuleNotFoundError
    try:
        yield
    finally:
        for name in absent:
            del sys.modules[name]


with _hidden("sklearn", "scipy.stats"):
    from nltk.stem.porter import PorterStemmer
    from nltk.tokenize import NLTKWordTokenizer
    from nltk.tokenize.punkt import (
        PunktLanguageVars,
        PunktParameters,
        PunktSentenceTokenizer,
        PunktToken,
        PunktTrainer,
    )

__all__ = [
    "NLTKWordTokenizer",
    "PorterStemmer",
    "PunktLanguageVars",
    "PunktParameters",
    "PunktSentenceTokenizer",
    "PunktToken",
    "PunktTrainer",
]
