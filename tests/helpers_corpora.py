"""Helpers for the tests of corpora."""

import re
from pathlib import Path

from sentrep.corpora.tokenisers import STRIPPED
from sentrep.io.files import write_json


def manifest(folder: Path, *files: Path, **known: object) -> Path:
    """Write the manifest of a source that consists of these files; keyword arguments are further entries."""
    path = folder / "manifest.json"
    entries = [{"path": str(file), "bytes": file.stat().st_size, "sha256": ""} for file in files]
    write_json(path, {"name": "test", **known, "files": entries})
    return path


def kenter_reference(text: str) -> list[str]:
    """Tokenise by the rules of the tokeniser ``kenter``, with one regular expression per rule."""
    symbols = f"[{re.escape(STRIPPED)}]+"
    text = re.sub("/", " / ", text).lower()
    text = re.sub(rf"(^|\s){symbols}", r"\1", text)
    text = re.sub(rf"{symbols}(?=\s|$)", "", text)
    return [token for token in re.split(r"\s+", text) if token]
