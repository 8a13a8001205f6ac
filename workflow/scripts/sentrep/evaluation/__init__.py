"""Evaluation: sets of sentence pairs, scoring a model on them, significance, timing."""
