"""The long table of transfer scores: its columns, and which of its protocols stand beside the papers' numbers."""

from __future__ import annotations

# The second is that of Kim's network, which is trained for each task and has no other.
PAPER_PROTOCOLS = ("kiros", "kim")

SCORE_COLUMNS = [
    "preset",
    "protocol",
    "task",
    "model",
    "seed",
    "metric",
    "value",
    "fold_sd",
    "folds",
    "items",
    "dimension",
    "normalisation",
    "scale",
    "zero_vectors",
    "validation",
    "chosen",
    "sample",
]
