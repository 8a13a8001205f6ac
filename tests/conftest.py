"""What several test files share."""

import os
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def mirror() -> Path:
    """Folder of real data sets; the test is skipped where there is none."""
    folder = Path(os.environ.get("SENTREP_MIRROR", ROOT.parent / "shared" / "mirror"))
    if not folder.is_dir():
        pytest.skip(f"no real data sets at {folder}; set SENTREP_MIRROR to their folder")
    return folder


@pytest.fixture(scope="session")
def nasty_sentences() -> list[str]:
    """Lines that are hard to split and to tokenise."""
    return (ROOT / "tests" / "data" / "nasty_sentences.txt").read_bytes().decode().removesuffix("\n").split("\n")
