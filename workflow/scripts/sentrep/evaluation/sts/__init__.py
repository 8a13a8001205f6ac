"""Read sets of sentence pairs for semantic textual similarity (STS), and score models on these sets."""
