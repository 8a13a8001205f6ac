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
    """Write the model folder.

    Args:
        store: token store of the corpus.
        settings: family and parameters.
        identity: preset, model and seed.
        device: where to train.
        processes: how many train together.
        threads: processor cores to use.
        code: digest of the code.
        log: log file, for the other processes.
        output: folder to write.
        inputs: what the model is built on besides its corpus.
    """
    folder = Path(output)
    # Not an output: Snakemake would delete it when a job fails, which is when it is needed.
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
    shutil.rmtree(checkpoints, ignore_errors=True)  # those of other settings of this model, too
