"""Determine where the files of data sources are, and compute digests that identify their content."""

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
    """The data sources of a run.

    Attributes:
        mirror: folder that contains local copies of data sets, or None.
        paths: paths of the files that the run writes.
        used: names of the sources that the run reads.
        files: function that maps the name of a source to the files that the user configured for it, or to None.
    """

    mirror: str | None
    paths: Paths
    used: Sequence[str]
    files: Callable[[str], list[str] | None]

    @cached_property
    def checksums(self) -> Checksums:
        """Cache of the checksums of source files."""
        return Checksums(self.paths.checksums)

    @staticmethod
    def row(name: str) -> dict[str, Any]:
        """Return the row of workflow/sources.tsv that describes a source."""
        return asdict(source(name))

    def state(self, name: str) -> str:
        """Return a digest that identifies the content of a source.

        Jobs that read the source are run again when its content changes, but not when its files are moved.
        """
        return identity(source(name), local_files(name, self.mirror, self.files(name)), self.checksums)

    def places(self) -> dict[str, Any]:
        """Return the settings for finding source files: the mirror, the user's files and the cache of checksums.

        Unlike :meth:`state`, the result does not identify the content of the sources.
        """
        files = {name: patterns for name in self.used if (patterns := self.files(name))}
        return {"mirror": self.mirror, "files": files, "checksums": self.paths.checksums}

    def relocate(self) -> None:
        """Update the paths in the manifests of sources whose files have been moved."""
        for name in self.used:
            relocate(
                self.paths.manifest.format(source=name), source(name), self.mirror, self.files(name), self.checksums
            )
