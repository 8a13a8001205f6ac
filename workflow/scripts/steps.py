"""Write down which rule needs which, as Snakemake plans it for this configuration."""

import csv
import json
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.io.files import atomic_file
from sentrep.report.graph import read_dot
from sentrep.runtime.job import run


def main(snakemake: Any) -> None:
    """Ask Snakemake for the graph of its rules; planning alone, nothing is run."""
    params = snakemake.params
    with tempfile.TemporaryDirectory() as folder:
        configuration = Path(folder) / "config.json"
        configuration.write_text(json.dumps(params.configuration), encoding="utf-8")
        # params.python is the one that runs Snakemake; that of a conda environment need not have it
        command = [params.python, "-m", "snakemake", "--snakefile", snakemake.input.rules[0]]
        command += ["--configfile", configuration, "--cores", "1", "--rulegraph", "dot"]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        raise SentrepError(
            "snakemake --rulegraph",
            expected="the graph of the rules",
            found=done.stderr.strip().splitlines()[-1] if done.stderr.strip() else f"status {done.returncode}",
            remedy="run `snakemake --rulegraph` and see what it says",
        )
    with atomic_file(snakemake.output.csv) as temporary, temporary.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, lineterminator="\n")
        writer.writerow(["step", "needs"])
        writer.writerows(sorted((step, needed) for needed, step in read_dot(done.stdout)))


if __name__ == "__main__":
    run(main, snakemake)
