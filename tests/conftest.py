"""What several test files share."""

import logging
import os
from collections.abc import Iterator
from pathlib import Path

import numba  # noqa: F401 - loaded before any test sets its number of threads, which it reads again when it compiles
import pytest
from hypothesis import settings

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


# A busy machine is no failure: examples have no time limit.
settings.register_profile("sentrep", deadline=None)
settings.load_profile("sentrep")


@pytest.fixture(autouse=True)
def process_state() -> Iterator[None]:
    """Commands run in this process set the environment and levels of loggers; that must not reach the next test."""
    before = dict(os.environ)
    yield
    for name in ("sentrep", "sentrep.progress"):
        logging.getLogger(name).setLevel(logging.NOTSET)
    for name in set(os.environ) - set(before):
        del os.environ[name]
    os.environ.update(before)
