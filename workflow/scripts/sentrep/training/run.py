"""The inputs and reports of a training run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sentrep.encoders.base import Encoder
from sentrep.training.checkpoints import Checkpoints


@dataclass
class Run:
    """The inputs of training other than the corpus and the parameters, and its reports.

    Attributes:
        seed: random seed.
        threads: number of processor cores.
        device: "cpu" or "cuda"; the device is available.
        snapshot: called as ``snapshot(epochs, encoder)`` if the family's parameters request snapshots.
        inputs: folders of other models or mined pairs, by their names in the configuration.
        checkpoints: checkpoints to resume from and to write, or None.
        history: rows of {"examples", "epoch", "loss", "learning_rate", "examples_per_second"}, filled by training and
            written next to the model.
        seconds: wall time of the training, including interrupted runs.
        resumed_at: steps at which the training was resumed.
        measured: measurements of the family on its own data, such as accuracies on a test set, for ``meta.json``.
    """

    seed: int
    threads: int = 1
    device: str = "cpu"
    snapshot: Callable[[float, Encoder], None] = lambda _epochs, _encoder: None
    inputs: Mapping[str, Path] = field(default_factory=dict)
    checkpoints: Checkpoints | None = None
    history: list[dict[str, float]] = field(default_factory=list)
    seconds: float = 0.0
    resumed_at: list[int] = field(default_factory=list)
    measured: dict[str, Any] = field(default_factory=dict)
