"""Load a trained model from its folder, using the encoder class of the model's family."""

from __future__ import annotations

import importlib
from pathlib import Path

from sentrep.encoders.base import AveragingEncoder, Encoder
from sentrep.errors import SentrepError
from sentrep.io.folders import FolderKind
from sentrep.io.seal import read_meta

# Module and class of each family whose encoder is not an AveragingEncoder. A module is imported only when a model of
# the family is loaded, because some modules need torch or gensim.
CLASSES = {
    "concatenation": ("concatenation", "Concatenation"),
    "conv_autoencoder": ("neural", "NeuralEncoder"),
    "infersent": ("neural", "NeuralEncoder"),
    "paragraph_vector": ("paragraph", "ParagraphEncoder"),
    "quick_thoughts": ("neural", "NeuralEncoder"),
    "released_skip_thought": ("released", "ReleasedSkipThoughtEncoder"),
    "sdae": ("neural", "NeuralEncoder"),
    "sentence_transformer": ("foreign", "SentenceTransformerEncoder"),
    "skip_thought": ("neural", "NeuralEncoder"),
    "tfidf": ("tfidf", "TfIdfEncoder"),
    "weighted_aggregation": ("weighted", "WeightedEncoder"),
}


def load_encoder(directory: str | Path) -> Encoder:
    """Load the encoder in a model folder, using the encoder class of the family that ``meta.json`` names.

    Raises:
        SentrepError: a file is missing or damaged, or the folder is not a model folder.
    """
    family = _family(Path(directory))
    module, name = CLASSES.get(family, ("base", "AveragingEncoder"))
    return getattr(importlib.import_module(f"sentrep.encoders.{module}"), name).load(directory)


def load_word_vectors(directory: str | Path) -> AveragingEncoder:
    """Load a model that represents a sentence by the mean or the sum of its word vectors.

    Raises:
        SentrepError: the model cannot be loaded, or represents sentences in a different way.
    """
    encoder = load_encoder(directory)
    if not isinstance(encoder, AveragingEncoder):
        raise SentrepError(
            directory,
            expected="a model that represents a sentence by the mean or the sum of its word vectors",
            found=f"a model of family {encoder.meta.get('family')}",
            remedy="use a model with word vectors, such as a word2vec model",
        )
    return encoder


def _family(directory: Path) -> str:
    """Return the model family named in the ``meta.json`` of a model folder.

    Raises:
        SentrepError: ``meta.json`` is missing or damaged, or does not belong to a model.
    """
    meta = read_meta(directory)
    if not isinstance(meta.get("family"), str):
        raise SentrepError(
            directory / "meta.json",
            expected="the name of a model family under the key `family`",
            found=repr(meta["family"]) if "family" in meta else "no such key",
            remedy="pass a model folder, or train the model again",
        )
    return meta["family"]


def _is_model(directory: Path) -> bool:
    try:
        return bool(_family(directory))
    except (SentrepError, OSError):
        return False


MODEL = FolderKind("a model folder", _is_model)
