"""Train a model on a token store and write the model folder."""

from __future__ import annotations

import contextlib
import csv
import hashlib
import json
import logging
import resource
import shutil
import time
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import Encoder
from sentrep.encoders.registry import MODEL
from sentrep.errors import SentrepError
from sentrep.families import check_inputs, cpu_only, family, parse_parameters
from sentrep.io.folders import atomic_directory, output_folder
from sentrep.provenance.code_digest import code_digest
from sentrep.provenance.environment import environment
from sentrep.runtime.devices import resolve_device
from sentrep.runtime.progress import about
from sentrep.training import distributed, outcome
from sentrep.training.checkpoints import Checkpoints
from sentrep.training.launch import run_together
from sentrep.training.run import Run

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
    checkpoints: str | Path | None = None,
    checkpoint_minutes: float = 5.0,
    provenance: Mapping[str, Any] | None = None,
    overwrite: bool = False,
) -> Encoder:
    """Train a model and write its folder atomically.

    In addition to the encoder's files, the folder contains ``training.csv`` if the family records loss and speed during
    training, and the model folders ``snapshots/<epochs>/`` if the parameters request snapshots. Processes started by
    torchrun train one model together, and the first process writes the model; see
    :mod:`sentrep.training.distributed`.

    Args:
        store_directory: folder of the token store on which the model is trained.
        output: model folder to write.
        family_name: name of the model family, which is the name of a module in :mod:`sentrep.families`.
        parameters: parameters of the family; omitted parameters take their default values.
        seed: seed of the random number generators.
        threads: number of processor cores to use.
        device: "auto", "cpu" or "cuda".
        inputs: mapping from the names of the family's additional inputs, such as ``embeddings``, to the paths of models
            or data.
        checkpoints: folder of checkpoints, from which an interrupted run resumes; if None, no checkpoints are written.
        checkpoint_minutes: number of minutes between two checkpoints.
        provenance: additional entries for ``meta.json``, such as the digest of the code.
        overwrite: whether to replace an existing model in ``output``.

    Returns:
        The encoder of the trained model.

    Raises:
        SentrepError: the family, the token store, the seed, a parameter or an input is invalid, ``output`` cannot be
            used, CUDA is requested but not available, the corpus is too small, the loss is not finite, or training was
            interrupted by a signal.
    """
    paths = {name: Path(path) for name, path in (inputs or {}).items()}
    read = [store_directory, *paths.values()]
    apart = [*read, *([checkpoints] if checkpoints is not None else [])]
    MODEL.check(output, overwrite=overwrite, apart=apart)  # reports an invalid folder before training
    if not 0 <= seed < 2**63:
        raise SentrepError(
            "seed", expected="a number from 0 to 2^63 - 1", found=str(seed), remedy="choose another seed"
        )
    store = TokenStore.open(store_directory)
    checked = parse_parameters(family_name, parameters, f"{family_name}.parameters")
    check_inputs(family_name, paths, f"{family_name}.inputs")
    device = "cpu" if cpu_only(family_name) else resolve_device(device)
    settings = {"family": family_name, "parameters": asdict(checked), "seed": seed, "device": device}
    meta = {
        **(provenance or {}),
        **settings,
        "threads": threads,
        "processes": distributed.world_size(),
        "corpus": {key: store.meta.get(key) for key in ("tokens", "sentences", "documents", "source", "source_sha256")},
        "vocabulary": store.vocabulary_size,
        "inputs": {name: path.parts[-2:] for name, path in paths.items()},
        **environment(),
    }
    run = Run(seed=seed, threads=threads, device=distributed.device_of(device), inputs=paths)
    if checkpoints is not None:
        identity = {
            **settings,
            "code": (provenance or {}).get("code") or code_digest(__name__, f"sentrep.families.{family_name}"),
            "files": _files(read),
        }
        digest = hashlib.sha256(json.dumps(identity, sort_keys=True).encode()).hexdigest()[:16]
        run.checkpoints = Checkpoints(Path(checkpoints) / digest, checkpoint_minutes)
    with contextlib.ExitStack() as stack:
        if model := (provenance or {}).get("model"):
            stack.enter_context(about(f"{model}, seed {seed}"))
        stack.enter_context(distributed.process_group(device))
        if distributed.rank() > 0:
            return family(family_name).train(store, checked, run)
        if run.checkpoints:
            stack.enter_context(run.checkpoints.alone())
        folder = stack.enter_context(output_folder(output, MODEL, overwrite=overwrite, apart=apart))
        snapshots = run.checkpoints.snapshots if run.checkpoints else folder / "snapshots"

        def snapshot(epochs: float, encoder: Encoder) -> None:
            encoder.meta = {**meta, "epochs": epochs}
            with atomic_directory(snapshots / f"{epochs:.4f}") as directory:
                encoder.save(directory)

        run.snapshot = snapshot
        started, used = time.monotonic(), time.process_time()
        log.info("training %s on %s with %d thread(s), seed %d", family_name, device, threads, seed)
        encoder = family(family_name).train(store, checked, run)
        elapsed, used = time.monotonic() - started, time.process_time() - used
        warnings = [*outcome.inherited(paths.values()), *outcome.findings(encoder, store, run.history)]
        for warning in warnings:
            log.warning("warning: %s", warning)
        encoder.meta = {
            **meta,
            **({"warnings": warnings} if warnings else {}),
            "seconds": round(run.seconds or elapsed, 2),
            "processor_share": round(used / (elapsed * threads), 3),
            "resumed_at": run.resumed_at,
            "dimension": encoder.dimension,
            **({"measured": run.measured} if run.measured else {}),
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        encoder.save(folder)
        if run.history:
            with (folder / "training.csv").open("w", newline="", encoding="utf-8") as stream:
                writer = csv.DictWriter(stream, list(run.history[0]), lineterminator="\n")
                writer.writeheader()
                writer.writerows(run.history)
        if snapshots.exists() and snapshots.parent != folder:
            shutil.copytree(snapshots, folder / "snapshots")
    return encoder


def train_together(processes: int, log_file: str | Path | None, arguments: Mapping[str, Any]) -> None:
    """Train one model in several processes that each call :func:`train_model`; see :mod:`sentrep.training.launch`.

    Args:
        processes: number of processes to start.
        log_file: file to which the first process appends its log, or None.
        arguments: keyword arguments with which each process calls :func:`train_model`.

    Raises:
        SentrepError: a process failed, or a signal interrupted the training.
    """
    run_together(train_model, arguments, processes, str(arguments["family_name"]), log_file)


def _files(roots: list[str | Path]) -> list[tuple[str, int, int]]:
    """Return the path, size in bytes and modification time in nanoseconds of each file in ``roots``.

    Folders are searched recursively. Training resumes from a checkpoint only if these values have not changed since the
    checkpoint was written; the contents of the files are not compared.
    """
    paths = [path for root in map(Path, roots) for path in ([root] if root.is_file() else sorted(root.rglob("*")))]
    return [(str(path), path.stat().st_size, path.stat().st_mtime_ns) for path in paths if path.is_file()]
