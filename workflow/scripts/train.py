"""Train one model with one seed."""

from typing import Any

from sentrep.job import run
from sentrep.train import train_model


def main(snakemake: Any) -> None:
    """Write the model folder."""
    params = snakemake.params
    train_model(
        snakemake.input.store,
        snakemake.output[0],
        family_name=params.model["family"],
        parameters=params.model["parameters"],
        seed=int(snakemake.wildcards.seed),
        threads=snakemake.threads,
        device=params.device,
        inputs={name: path for name, path in snakemake.input.items() if name != "store"},
        provenance={"preset": snakemake.wildcards.preset, "model": snakemake.wildcards.model, "code": params.code},
    )


if __name__ == "__main__":
    run(main, snakemake)
