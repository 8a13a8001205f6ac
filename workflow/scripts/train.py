"""Train one model with one seed."""

import shutil
from pathlib import Path
from typing import Any

from sentrep.api.training import train_model, train_together


def main(
    *,
    store: str,
    settings: dict[str, Any],
    identity: dict[str, Any],
    device: str,
    processes: int,
    threads: int,
    code: str,
    log: str,
    output: str,
    **inputs: str,
) -> None:
    """Train a model and write its folder.

    Args:
        store: token store of the corpus.
        settings: family and parameters of the model.
        identity: preset, model and seed.
        device: device to train on.
        processes: number of processes that train the model together.
        threads: number of processor cores to use.
        code: digest of the code, which is recorded in the model folder.
        log: log file of the job. If several processes train the model, only the first appends messages to this file.
        output: folder to write.
        inputs: paths of the model's other inputs, by name.
    """
    folder = Path(output)
    # Checkpoints are not an output of the rule, because Snakemake deletes the outputs of a failed job, but a rerun of
    # the job needs the checkpoints.
    checkpoints = folder.parents[2] / "checkpoints" / folder.parent.name / folder.name
    arguments = {
        "store_directory": store,
        "output": folder,
        "family_name": settings["family"],
        "parameters": settings["parameters"],
        "seed": identity["seed"],
        "threads": threads,
        "device": device,
        "inputs": inputs,
        "checkpoints": checkpoints,
        "overwrite": True,
        "provenance": {"preset": identity["preset"], "model": identity["model"], "code": code},
    }
    if processes > 1:
        train_together(processes, log, arguments)
    else:
        train_model(**arguments)
    shutil.rmtree(checkpoints, ignore_errors=True)  # also deletes checkpoints that were written with other settings
