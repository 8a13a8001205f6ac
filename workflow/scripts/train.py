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
        device: device to train on.
        processes: number of processes that train together.
        threads: number of processor cores.
        code: digest of the code.
        log: log file, for the other processes.
        output: folder to write.
        inputs: inputs other than the corpus, by name.
    """
    folder = Path(output)
    # Not an output, because Snakemake deletes outputs of failed jobs, which need their checkpoints.
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
    shutil.rmtree(checkpoints, ignore_errors=True)  # including those of other settings of this model
