"""What a training run is given, and what it reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sentrep.encoders.base import Encoder
from sentrep.training.checkpoints import Checkpoints


@dataclass
class Run:
    """What a training run is given besides data and parameters.

    Attributes:
        seed: of every random number drawn.
        threads: processor cores to use.
        device: "cpu" or "cuda", already checked to exist.
        snapshot: called as ``snapshot(epochs, encoder)`` where a family's parameters ask for intermediate models.
        inputs: folders of what the model is built on besides its corpus (other models, mined pairs), by the
            names that the configuration gives them.
        checkpoints: where an interrupted run leaves what it needs to go on; None: nowhere.
        history: rows of {"examples", "epoch", "loss", "learning_rate", "examples_per_second"}, filled while
            training and written beside the model.
        seconds: wall time spent training, interrupted runs included.
        resumed_at: steps at which an interrupted run was taken up again.
        measured: what the family measures on its own data, such as accuracies on a test set; goes to ``meta.json``.
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
