"""Find or download one source and write its manifest."""

from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.io.files import write_json
from sentrep.sources.download import download
from sentrep.sources.mirror import check
from sentrep.sources.registry import Source, local_files, repository_root
from sentrep.sources.registry import manifest as record


def main(
    *,
    source: str,
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
    known = Source(**row)
    found = local_files(source, mirror, files)
    if not found and files is None and known.addresses:
        target = Path(downloads) / Path(known.addresses[0]).name
        if not target.exists():
            download(known.addresses, target, known.sha256, known.bytes)
        found = [target]
    if not found:
        raise SentrepError(
            f"source {source}",
            expected=f"files at {', '.join(files or [known.mirror_path])} under the mirror {mirror or '(none set)'}",
            found="none",
            remedy="set `mirror: DIR`, or name your own text in corpora.books.files",
        )
    written = record(source, found)
    check(written, known, mirror, own=files is not None)
    if known.git_tree:
        written["root"] = str(repository_root(known, found, mirror))
    write_json(manifest, written)
