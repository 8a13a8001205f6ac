"""Read and validate CSV files, and write tables to CSV files atomically."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path

import pandas as pd

from sentrep.errors import SentrepError
from sentrep.io.files import MAKE_AGAIN, MAKE_FIRST, atomic_file, check_input


def write_csv(path: str | Path, frame: pd.DataFrame, float_format: str | None = None) -> None:
    """Write a data frame to a CSV file atomically, without the index; missing values become empty cells."""
    with atomic_file(path) as temporary:
        frame.to_csv(temporary, index=False, float_format=float_format, lineterminator="\n")


def read_csv(path: str | Path, columns: Sequence[str] = (), texts: Sequence[str] = ()) -> pd.DataFrame:
    """Read a table from a CSV file with a header.

    Args:
        path: path of the file.
        columns: columns that the file must have.
        texts: columns to read as text even if their values look like numbers.

    Raises:
        SentrepError: the file is missing, is not a CSV file, or lacks a column.
    """
    try:
        # "NA" and "None" can be words and do not mark missing values.
        frame = pd.read_csv(
            check_input(path), keep_default_na=False, na_values=[""], encoding="utf-8", dtype=dict.fromkeys(texts, str)
        )
    except FileNotFoundError:
        raise SentrepError(path, expected="a CSV file", found="no file", remedy=MAKE_FIRST) from None
    except ValueError as error:  # includes pandas' parser errors and wrong encodings
        raise SentrepError(
            path, expected="a CSV file with a header", found=f"malformed data ({error})", remedy=MAKE_AGAIN
        ) from None
    absent = [column for column in columns if column not in frame.columns]
    if absent:
        raise SentrepError(
            path,
            expected=f"the column{'s' if len(columns) > 1 else ''} {', '.join(columns)}",
            found=f"a table without {', '.join(absent)}",
            remedy=MAKE_AGAIN,
        )
    return frame


def read_all_csv(paths: Iterable[str | Path], columns: Sequence[str]) -> pd.DataFrame:
    """Read CSV files, and return their rows as one table.

    Args:
        paths: paths of the files. If there are none, the table has the columns ``columns`` and no rows.
        columns: columns that each file must have.

    Raises:
        SentrepError: a file is missing, is not a CSV file, or lacks a column.
    """
    frames = [read_csv(path, columns) for path in paths]
    return pd.concat(frames, ignore_index=True) if frames else pd.DataFrame(columns=list(columns))
