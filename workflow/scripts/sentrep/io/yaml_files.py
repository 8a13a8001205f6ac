"""Read YAML files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import yaml

from sentrep.errors import SentrepError
from sentrep.io.files import check_input

# The C parser is ten times as fast as the Python parser, but PyYAML may have been built without the C parser.
_PARSER: type[yaml.SafeLoader] = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


class _Loader(_PARSER):
    """A safe loader that rejects duplicate keys. YAML forbids them, but PyYAML silently keeps only the last value."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen: set[str] = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode):
                if key.value in seen:
                    problem = f"found the key {key.value!r} twice"
                    raise yaml.constructor.ConstructorError(None, None, problem, key.start_mark)
                seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_yaml(path: str | Path) -> Any:
    """Read a YAML file, and return its value, or None if the file is empty.

    Raises:
        SentrepError: the file is missing, is not UTF-8, is not YAML, or contains a mapping with duplicate keys.
    """
    try:
        return yaml.load(check_input(path).read_text(encoding="utf-8"), _Loader)
    except FileNotFoundError:
        raise SentrepError(path, expected="a YAML file", found="no file", remedy="check the path") from None
    except (UnicodeDecodeError, RecursionError, yaml.YAMLError) as error:
        found = " ".join(str(error).split())
        raise SentrepError(
            path,
            expected="valid YAML",
            found=f"an error ({found})",
            remedy=(
                "correct the file; for example, put quotation marks around strings that begin with a special character"
            ),
        ) from None
