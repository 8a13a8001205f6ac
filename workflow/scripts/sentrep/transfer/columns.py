"""The columns of the long table of transfer scores."""

from __future__ import annotations

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
