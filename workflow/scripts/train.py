"""Train one model with one seed."""

from pathlib import Path
from typing import Any

from sentrep.runtime.job import run
from sentrep.train import train_model, train_together


def main(snakemake: Any) -> None:
    """Write the model folder."""
    params, output = snakemake.params, Path(snakemake.output[0])
    arguments = {
        "store_directory": snakemake.input.store,
        "output": output,
        "family_name": params.model["family"],
        "parameters": params.model["parameters"],
        "seed": int(snakemake.wildcards.seed),
        "threads": snakemake.threads,
        "device": params.device,
        "inputs": {name: path for name, path in snakemake.input.items() if name != "store"},
        # Not an output: Snakemake would delete it when a job fails, which is when it is needed.
        "checkpoints": output.parents[2] / "checkpoints" / output.parent.name / output.name,
        "provenance": {
            "preset": params.preset,
            "model": snakemake.wildcards.model,
            "code": params.code,
        },
    }
    if params.processes > 1:
        train_together(params.processes, snakemake.log[0], arguments)
    else:
        train_model(**arguments)


if __name__ == "__main__":
    run(main, snakemake)
