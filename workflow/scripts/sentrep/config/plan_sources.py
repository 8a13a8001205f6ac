"""Determine where the files of data sources are, and compute digests that identify their content."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cached_property
from typing import Any

from sentrep.config.configuration import Configuration
from sentrep.config.paths import Paths
from sentrep.config.planned import Corpus
from sentrep.errors import SentrepError
from sentrep.sources.checksums import Checksums, identity
from sentrep.sources.mirror import relocate
from sentrep.sources.registry import local_files, own_files, source

OWN_PAIRS = "own_pairs"  # source of the user's own sentence pairs


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
        """Return the settings for finding source files: the mirror, the configured files and the checksum cache.

        Unlike the digest from :meth:`state`, these settings do not identify the content of the sources.
        """
        files = {name: patterns for name in self.used if (patterns := self.files(name))}
        return {"mirror": self.mirror, "files": files, "checksums": self.paths.checksums}

    def relocate(self) -> None:
        """Update the paths in the manifests of sources whose files have been moved."""
        for name in self.used:
            relocate(
                self.paths.manifest.format(source=name), source(name), self.mirror, self.files(name), self.checksums
            )


def configured_files(config: Configuration, corpora: Mapping[str, Corpus]) -> dict[str, list[str]]:
    """Return the files, folders and glob patterns that the user configured for each source, keyed by source name.

    Raises:
        SentrepError: different files are configured for the same source.
    """
    found: dict[str, tuple[str, list[str]]] = {}
    for where, name, files in _configured(config, corpora):
        first, before = found.setdefault(name, (where, files))
        if files != before:
            raise SentrepError(
                where,
                expected=(
                    f"the same files as in {first} ({', '.join(before)}), because both keys set the files of "
                    f"the source '{name}'"
                ),
                found=", ".join(files),
                remedy="next to one of the two keys, set `source` to null or to another source",
            )
    return {name: files for name, (_, files) in found.items()}


def _configured(config: Configuration, corpora: Mapping[str, Corpus]) -> Iterator[tuple[str, str, list[str]]]:
    """Yield the dotted path of each list of files in the configuration, the name of its source, and the list itself."""
    for name, corpus in corpora.items():
        if corpus.sentences == name and corpus.settings.files:
            yield f"config.corpora.{name}.files", corpus.source, corpus.settings.files
    for name, model in config.models.items():
        for key, part in model.inputs.items():
            if part.files:
                yield f"config.models.{name}.inputs.{key}.files", own_files(name, key), part.files
    if config.evaluation.own:
        yield "config.evaluation.own", OWN_PAIRS, config.evaluation.own
    if "quick_thoughts" in config.papers:
        for name, task in config.transfer.tasks.items():
            if task.files:
                yield f"config.transfer.tasks.{name}.files", own_files(name, "task"), task.files
        if config.retrieval.source and config.retrieval.files:
            yield "config.retrieval.files", config.retrieval.source, config.retrieval.files
