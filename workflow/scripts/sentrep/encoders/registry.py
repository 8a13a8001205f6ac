"""Load a model folder with the encoder class of its family."""

from __future__ import annotations

import importlib
from pathlib import Path

from sentrep.encoders.base import Encoder
from sentrep.io.files import read_json

# Model family -> module of this package and class, for families whose encoder is not an AveragingEncoder. Modules are
# imported when a model is loaded: some need torch or gensim.
CLASSES = {
    "concatenation": ("concatenation", "Concatenation"),
    "conv_autoencoder": ("neural", "NeuralEncoder"),
    "infersent": ("neural", "NeuralEncoder"),
    "paragraph_vector": ("paragraph", "ParagraphEncoder"),
    "quick_thoughts": ("neural", "NeuralEncoder"),
    "released_skip_thought": ("released", "ReleasedSkipThoughtEncoder"),
    "sdae": ("neural", "NeuralEncoder"),
    "skip_thought": ("neural", "NeuralEncoder"),
    "tfidf": ("tfidf", "TfIdfEncoder"),
    "weighted_aggregation": ("weighted", "WeightedEncoder"),
}


def load_encoder(directory: str | Path) -> Encoder:
    """Load a model folder; ``meta.json`` in it names the family.

    Raises:
        SentrepError: a file is missing or damaged.
    """
    family = read_json(Path(directory) / "meta.json")["family"]
    module, name = CLASSES.get(family, ("base", "AveragingEncoder"))
    return getattr(importlib.import_module(f"sentrep.encoders.{module}"), name).load(directory)
