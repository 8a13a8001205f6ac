"""The part of a plan that says where the files of sources are, and what identifies them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from sentrep.config.paths import Paths
from sentrep.sources.checksums import Checksums, identity
from sentrep.sources.mirror import relocate
from sentrep.sources.registry import local_files, source


@dataclass(frozen=True)
class SourcesPlan:
    """Sources of a run.

    Attributes:
        mirror: folder of data sets.
        paths: where the run writes.
        used: names of the sources that it reads.
        files: the files that the user named for a source, or None.
    """

    mirror: str | None
    paths: Paths
    used: Sequence[str]
    files: Callable[[str], list[str] | None]

    @cached_property
    def checksums(self) -> Checksums:
        """Remembered checksums of their files."""
        return Checksums(self.paths.checksums)

    @staticmethod
    def row(name: str) -> dict[str, Any]:
        """Return the row of a source in workflow/sources.tsv."""
        return asdict(source(name))

    def state(self, name: str) -> str:
        """Return the identity of a source's content; a change reruns what reads it, another place does not."""
        return identity(source(name), local_files(name, self.mirror, self.files(name)), self.checksums)

    def places(self) -> dict[str, Any]:
        """Return where sources are searched for on this machine, which is no identity of anything."""
        files = {name: patterns for name in self.used if (patterns := self.files(name))}
        return {"mirror": self.mirror, "files": files, "checksums": self.paths.checksums}

    def relocate(self) -> None:
        """Let the manifests of sources point to where their files are now."""
        for name in self.used:
            relocate(
                self.paths.manifest.format(source=name), source(name), self.mirror, self.files(name), self.checksums
            )
