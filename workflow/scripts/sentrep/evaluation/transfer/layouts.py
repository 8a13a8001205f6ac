"""From the files of a task's sources to the task: which layout they have, and which file is what."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath
from typing import Any

from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.readers import reader
from sentrep.evaluation.transfer.tasks import Task, check_task, count_items

log = logging.getLogger("sentrep")


def build_task(name: str, settings: Mapping[str, Any], members: Iterable[tuple[str, bytes]], sample: bool) -> Task:
    """Read a task from the files of its sources.

    Args:
        name: its key in the configuration.
        settings: its configuration: label, sources, measure, classes or scores, and layouts. The first layout whose
            files are all there is read; its ``files`` name each part's file by a pattern of the end of its path.
        members: (path, content) of every file.
        sample: the sources are sample data.

    Raises:
        SentrepError: no layout fits, a file is malformed, a split or a class is missing.
    """
    at_hand = list(members)
    where = f"transfer.tasks.{name}"
    for layout in settings["layouts"]:
        files = {part: _matching(pattern, at_hand, where) for part, pattern in layout["files"].items()}
        if all(files.values()):
            break
    else:
        wanted = " or ".join(", ".join(layout["files"].values()) for layout in settings["layouts"])
        raise SentrepError(
            where,
            expected=f"files {wanted}",
            found=", ".join(sorted(PurePosixPath(path).name for path, _ in at_hand)[:8]) or "none",
            remedy="put all files of one layout into the task's sources",
        )
    options = {"classes": settings.get("classes") or [], "scores": settings.get("scores"), **layout}
    task = Task(
        name=name,
        label=settings["label"],
        measure=settings["measure"],
        classes=tuple(options["classes"]),
        scores=tuple(options["scores"] or (0, 0)),
        parts=reader(layout["reader"])(files, options),
        sample=sample,
        source=", ".join(settings["sources"]),
    )
    check_task(task, where)
    log.info("%s: %s items, read by %s", name, count_items(task.parts), layout["reader"])
    return task


def _matching(pattern: str, members: list[tuple[str, bytes]], where: str) -> list[tuple[str, bytes]]:
    """Return the files that a pattern means: all that it matches, or the only one where it has no wildcard."""
    found = [(path, content) for path, content in members if PurePosixPath(path).match(pattern)]
    if any(sign in pattern for sign in "*?["):
        return found
    if len({content for _, content in found}) > 1:
        raise SentrepError(
            where,
            expected=f"one {pattern}",
            found=" and ".join(path for path, _ in found[:2]) + ", which differ",
            remedy="keep one of them",
        )
    return found[:1]
