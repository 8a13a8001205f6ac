"""Find or download one source and write its manifest."""

from typing import Any

from sentrep.io.files import write_json
from sentrep.sources.mirror import find
from sentrep.sources.registry import Source


def main(
    *,
    source: str,  # noqa: ARG001 - as in `row`
    row: dict[str, Any],
    files: list[str] | None,
    state: list[Any],  # noqa: ARG001 - Snakemake reruns the rule when it changes
    mirror: str | None,
    downloads: str,
    manifest: str,
) -> None:
    """Write the manifest of a source's local files, or else of its download.

    Args:
        source: its name.
        row: its row in workflow/sources.tsv.
        files: globs of the files that the user named for it.
        state: of its files; a change reruns the rule.
        mirror: folder of data sets.
        downloads: folder for downloads.
        manifest: file to write.
    """
    write_json(manifest, find(Source(**row), mirror, downloads, files))
