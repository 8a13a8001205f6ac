"""Semantic textual similarity: the 20 SemEval sets and their scores."""
