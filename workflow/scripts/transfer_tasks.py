"""Convert the transfer tasks from their original formats to JSON Lines."""

from typing import Any

from sentrep.evaluation.transfer.readers import build_task
from sentrep.evaluation.transfer.tasks import write_task
from sentrep.sources.archives import iter_members


def main(tasks: dict[str, Any], manifests: dict[str, list[str]], sample: bool, item_files: list[str]) -> None:
    """Write one JSON Lines file for each transfer task.

    Args:
        tasks: settings of each task, by its key in the configuration.
        manifests: source manifests of each task, by the task's key.
        sample: whether the sources contain sample data.
        item_files: files to write, in the order of ``tasks``.
    """
    for path, (name, settings) in zip(item_files, tasks.items(), strict=True):
        members = [member for manifest in manifests[name] for member in iter_members(manifest)]
        write_task(path, build_task(name, settings, members, sample))
