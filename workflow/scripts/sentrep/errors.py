"""The one error a user meets: a line that names the file, what was expected, what was found and the remedy."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from pathlib import Path


class SentrepError(Exception):
    """Bad input. The text is one line: ``<where>: expected <X>, found <Y>; <remedy>``."""

    def __init__(self, where: str | Path, *, expected: str, found: str, remedy: str) -> None:
        line = f"{where}: expected {expected}, found {found}; {remedy}"
        super().__init__(" ".join(line.split()))


def unknown_name(where: str | Path, kind: str, name: str, known: Iterable[str]) -> SentrepError:
    """Build the error for a name that is not one of ``known``; the remedy offers the nearest known name."""
    return SentrepError(where, expected=f"a known {kind}", found=f"'{name}'", remedy=nearest(name, sorted(known)))


def malformed_line(where: str, expected: str, found: str) -> SentrepError:
    """Build the error for a line of a data file; ``where`` is the file and the number of the line."""
    return SentrepError(where, expected=expected, found=found, remedy="correct the line or fetch the file again")


def nearest(name: str, known: Iterable[str]) -> str:
    """Return the remedy for a name that is none of those known: the nearest of them, or all."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.4)
    return f"did you mean '{near[0]}'?" if near else f"use one of {', '.join(names) or '(none)'}"


def shorten(text: str, length: int = 60) -> str:
    """Return the beginning of a text, for an error that shows what was found."""
    return text if len(text) <= length else text[:length] + "..."
