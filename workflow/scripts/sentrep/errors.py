"""Define the error that sentrep raises for invalid input, and helper functions for errors and their messages."""

from __future__ import annotations

import difflib
from collections.abc import Callable, Iterable
from pathlib import Path


class SentrepError(Exception):
    """An error caused by something that the user can correct, such as invalid input.

    The message has the form ``<where>: expected <X>, found <Y>; <remedy>`` and consists of one line.
    """

    def __init__(self, where: str | Path, *, expected: str, found: str, remedy: str) -> None:
        line = f"{where}: expected {expected}, found {found}; {remedy}"
        super().__init__(" ".join(line.split()))

    def __reduce__(self) -> tuple[Callable[[str], SentrepError], tuple[str]]:
        """Pickle the message only, so that worker processes can raise the error in the main process."""
        return _with_message, (str(self),)


def _with_message(message: str) -> SentrepError:
    error = SentrepError.__new__(SentrepError)
    Exception.__init__(error, message)
    return error


def unknown_name(where: str | Path, kind: str, name: str, known: Iterable[str]) -> SentrepError:
    """Return an error for a name that is not in ``known``; the message suggests the closest name or lists all names."""
    return SentrepError(where, expected=f"a known {kind}", found=f"'{name}'", remedy=nearest(name, sorted(known)))


def malformed_line(where: str, expected: str, found: str) -> SentrepError:
    """Return an error for a malformed line in a data file; ``where`` gives the file and the line number."""
    return SentrepError(
        where, expected=expected, found=found, remedy="correct the line, or use an undamaged copy of the file"
    )


def nearest(name: str, known: Iterable[str]) -> str:
    """Return a remedy that suggests the known name closest to ``name`` or, if none is close, lists all known names.

    If there are no known names, the remedy is to remove the name.
    """
    names = list(known)
    if near := difflib.get_close_matches(name, names, n=1, cutoff=0.4):
        return f"did you mean '{near[0]}'?"
    return f"use one of {', '.join(names)}" if names else f"remove '{name}'"


def shorten(text: str) -> str:
    """Shorten a text that has more than 60 characters to its first 60 characters, followed by "..."."""
    return text if len(text) <= 60 else text[:60] + "..."
