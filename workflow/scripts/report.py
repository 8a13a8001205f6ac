"""Write the report on a run."""

from pathlib import Path

from sentrep.report.page import write_report


def main(*, html: str) -> None:
    """Write one HTML file that presents all results of the run."""
    output = Path(html)
    write_report(output.parent, output)
