"""Judge the papers' claims by the result tables of the run."""

from pathlib import Path
from typing import Any

from sentrep.claims.reading import read_claims
from sentrep.claims.run_tables import RunTables
from sentrep.claims.table import build
from sentrep.claims.verdicts import judge_all
from sentrep.runtime.job import run
from sentrep.tables.layout import write_table


def main(snakemake: Any) -> None:
    """Judge all claims; `params.tables` gives the tables' paths below results/, in the order of the inputs."""
    inputs, params = snakemake.input, snakemake.params
    claims = read_claims(inputs.claims)
    files = {name: Path(path) for name, path in zip(params.tables, inputs.tables, strict=True)}
    tables = RunTables(files, Path(inputs.claims).parent)
    verdicts = judge_all(claims, tables, params.preset, params.sample)
    write_table(build(verdicts, claims, params.preset, params.sample), verdicts, dict(snakemake.output.items()))


if __name__ == "__main__":
    run(main, snakemake)
