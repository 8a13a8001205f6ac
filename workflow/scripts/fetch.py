"""Find or download one data source, and write its manifest."""

from typing import Any

from sentrep.io.files import write_json
from sentrep.sources.checksums import Checksums
from sentrep.sources.mirror import find
from sentrep.sources.registry import Source


def main(
    *,
    source: str,
    row: dict[str, Any],
    downloads: str,
    manifest: str,
    config: dict[str, Any],
) -> None:
    """Download a data source if it is not available locally, and write its manifest.

    Args:
        source: name of the source.
        row: row of the source in workflow/sources.tsv.
        downloads: folder to download to.
        manifest: file to write.
        config: configuration of the workflow, whose entry ``places`` states where to search for local files. These
            places are not parameters of the rule, so that Snakemake does not rerun the rule if files are moved to
            another folder.
    """
    places = config["places"]
    known = Checksums(places["checksums"])  # read-only, because several jobs of this rule may run at the same time
    write_json(manifest, find(Source(**row), places["mirror"], downloads, places["files"].get(source), known))
