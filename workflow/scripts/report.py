"""Write the report on a run."""

from pathlib import Path
from typing import Any

from sentrep.report.build import write_report
from sentrep.report.folder import of_run
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Make one HTML file from all results."""
    source, output = snakemake.input, Path(snakemake.output.html)
    targets = [*source.results, *source.provenance, source.steps]
    write_report(of_run(output.parent, targets, Path(snakemake.params.benchmarks)), output)


if __name__ == "__main__":
    run(main, snakemake)
