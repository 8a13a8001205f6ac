"""Evaluation of models: scores on sentence pairs and other tasks, significance tests and timing."""
