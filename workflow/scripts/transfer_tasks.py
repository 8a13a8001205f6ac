"""Read the transfer tasks from the files of their sources."""

from typing import Any

from sentrep.evaluation.transfer.readers import build_task
from sentrep.evaluation.transfer.tasks import write_task
from sentrep.runtime.job import run
from sentrep.sources.archives import iter_members


def main(snakemake: Any) -> None:
    """Write each task as JSON lines; the output is in the order of `params.tasks`."""
    params = snakemake.params
    for path, (name, settings) in zip(snakemake.output, params.tasks.items(), strict=True):
        members = [member for manifest in params.manifests[name] for member in iter_members(manifest)]
        write_task(path, build_task(name, settings, members, params.sample))


if __name__ == "__main__":
    run(main, snakemake)
