"""Judge the papers' claims by the run's table of values."""

from pathlib import Path
from typing import Any

from sentrep.claims.table import write_claims
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Write the table of claims; the papers' published values are next to the list of claims."""
    inputs, params, outputs = snakemake.input, snakemake.params, dict(snakemake.output.items())
    reported = Path(inputs.claims).parent
    write_claims(reported, inputs.values, outputs, preset=params.preset, sample=params.sample)


if __name__ == "__main__":
    run(main, snakemake)
