"""Write the report on a run."""

from pathlib import Path
from typing import Any

from sentrep.report.page import write_report


def main(snakemake: Any) -> None:
    """Write one HTML file that presents all results of the run."""
    output = Path(snakemake.output.html)
    write_report(output.parent, output)
