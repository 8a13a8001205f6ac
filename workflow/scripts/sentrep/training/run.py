"""Define the inputs of a training run and the measurements that the run reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sentrep.encoders.base import Encoder
from sentrep.training.checkpoints import Checkpoints


@dataclass
class Run:
    """The inputs of a training run (except the corpus and the parameters) and the measurements that the run reports.

    Attributes:
        seed: random seed.
        threads: number of processor cores to use.
        device: "cpu", "cuda" or, if several processes train together, a numbered GPU such as "cuda:1".
        snapshot: function that saves an intermediate model. If the model's parameters request snapshots, the function
            is called as ``snapshot(epochs, encoder)``, where ``epochs`` is the number of completed epochs.
        inputs: mapping from the name of each input in the configuration to the path of the input. An input is a folder
            with another model or with mined pairs, or the manifest of a source.
        checkpoints: checkpoints to resume from and to write; None for no checkpoints.
        history: rows with the keys "examples", "epoch", "loss", "learning_rate" and "examples_per_second"; "loss"
            is absent if it is unknown. Training appends rows, and the history is saved with the model.
        seconds: wall time of training in seconds, including the time before interruptions.
        resumed_at: for each time that training was resumed, the number of steps completed until then.
        measured: measurements made during training, such as accuracies on a test set. They are saved in ``meta.json``.
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
