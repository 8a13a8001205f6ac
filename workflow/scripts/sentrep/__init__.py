"""Sentence embeddings learnt from neighbouring text: corpora, models, evaluation, tables."""

__version__ = "0.1.0"
