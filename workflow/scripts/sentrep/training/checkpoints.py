"""Save and load checkpoints, from which interrupted training runs resume.

A training run has one checkpoint file, which is replaced atomically.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import numpy.typing as npt

from sentrep.encoders.base import check_finite
from sentrep.errors import SentrepError
from sentrep.io.files import atomic_file, plain_os_errors, save_tensors
from sentrep.io.folders import locked

State = dict[str, npt.NDArray]

_PROGRESS = "progress"
_DIGEST = "sha256"


@dataclass
class Checkpoint:
    """The state of a training run after a number of steps.

    Attributes:
        steps: number of completed steps, over all epochs.
        seconds: wall time of training in seconds, including the time before interruptions.
        state: state of the learner, as named arrays.
        history: rows of the training history up to this checkpoint; see :class:`sentrep.training.run.Run`.
        resumed_at: number of steps completed before each resumption of training.
    """

    steps: int
    seconds: float
    state: State
    history: list[dict[str, float]] = field(default_factory=list)
    resumed_at: list[int] = field(default_factory=list)


class Checkpoints:
    """The folder with the newest checkpoint and the snapshots (intermediate models) of one training run.

    Args:
        directory: folder of this training run. The name of the folder contains a digest of everything that determines
            the result.
        minutes: number of minutes between checkpoints.
    """

    def __init__(self, directory: str | Path, minutes: float) -> None:
        self.directory = Path(directory)
        self._seconds = 60 * minutes
        self.last_saved = time.monotonic()

    @property
    def path(self) -> Path:
        """Path of the checkpoint file."""
        return self.directory / "checkpoint.safetensors"

    @property
    def snapshots(self) -> Path:
        """Path of the folder for snapshots, that is, for intermediate models."""
        return self.directory / "snapshots"

    @contextlib.contextmanager
    def alone(self) -> Iterator[None]:
        """Lock the folder during a ``with`` block; if the block succeeds, delete the checkpoint and the snapshots.

        Partial files that a killed process left in the folder are deleted at the start.

        Raises:
            SentrepError: another process is using the folder for the same training run, or the folder cannot be
                written to.
        """
        with contextlib.ExitStack() as stack:
            with plain_os_errors(self.directory):
                stack.enter_context(locked(self.directory, purpose="trains with the same settings"))
            try:
                for partial in self.directory.glob(".*"):  # left by atomic_file or by safetensors
                    partial.unlink()
                yield
                self.path.unlink(missing_ok=True)
                shutil.rmtree(self.snapshots, ignore_errors=True)
            finally:
                for folder in (self.directory, self.directory.parent):
                    with contextlib.suppress(OSError):  # raised if the folder is not empty
                        folder.rmdir()

    def due(self) -> bool:
        """Return whether it is time for the next checkpoint."""
        return time.monotonic() - self.last_saved >= self._seconds

    def save(self, checkpoint: Checkpoint) -> None:
        """Write a checkpoint, which replaces the previous one.

        Raises:
            SentrepError: a value in the state is not finite, or the file cannot be written, for example because the
                disk is full. In both cases, the previous checkpoint is kept.
        """
        for name, values in checkpoint.state.items():
            check_finite(f"{name} after step {checkpoint.steps}", values)
        progress = {key: getattr(checkpoint, key) for key in ("steps", "seconds", "history", "resumed_at")}
        # Progress is stored as a tensor, because a long history could exceed the size limit of the file's header.
        text = np.frombuffer(json.dumps(progress).encode(), dtype=np.uint8)
        tensors = {**checkpoint.state, _PROGRESS: text}
        with atomic_file(self.path) as temporary:
            save_tensors(tensors, temporary, {_DIGEST: self._digest(tensors)})
        self.last_saved = time.monotonic()

    def load(self) -> Checkpoint | None:
        """Return the saved checkpoint, or None if there is none.

        Raises:
            SentrepError: the checkpoint file is damaged or belongs to another training run.
        """
        from safetensors import SafetensorError, safe_open

        if not self.path.exists():
            return None
        try:
            with safe_open(self.path, "numpy") as file:
                state = {name: file.get_tensor(name) for name in file.keys()}  # noqa: SIM118 - safe_open is not a dictionary
                digest = (file.metadata() or {}).get(_DIGEST)
            if digest != self._digest(state):
                raise ValueError("the file is damaged or belongs to another training run")
            return Checkpoint(state=state, **json.loads(state.pop(_PROGRESS).tobytes()))
        except (SafetensorError, OSError, ValueError, KeyError, TypeError) as error:
            raise SentrepError(
                self.path,
                expected="a checkpoint of this training run",
                found=f"an unusable file ({error})",
                remedy="delete the file to restart training from the beginning",
            ) from None

    def _digest(self, tensors: State) -> str:
        """Return a digest of all tensors and of the folder's name; the name identifies the training run."""
        digest = hashlib.sha256(self.directory.name.encode())
        for name, values in sorted(tensors.items()):
            digest.update(f"\0{name}\0{values.dtype}\0{values.shape}\0".encode())
            digest.update(np.ascontiguousarray(values).reshape(-1).view(np.uint8).data)
        return digest.hexdigest()
