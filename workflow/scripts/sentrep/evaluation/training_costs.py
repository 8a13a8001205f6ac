"""Read the size, training time and hardware of trained models from their folders."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json


@dataclass(frozen=True)
class Cost:
    """The size and training cost of a model that was trained with one or more seeds.

    Attributes:
        family: name of the family of the model.
        parameters: number of parameters stored in the safetensors files of the model folder, except those of snapshots;
            None if there are no such files. Parameters that are needed only for training are not stored.
        dimension: number of components of a sentence vector.
        sentences: number of sentences in the corpus.
        epochs: number of epochs; NaN if the family has no such parameter.
        seconds: wall time of training, averaged over seeds; NaN for an imported model. For a model that is built on
            other models, the time includes the longest training time of these models, as if they had been trained in
            parallel. Logeswaran and Lee (2018, table 1) report training times in the same way.
        seconds_sd: standard deviation of the wall time over seeds (divisor n - 1); NaN for one seed.
        threads: number of threads used in training.
        device: "cpu", "cuda", or "cpu + cuda" if the model was trained on different devices for different seeds, or is
            built on a model that was trained on another device.
        processor: name of the processor.
        processor_share: fraction of the available processor time that training used. The fraction is far below 1 if
            other programs used the processor at the same time. For a model that is built on other models, the
            fraction is averaged over all training time that ``seconds`` includes. With several seeds, the attribute is
            the minimum over seeds. It is NaN if the fraction was not recorded for a seed, or for another model whose
            training time is included.
        imported: whether the model was read from published vectors or weights instead of being trained.
    """

    family: str
    parameters: int | None
    dimension: int
    sentences: int
    epochs: float
    seconds: float
    seconds_sd: float
    threads: int
    device: str
    processor: str
    processor_share: float
    imported: bool

    @property
    def seconds_per_million(self) -> float:
        """Training time over all epochs, in seconds per million sentences of the corpus."""
        return self.seconds / self.sentences * 1e6

    def hours(self, sentences: float | None = None) -> float:
        """Return the training time in hours, scaled to a corpus of ``sentences`` sentences if this number is given."""
        return self.seconds / 3600 * (1 if sentences is None else sentences / self.sentences)


def read_costs(folders: Sequence[str | Path]) -> dict[str, Cost]:
    """Read the costs of several models, and return a mapping from the names of the models to their costs.

    Args:
        folders: folders ``.../<model>/seed<n>`` of all models and seeds.
    """
    named: dict[str, list[Path]] = {}
    for folder in map(Path, folders):
        named.setdefault(folder.parent.name, []).append(folder)
    return {name: read_cost(seeds) for name, seeds in named.items()}


def read_cost(folders: Sequence[str | Path]) -> Cost:
    """Read the cost of one model from the folders of its seeds.

    Args:
        folders: folders ``.../<model>/seed<n>``. The folders of the models that this model is built on must be next
            to ``<model>``.

    Raises:
        SentrepError: a file in the folders is missing or lacks a required value, such as the training time.
    """
    first = Path(folders[0])
    meta = read_json(first / "meta.json")
    imported = _from_a_source(meta) and not (first / "training.csv").exists()
    seconds = [math.nan if imported else training_seconds(folder) for folder in folders]
    devices = sorted({device for folder in folders for device in _devices(Path(folder))})
    return Cost(
        family=meta["family"],
        parameters=stored_numbers(first),
        dimension=int(meta["dimension"]) if "dimension" in meta else load_encoder(first).dimension,
        sentences=int(meta["corpus"]["sentences"]),
        epochs=float(meta["parameters"].get("epochs", math.nan)),
        seconds=float(np.mean(seconds)),
        seconds_sd=float(np.std(seconds, ddof=1)) if len(seconds) > 1 else math.nan,
        threads=int(meta["threads"]),
        device=" + ".join(devices),
        processor=meta.get("processor", ""),
        processor_share=float(np.min([_processor_share(Path(folder)) for folder in folders])),
        imported=imported,
    )


def training_seconds(folder: str | Path) -> float:
    """Return the training time of a model in seconds, plus the longest training time of the models it is built on.

    Raises:
        SentrepError: the training time of the model or of a model that it is built on was not recorded.
    """
    folder = Path(folder)
    meta = read_json(folder / "meta.json")
    if "seconds" not in meta:
        raise SentrepError(
            folder / "meta.json",
            expected="the training time under `seconds`",
            found="no such key",
            remedy="train the model again",
        )
    return float(meta["seconds"]) + max((training_seconds(part) for part in parts_of(folder)), default=0.0)


def parts_of(folder: Path) -> list[Path]:
    """Return the folders of the models that a model is built on; other inputs in its ``meta.json`` are left out."""
    named = read_json(folder / "meta.json").get("inputs", {}).values()
    parts = [folder.parents[1].joinpath(*names) for names in named]
    return [path for path in parts if (path / "meta.json").exists()]


def _devices(folder: Path) -> set[str]:
    return {read_json(folder / "meta.json")["device"]}.union(*(_devices(part) for part in parts_of(folder)))


def _processor_share(folder: Path) -> float:
    """Return the processor share, as described in :class:`Cost`, for one seed of a model."""
    return _processor_seconds(folder) / training_seconds(folder)


def _processor_seconds(folder: Path) -> float:
    meta = read_json(folder / "meta.json")
    longest = max(parts_of(folder), key=training_seconds, default=None)
    own = float(meta["seconds"]) * float(meta.get("processor_share", math.nan))
    return own + (_processor_seconds(longest) if longest else 0.0)


def _from_a_source(meta: Mapping[str, Any]) -> bool:
    """Return whether a model has a data source, such as published vectors, among its inputs."""
    return any(parts[0] == "sources" for parts in meta.get("inputs", {}).values())


def stored_numbers(folder: Path) -> int | None:
    """Return the number of parameters stored in the safetensors files of a model; None if there are no such files.

    If the model is a concatenation of models, the parameters of all its parts are counted. The parameters of snapshots
    are not counted.
    """
    from safetensors import safe_open

    count = 0
    for path in sorted(folder.rglob("*.safetensors")):
        if "snapshots" in path.relative_to(folder).parts:
            continue
        with safe_open(path, framework="numpy") as tensors:
            count += sum(math.prod(tensors.get_slice(name).get_shape()) for name in tensors.keys())  # noqa: SIM118
    return count or None


def elapsed_seconds(history: pd.DataFrame) -> npt.NDArray[np.float64]:
    """Return the training time in seconds up to each row of ``training.csv``, (rows,) float64.

    Time spent on reading the corpus, compiling, and saving intermediate models is not included.

    Args:
        history: history of a model that was trained by :mod:`sentrep.training.loop`, with the columns ``examples``
            (number of examples since the start of training) and ``examples_per_second`` (speed since the previous
            row).
    """
    examples = history["examples"].to_numpy(dtype=np.float64)
    return np.cumsum(np.diff(examples, prepend=0.0) / history["examples_per_second"].to_numpy(dtype=np.float64))


def seconds_at(history: pd.DataFrame, epochs: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the training time in seconds for each of the given numbers of epochs, (n,) float64.

    Args:
        history: a training history as for :func:`elapsed_seconds`, with the additional column ``epoch``.
        epochs: (n,) numbers of epochs, which need not be integers.

    Raises:
        SentrepError: the history covers fewer epochs than the largest number in ``epochs``.
    """
    reached = history["epoch"].to_numpy(dtype=np.float64)
    # The tolerance of 1e-3 is needed because snapshots are taken at the nearest step.
    if not len(reached) or epochs.max() > reached[-1] + 1e-3:
        raise SentrepError(
            "training.csv",
            expected=f"a training history up to epoch {epochs.max():g}",
            found=f"a history up to epoch {reached[-1] if len(reached) else 0:g}",
            remedy="train the model again",
        )
    return np.interp(epochs, np.append(0.0, reached), np.append(0.0, elapsed_seconds(history)))


def read_history(folder: str | Path) -> pd.DataFrame:
    """Read the training history of a model from the file ``training.csv`` in its folder.

    Raises:
        SentrepError: the file is missing or lacks a column.
    """
    return read_csv(Path(folder) / "training.csv", ["examples", "epoch", "examples_per_second"])
