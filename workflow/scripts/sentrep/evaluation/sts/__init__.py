"""Read and score sets of sentence pairs for semantic textual similarity (STS), such as the 20 SemEval sets."""
