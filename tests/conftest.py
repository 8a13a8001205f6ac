"""Fixtures shared by several test files."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import numba  # noqa: F401 - imported before tests set its number of threads, which it reads when it compiles
import pytest
from hypothesis import settings

ROOT = Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def mirror() -> Path:
    """Return the folder with the real data sets, or skip the test if there is none."""
    folder = Path(os.environ.get("SENTREP_MIRROR", ROOT.parent / "shared" / "mirror"))
    if not folder.is_dir():
        pytest.skip(f"no real data sets at {folder}; set SENTREP_MIRROR to their folder")
    return folder


@pytest.fixture(scope="session")
def nasty_sentences() -> list[str]:
    """Return lines that are hard to split into sentences and to tokenise."""
    return (ROOT / "tests" / "data" / "nasty_sentences.txt").read_bytes().decode().removesuffix("\n").split("\n")


# Set no time limit for examples, so that tests do not fail on a busy machine.
settings.register_profile("sentrep", deadline=None)
settings.load_profile("sentrep")


@pytest.fixture(autouse=True)
def process_state() -> Iterator[None]:
    """Restore the environment and the levels of loggers, which commands run in this process may change."""
    before = dict(os.environ)
    yield
    for name in ("sentrep", "sentrep.progress"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    for name in set(os.environ) - set(before):
        del os.environ[name]
    os.environ.update(before)
