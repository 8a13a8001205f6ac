"""Compute a digest of a rule's code, so that Snakemake reruns the rule's jobs if the code has changed.

The code of a rule consists of the script or library module that its jobs run, and of all modules that this script or
module imports from this package, directly or indirectly. The digest covers the syntax trees of these files, without
docstrings and comments. It also covers files that are named after a module, such as the template ``markup.md.jinja``
for ``markup.py``. Each rule has the digest as a parameter, and Snakemake reruns a job if its parameters have changed.
The digest replaces Snakemake's own trigger for changed code, which reruns a job even if only a comment in its script
has changed, but not if an imported module has changed.
"""

from __future__ import annotations

import ast
import atexit
import contextlib
import hashlib
import json
import sys
from functools import cache
from itertools import accumulate
from pathlib import Path

from sentrep.errors import SentrepError
from sentrep.io.files import write_json

_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
PACKAGE = Path(__file__).resolve().parents[1]
# Parsing all modules would take longer than the rest of planning. The results are therefore cached by file checksum, in
# a separate cache file for each version of Python and of this module.
_VERSION = f"{sys.implementation.cache_tag}.{hashlib.sha256(Path(__file__).read_bytes()).hexdigest()[:8]}"
SYNTAX_CACHE = PACKAGE / "__pycache__" / f"syntax.{_VERSION}.json"


@cache
def code_digest(*roots: str | Path) -> str:
    """Return a digest of ``roots`` and of all modules that they import from this package, directly or indirectly.

    The digest has 16 hexadecimal digits.

    Args:
        roots: script files as ``Path`` objects, or dotted names of modules in this package.

    Raises:
        SentrepError: a script file does not exist, or a file is not valid Python.
    """
    return hashlib.sha256(b"".join(map(_content, import_closure(*roots)))).hexdigest()[:16]


def import_closure(*roots: str | Path) -> list[Path]:
    """Return the files of ``roots`` and of all modules that they import from this package, directly or indirectly."""
    waiting = [path for root in roots for path in ([root] if isinstance(root, Path) else _files(root))]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += _imported(path) - seen
    return sorted(seen)


@cache
def _imported(path: Path) -> frozenset[Path]:
    """Return the files of the modules that a file imports from this package."""
    return frozenset(file for name in _syntax(path)[1] for file in _files(name))


@cache
def _content(path: Path) -> bytes:
    """Return the bytes to hash for a module: its file name, the digest of its syntax tree, and its template files."""
    templates = sorted(file for file in path.parent.glob(f"{path.stem}.*") if file.suffix != ".py")
    return b"\0".join([path.name.encode(), _syntax(path)[0].encode(), *(file.read_bytes() for file in templates), b""])


@cache
def _syntax(path: Path) -> tuple[str, list[str]]:
    """Return a digest of the syntax tree of a file, and the modules of this package that the file imports."""
    try:
        source = path.read_bytes()
        known, key = _known_syntax(), hashlib.sha256(source).hexdigest()
        if key not in known:
            known[key] = _parse(source)
    except (OSError, SyntaxError) as error:
        raise SentrepError(
            path, expected="valid Python code", found=f"an error ({error})", remedy="correct or restore the file"
        ) from None
    return known[key]


def _parse(source: bytes) -> tuple[str, list[str]]:
    """Return a digest of the syntax tree of source code, and the modules of this package that the code imports.

    The digest does not depend on docstrings, comments or formatting.
    """
    tree = ast.parse(source)
    names: set[str] = set()
    for node in ast.walk(tree):  # includes imports inside functions
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # In "from package import name", the name may be a module.
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    ours = sorted(name for name in names if name.split(".")[0] == "sentrep")
    return hashlib.sha256(ast.dump(tree).encode()).hexdigest(), ours


@cache
def _known_syntax() -> dict[str, tuple[str, list[str]]]:
    """Return the cached results of :func:`_parse`, keyed by file checksum; save new results when the process ends."""
    try:
        known = dict(json.loads(SYNTAX_CACHE.read_text(encoding="utf-8")))
    except (OSError, ValueError):
        known = {}
    before = len(known)

    @atexit.register
    def save() -> None:
        if len(known) > before:
            with contextlib.suppress(SentrepError, OSError):  # the installation may be read-only
                write_json(SYNTAX_CACHE, known)

    return known


def _files(module: str) -> list[Path]:
    """Return the file of a module and the ``__init__.py`` files of its parent packages."""
    modules = _modules()
    prefixes = accumulate(module.split("."), "{}.{}".format)
    return [modules[prefix] for prefix in prefixes if prefix in modules]


@cache
def _modules() -> dict[str, Path]:
    """Return a mapping from the dotted name of each package and module to its file."""
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):
        parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found
