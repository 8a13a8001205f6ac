"""What tests of corpora share."""

from pathlib import Path

from sentrep.io.files import write_json


def manifest(folder: Path, *files: Path) -> Path:
    """Write the manifest of a source of these files."""
    path = folder / "manifest.json"
    entries = [{"path": str(file), "bytes": file.stat().st_size, "sha256": ""} for file in files]
    write_json(path, {"name": "test", "files": entries})
    return path
