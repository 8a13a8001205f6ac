"""Load a model folder with the encoder class of its family."""

from __future__ import annotations

import importlib
from pathlib import Path

from sentrep.encoders.base import Encoder
from sentrep.errors import unknown_name
from sentrep.io.files import read_json

# Model family -> module of this package and class. Modules are imported when a model is loaded: some need torch or
# gensim.
CLASSES = {
    "cbos": ("base", "AveragingEncoder"),
    "concatenation": ("concatenation", "Concatenation"),
    "conv_autoencoder": ("neural", "NeuralEncoder"),
    "fastsent": ("base", "AveragingEncoder"),
    "infersent": ("neural", "NeuralEncoder"),
    "paragraph_vector": ("paragraph", "ParagraphEncoder"),
    "pretrained_vectors": ("base", "AveragingEncoder"),
    "quick_thoughts": ("neural", "NeuralEncoder"),
    "random_vectors": ("base", "AveragingEncoder"),
    "released_skip_thought": ("released", "ReleasedSkipThoughtEncoder"),
    "sdae": ("neural", "NeuralEncoder"),
    "siamese_cbow": ("base", "AveragingEncoder"),
    "skip_thought": ("neural", "NeuralEncoder"),
    "tfidf": ("tfidf", "TfIdfEncoder"),
    "weighted_aggregation": ("weighted", "WeightedEncoder"),
    "word2vec": ("base", "AveragingEncoder"),
}


def load_encoder(directory: str | Path) -> Encoder:
    """Load a model folder; ``meta.json`` in it names the family.

    Raises:
        SentrepError: the family is unknown, or a file is missing or damaged.
    """
    path = Path(directory) / "meta.json"
    family = read_json(path)["family"]
    if family not in CLASSES:
        raise unknown_name(path, "family", family, CLASSES)
    module, name = CLASSES[family]
    return getattr(importlib.import_module(f"sentrep.encoders.{module}"), name).load(directory)
