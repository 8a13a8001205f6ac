"""Train one model: the single way from a token store to a model folder, for rules and for the command line."""

from __future__ import annotations

import csv
import logging
import resource
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sentrep.encoders import Encoder
from sentrep.errors import SentrepError
from sentrep.families import Run, family, parse_parameters
from sentrep.files import atomic_directory
from sentrep.provenance import environment
from sentrep.store import TokenStore

log = logging.getLogger("sentrep")


def train_model(
    store_directory: str | Path,
    output: str | Path,
    *,
    family_name: str,
    parameters: Mapping[str, Any],
    seed: int,
    threads: int = 1,
    device: str = "auto",
    inputs: Mapping[str, str | Path] | None = None,
    provenance: Mapping[str, Any] | None = None,
) -> Encoder:
    """Train and write a model folder; it appears whole or not at all.

    Beside what the encoder saves, the folder holds ``training.csv`` (loss and speed while training) and, where the
    parameters ask for them, ``snapshots/<epochs>/``, each a model folder.

    Args:
        store_directory: a token store.
        output: the folder to write.
        family_name: key of the family.
        parameters: of the family; missing ones take their defaults.
        seed: of all random numbers.
        threads: processor cores.
        device: "auto", "cpu" or "cuda".
        inputs: folders of other models or data that the family asks for, by name.
        provenance: added to ``meta.json``.

    Raises:
        SentrepError: a parameter is wrong, CUDA is absent, the corpus is too small, the loss is not finite.
    """
    store = TokenStore.open(store_directory)
    checked = parse_parameters(family_name, parameters, f"{family_name}.parameters")
    device = resolve_device(device)
    paths = {name: Path(path) for name, path in (inputs or {}).items()}
    started = time.monotonic()
    meta = {
        **(provenance or {}),
        **{"family": family_name, "parameters": asdict(checked), "seed": seed, "threads": threads, "device": device},
        "corpus": {key: store.meta.get(key) for key in ("tokens", "sentences", "documents", "source", "source_sha256")},
        "vocabulary": store.vocabulary_size,
        "inputs": {name: Path(path).parts[-2:] for name, path in (inputs or {}).items()},
        **environment(),
    }
    with atomic_directory(output) as folder:

        def snapshot(epochs: float, encoder: Encoder) -> None:
            directory = folder / "snapshots" / f"{epochs:.4f}"
            directory.mkdir(parents=True)
            encoder.meta = {**meta, "epochs": epochs}
            encoder.save(directory)

        run = Run(seed=seed, threads=threads, device=device, snapshot=snapshot, inputs=paths)
        log.info("training %s on %s with %d thread(s), seed %d", family_name, device, threads, seed)
        encoder = family(family_name).train(store, checked, run)
        encoder.meta = {
            **meta,
            "seconds": round(time.monotonic() - started, 2),
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        encoder.save(folder)
        if run.history:
            with (folder / "training.csv").open("w", newline="", encoding="utf-8") as stream:
                writer = csv.DictWriter(stream, list(run.history[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(run.history)
    return encoder


def resolve_device(wanted: str) -> str:
    """Return "cuda" or "cpu" for "auto", "cuda" or "cpu".

    Raises:
        SentrepError: CUDA is asked for and there is none.
    """
    # Importing torch takes seconds, so it is asked only where the driver's tool or device node is.
    driver = shutil.which("nvidia-smi") is not None or Path("/dev/nvidiactl").exists()
    if wanted == "cpu" or (wanted == "auto" and not driver):
        return "cpu"
    import torch

    if torch.cuda.is_available():
        return "cuda"
    if wanted == "auto":
        return "cpu"
    raise SentrepError(
        "config.device",
        expected="a CUDA device",
        found=f"none (torch {torch.__version__} built for CUDA {torch.version.cuda})",
        remedy="set `device: cpu` or `auto`, or install a CUDA build of torch",
    )
