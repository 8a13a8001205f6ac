"""Code identity: a digest of a step's script and of everything of this project that it imports.

Snakemake's own code trigger reruns a step for a comment and does not see a change in an imported module. This digest
is over syntax trees, docstrings left out, of the whole import closure; it is handed to rules as a parameter.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from sentrep.errors import SentrepError

_WITH_DOCSTRING = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
PACKAGE = Path(__file__).resolve().parents[1]


def code_digest(*roots: str | Path) -> str:
    """Return 16 hexadecimal digits that change when code reachable from ``roots`` does.

    Args:
        roots: script files, or dotted modules of this package.

    Raises:
        SentrepError: a module does not exist or is not valid Python.
    """
    digest = hashlib.sha256()
    for path in import_closure(*roots):
        digest.update(f"{path.name}\0{_tree(path)[0]}\0".encode())
    return digest.hexdigest()[:16]


def import_closure(*roots: str | Path) -> list[Path]:
    """Return the files of ``roots`` and of all modules of this package they import, directly or not, sorted."""
    waiting = [path for root in roots for path in ([root] if isinstance(root, Path) else _files(root))]
    seen: set[Path] = set()
    while waiting:
        path = waiting.pop()
        if path not in seen:
            seen.add(path)
            waiting += _tree(path)[1]
    return sorted(seen)


@cache
def _tree(path: Path) -> tuple[str, tuple[Path, ...]]:
    """Return a file's syntax tree as text, without docstrings, comments and positions, and what it imports."""
    try:
        tree = ast.parse(path.read_text(encoding="utf-8"))
    except (OSError, SyntaxError) as error:
        raise SentrepError(path, expected="Python code", found=str(error), remedy="mend it") from None
    names: set[str] = set()
    for node in ast.walk(tree):  # imports inside functions count too
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            # "from package import name": name may be a module too.
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, _WITH_DOCSTRING) and ast.get_docstring(node, clean=False) is not None:
            node.body = node.body[1:]
    imported = [file for name in sorted(names) if name.split(".")[0] == "sentrep" for file in _files(name)]
    return ast.dump(tree), tuple(imported)


def _files(module: str) -> Iterator[Path]:
    """Yield the files that importing a dotted name runs: its packages' __init__ and the module itself."""
    path = PACKAGE
    yield PACKAGE / "__init__.py"
    for part in module.split(".")[1:]:
        path = path / part
        if (path / "__init__.py").exists():
            yield path / "__init__.py"
        elif path.with_suffix(".py").exists():
            yield path.with_suffix(".py")
