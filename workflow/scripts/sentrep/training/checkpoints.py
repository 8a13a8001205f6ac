"""Checkpoints: what a training run needs to go on where it stopped, in one file that is replaced atomically."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.io.files import atomic_file, save_tensors

State = dict[str, npt.NDArray]

_PROGRESS = "progress"


@dataclass
class Checkpoint:
    """A moment of training.

    Attributes:
        steps: taken so far, over all epochs.
        seconds: of wall time spent on them, over all runs.
        state: arrays of the learner, whatever it needs.
        history: rows written so far, see :class:`sentrep.families.Run`.
        resumed_at: steps at which training was taken up again before.
    """

    steps: int
    seconds: float
    state: State
    history: list[dict[str, float]] = field(default_factory=list)
    resumed_at: list[int] = field(default_factory=list)


class Checkpoints:
    """The newest checkpoint of one training run, and the intermediate models it has left behind.

    Args:
        directory: belongs to this run alone: its name holds a digest of all that decides the result.
        minutes: time between two checkpoints.
    """

    def __init__(self, directory: str | Path, minutes: float) -> None:
        self.directory = Path(directory)
        self._seconds = 60 * minutes
        self.last_saved = time.monotonic()

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
        return time.monotonic() - self.last_saved >= self._seconds

    def save(self, checkpoint: Checkpoint) -> None:
        """Replace the checkpoint.

        Raises:
            SentrepError: a number is not finite (the last good checkpoint stays), or the disk is full.
        """
        for name, values in checkpoint.state.items():
            if np.issubdtype(values.dtype, np.floating) and not np.isfinite(values).all():
                raise SentrepError(
                    f"{name} after step {checkpoint.steps}",
                    expected="finite numbers",
                    found="NaN or infinity",
                    remedy="lower the learning rate",
                )
        progress = {key: getattr(checkpoint, key) for key in ("steps", "seconds", "history", "resumed_at")}
        # As a tensor: the header, where text goes, has a limit that a long history would pass.
        text = np.frombuffer(json.dumps(progress).encode(), dtype=np.uint8)
        with atomic_file(self.path) as temporary:
            save_tensors({**checkpoint.state, _PROGRESS: text}, temporary)
        self.last_saved = time.monotonic()

    def load(self) -> Checkpoint | None:
        """Return the checkpoint, or None if there is none.

        Raises:
            SentrepError: the file is damaged.
        """
        from safetensors import SafetensorError
        from safetensors.numpy import load_file

        if not self.path.exists():
            return None
        try:
            state = load_file(self.path)
            return Checkpoint(state=state, **json.loads(state.pop(_PROGRESS).tobytes()))
        except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
            raise SentrepError(
                self.path, expected="a checkpoint", found=str(error), remedy="delete it: training begins anew"
            ) from None
