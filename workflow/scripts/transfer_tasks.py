"""Read the transfer tasks from the files of their sources."""

from typing import Any

from sentrep.job import run
from sentrep.sources import iter_members
from sentrep.transfer.layouts import build_task
from sentrep.transfer.tasks import write_task


def main(snakemake: Any) -> None:
    """Write each task as JSON lines; the output is in the order of `params.tasks`."""
    params = snakemake.params
    for path, (name, settings) in zip(snakemake.output, params.tasks.items(), strict=True):
        members = [member for manifest in params.manifests[name] for member in iter_members(manifest)]
        write_task(path, build_task(name, settings, members, params.sample))


if __name__ == "__main__":
    run(main, snakemake)
