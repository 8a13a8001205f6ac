"""Read and write files with one JSON value per line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError
from sentrep.io.files import MAKE_AGAIN, atomic_file


def write_json_lines(path: str | Path, values: Iterable[Any]) -> None:
    """Write JSON values to a file atomically, one per line."""
    with atomic_file(path) as temporary, temporary.open("w", encoding="ascii", newline="\n") as stream:
        # Non-ASCII characters are escaped, because some readers treat U+0085 and similar characters as line ends.
        stream.writelines(f"{json.dumps(value)}\n" for value in values)


def read_json_lines(path: str | Path) -> Iterator[Any]:
    """Yield the JSON value on each line of a file.

    Raises:
        SentrepError: a line is not JSON.
    """
    with Path(path).open(encoding="ascii", newline="\n") as stream:
        try:
            yield from map(json.loads, stream)
        except (ValueError, RecursionError) as error:
            raise SentrepError(
                path, expected="one JSON value per line", found=f"a malformed line ({error})", remedy=MAKE_AGAIN
            ) from None
