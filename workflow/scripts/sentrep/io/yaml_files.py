"""Read YAML files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from sentrep.errors import SentrepError
from sentrep.io.files import check_input

# The C parser is ten times as fast, but PyYAML may have been built without it.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


def read_yaml(path: str | Path) -> Any:
    """Read a YAML file, and return its value, or None if the file is empty.

    Raises:
        SentrepError: the file is missing, is not UTF-8, or is not YAML.
    """
    try:
        return yaml.load(check_input(path).read_text(encoding="utf-8"), _LOADER)
    except FileNotFoundError:
        raise SentrepError(path, expected="a YAML file", found="no file", remedy="check the path") from None
    except (UnicodeDecodeError, RecursionError, yaml.YAMLError) as error:
        found = " ".join(str(error).split())
        raise SentrepError(
            path,
            expected="valid YAML",
            found=f"an error ({found})",
            remedy="correct the file, and put quotation marks around strings that begin with a special character",
        ) from None
