"""Find or download one source and write its manifest."""

from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.io.files import write_json
from sentrep.runtime.job import run
from sentrep.sources.download import download
from sentrep.sources.mirror import check
from sentrep.sources.registry import local_files, manifest, source


def main(snakemake: Any) -> None:
    """Write the manifest of ``params.source``: its local files, or else a download."""
    params = snakemake.params
    files = local_files(params.source, params.mirror, params.files)
    row = source(params.source)
    if not files and params.files is None and row.addresses:
        target = Path(params.downloads) / Path(row.addresses[0]).name
        if not target.exists():
            download(row.addresses, target, row.sha256, row.bytes)
        files = [target]
    if not files:
        wanted = ", ".join(params.files or [row.mirror_path])
        raise SentrepError(
            f"source {params.source}",
            expected=f"files at {wanted} under the mirror {params.mirror or '(none set)'}",
            found="none",
            remedy="set `mirror: DIR`, or name your own text in corpora.books.files",
        )
    record = manifest(params.source, files)
    check(record, row, params.mirror, own=params.files is not None)
    write_json(snakemake.output[0], record)


if __name__ == "__main__":
    run(main, snakemake)
