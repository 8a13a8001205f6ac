"""Find or download one source and write its manifest."""

from typing import Any

from sentrep.io.files import write_json
from sentrep.sources.checksums import Checksums
from sentrep.sources.mirror import find
from sentrep.sources.registry import Source


def main(
    *,
    source: str,
    row: dict[str, Any],
    state: str,  # noqa: ARG001 - Snakemake reruns the rule when it changes
    downloads: str,
    manifest: str,
    config: dict[str, Any],
) -> None:
    """Write the manifest of a source's local files or, if there are none, of its download.

    Args:
        source: name of the source.
        row: row of the source in workflow/sources.tsv.
        state: identity of its content; a change reruns the rule.
        downloads: folder for downloads.
        manifest: file to write.
        config: the workflow's; `places` says where sources are searched for. It is no parameter of the rule, because
            the same files at another place must not rerun it.
    """
    places = config["places"]
    known = Checksums(places["checksums"])  # only read: several of these jobs run at the same time
    write_json(manifest, find(Source(**row), places["mirror"], downloads, places["files"].get(source), known))
