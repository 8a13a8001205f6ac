"""Checkpoints: what a training run needs to go on where it stopped, in one file that is replaced atomically."""

from __future__ import annotations

import json
import shutil
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.files import atomic_file

State = dict[str, npt.NDArray]


@dataclass
class Checkpoint:
    """A moment of training.

    Attributes:
        steps: taken so far, over all epochs.
        seconds: of wall time spent on them, over all runs.
        state: arrays of the learner, whatever it needs.
        history: rows written so far, see :class:`sentrep.families.Run`.
    """

    steps: int
    seconds: float
    state: State
    history: list[dict[str, float]] = field(default_factory=list)


class Checkpoints:
    """The newest checkpoint of one training run, and the intermediate models it has left behind.

    Args:
        directory: belongs to this run alone: its name holds a digest of all that decides the result.
        minutes: time between two checkpoints.
    """

    def __init__(self, directory: str | Path, minutes: float) -> None:
        self.directory = Path(directory)
        self._seconds = 60 * minutes
        self._last = time.monotonic()

    @property
    def path(self) -> Path:
        """The file."""
        return self.directory / "checkpoint.safetensors"

    @property
    def snapshots(self) -> Path:
        """Folder of intermediate models, which an interrupted run must not lose."""
        return self.directory / "snapshots"

    def due(self) -> bool:
        """Return whether it is time for another one."""
        return time.monotonic() - self._last >= self._seconds

    def save(self, checkpoint: Checkpoint) -> None:
        """Replace the checkpoint.

        Raises:
            SentrepError: a number is not finite (the last good checkpoint stays), or the disk is full.
        """
        from safetensors.numpy import save_file

        for name, values in checkpoint.state.items():
            if np.issubdtype(values.dtype, np.floating) and not np.isfinite(values).all():
                raise SentrepError(
                    f"{name} after step {checkpoint.steps}",
                    expected="finite numbers",
                    found="NaN or infinity",
                    remedy="lower the learning rate",
                )
        progress = {key: getattr(checkpoint, key) for key in ("steps", "seconds", "history")}
        state = {name: np.ascontiguousarray(values).reshape(values.shape) for name, values in checkpoint.state.items()}
        with atomic_file(self.path) as temporary:
            save_file(state, temporary, {"progress": json.dumps(progress)})
        self._last = time.monotonic()

    def load(self) -> Checkpoint | None:
        """Return the checkpoint, or None if there is none.

        Raises:
            SentrepError: the file is damaged.
        """
        from safetensors import SafetensorError, safe_open

        if not self.path.exists():
            return None
        try:
            with safe_open(self.path, framework="np") as opened:
                progress = json.loads(opened.metadata()["progress"])
                state = {name: opened.get_tensor(name) for name in opened.keys()}  # noqa: SIM118 - not a dict
        except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
            raise SentrepError(
                self.path, expected="a checkpoint", found=str(error), remedy="delete it: training begins anew"
            ) from None
        return Checkpoint(progress["steps"], progress["seconds"], state, progress["history"])

    def clear(self) -> None:
        """Remove the folder: training is complete."""
        shutil.rmtree(self.directory, ignore_errors=True)
