"""Read the table of data sources, ``workflow/sources.tsv``, and find the local files of each source.

If the configuration names the files of a source, only the named files are used. Otherwise, the files are read from the
mirror folder. If the mirror folder does not contain them, files that are included in this project or in a required
package are used. If there are no such files either, the source is downloaded from a public address. A manifest records
the name of the source and the path, size and SHA-256 of each file. The files are read by
:mod:`sentrep.sources.archives` or, for Git repositories, by :mod:`sentrep.sources.git_tree`.
"""

from __future__ import annotations

import csv
import glob
import importlib.util
import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from sentrep.errors import SentrepError, unknown_name
from sentrep.io.files import check_input, sha256
from sentrep.io.project import WORKFLOW


@dataclass(frozen=True)
class Source:
    """A row of ``workflow/sources.tsv``.

    Attributes:
        name: name of the source in the configuration.
        version: version or edition of the data.
        addresses: public addresses, in order of preference.
        sha256: SHA-256 of the download, or "" if unknown.
        bytes: size of the download in bytes, or "" if unknown.
        licence: licence of the data.
        mirror_path: path of a file or folder, or a glob, relative to a mirror folder.
        folder: folder to read, if the source is a Git repository; "" for the whole repository.
        git_tree: Git tree id of ``folder`` at the expected version; "" if the source is not read as a Git repository.
        bundled: files and folders that need no download, each as "package:NAME:PATH" for a path in a Python package or
            "workflow:PATH" for a path in the folder workflow/ of this project.
        stands_in_for: data that the papers used and that this source replaces, or "".
    """

    name: str
    version: str
    addresses: tuple[str, ...]
    sha256: str
    bytes: str
    licence: str
    mirror_path: str
    folder: str
    git_tree: str
    bundled: tuple[str, ...]
    stands_in_for: str

    @property
    def place(self) -> Path:
        """Path of the download, relative to a mirror folder.

        This is ``mirror_path`` if ``mirror_path`` ends in the file name of the download. Otherwise, the download is
        stored in the folder ``mirror_path`` or, if ``mirror_path`` is a file or a glob, in its parent folder.
        """
        name, path = Path(self.addresses[0]).name, Path(self.mirror_path)
        if path.name == name:
            return path
        a_folder = not path.suffix and "*" not in path.name
        return (path if a_folder else path.parent) / name


def read_sources(path: Path = WORKFLOW / "sources.tsv") -> dict[str, Source]:
    """Read the table of sources, and return the sources keyed by name."""
    with path.open(encoding="utf-8", newline="") as stream:
        rows = csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE)
        return {
            row["name"]: Source(
                **{
                    **row,
                    "addresses": tuple(row["addresses"].split()),
                    "bundled": tuple(row["bundled"].split()),
                }
            )
            for row in rows
        }


OWN_FILES = "own_files"
"""Name of the row of ``workflow/sources.tsv`` that describes the user's own files, and prefix of the names of all
sources that consist of such files."""


def own_files(owner: str, key: str) -> str:
    """Return the name of the source that consists of the user's own files for a model, a corpus or a transfer task.

    Args:
        owner: name of the model, corpus or transfer task that uses the files.
        key: for a model, the name of the input that the files provide; for a corpus, "corpus"; for a transfer task,
            "task".
    """
    return f"{OWN_FILES}_{owner}_{key}".lower()


def source(name: str) -> Source:
    """Return the source called ``name``.

    Raises:
        SentrepError: no source has that name.
    """
    sources = read_sources()
    if name.startswith(f"{OWN_FILES}_"):
        return replace(sources[OWN_FILES], name=name)
    if name not in sources:
        raise unknown_name("workflow/sources.tsv", "source", name, sources)
    return sources[name]


def local_files(name: str, mirror: str | None, patterns: Sequence[str] | None = None) -> list[Path]:
    """Return the files of a source that are available without a download; return an empty list if there are none.

    Args:
        name: name of the source.
        mirror: mirror folder, or None.
        patterns: globs, files or folders to use instead of ``mirror_path``; relative paths are searched for in the
            mirror folder and, if nothing is found there, in the working directory.

    Raises:
        SentrepError: the source, the mirror folder or a required package does not exist, or a file or symbolic link
            cannot be used (see :func:`files_below`).
    """
    row = source(name)
    if mirror and not Path(mirror).is_dir():
        raise SentrepError(
            "mirror", expected="an existing folder", found=f"no folder at {mirror}", remedy="correct the path"
        )
    found: list[Path] = []
    for pattern in patterns or [row.mirror_path, *([str(row.place)] if row.addresses else [])]:
        if found and not patterns:
            break
        roots = ([Path(mirror)] if mirror else []) + ([Path()] if patterns else [])
        for root in roots:
            matches = _matches(root, pattern)
            found += [file for match in matches for file in files_below(Path(match))]
            if matches:
                break
    if not found and not patterns:
        for entry in row.bundled:
            kind, _, where = entry.partition(":")
            found += files_below(WORKFLOW / where if kind == "workflow" else _package_path(where))
    return list(dict.fromkeys(found))


def _matches(root: Path, pattern: str) -> list[str]:
    """Return the paths that match a glob, which is absolute or relative to ``root``.

    If the glob is also the path of an existing file or folder, only this path is returned.
    """
    if not pattern:
        return []
    path = Path(pattern).expanduser()
    if (root / path).exists():
        return [str(root / path)]
    return sorted(glob.glob(str(path if path.is_absolute() else Path(glob.escape(str(root))) / path)))  # noqa: PTH207


def files_below(path: Path) -> list[Path]:
    """Return the sorted paths of the files in a folder and its subfolders; for a file, return only its own path.

    Hidden files in a folder are omitted, and symbolic links to folders are followed. The list is empty if ``path`` does
    not exist.

    Raises:
        SentrepError: a symbolic link in the folder is broken or points to one of its own parent folders, or a pipe, a
            device or a socket is found instead of a file.
    """
    if not path.is_dir():
        return [check_input(path)] if path.exists() else []
    files: list[Path] = []
    for folder, below, names in os.walk(path, followlinks=True):
        here = Path(folder)
        for name in (*below, *names):
            target = (here / name).resolve()
            if (here / name).is_symlink() and (not target.exists() or here.resolve().is_relative_to(target)):
                found = "a symbolic link to one of its parent folders" if target.exists() else "a broken symbolic link"
                raise SentrepError(
                    here / name,
                    expected="a symbolic link to an existing file or to a folder that does not contain the link",
                    found=found,
                    remedy="correct or remove the link",
                )
        files += [check_input(here / name) for name in names if not name.startswith(".")]
    return sorted(files)


def _package_path(where: str) -> Path:
    package, _, inside = where.partition(":")
    spec = importlib.util.find_spec(package)  # does not import the package
    if spec is None or not spec.submodule_search_locations:
        raise SentrepError(
            package,
            expected="an installed package",
            found="no such package",
            remedy="run `pip install -r requirements.txt`",
        )
    return Path(spec.submodule_search_locations[0]) / inside


def repository_root(row: Source, files: Sequence[Path], mirror: str | None) -> Path:
    """Return the path of a source's Git repository.

    If ``files`` consists of the downloaded archive alone, this is the path of the archive. Otherwise, it is the path of
    the folder ``row.mirror_path`` in the mirror folder.
    """
    if len(files) == 1 and files[0].name == Path(row.addresses[0]).name:
        return files[0].resolve()
    return (Path(mirror or "") / row.mirror_path).resolve()


def manifest(name: str, files: Sequence[Path], digest: Callable[[Path], str] = sha256) -> dict[str, Any]:
    """Return the manifest of a source: its name, version and licence, and the path, size and SHA-256 of each file.

    Args:
        name: name of the source.
        files: files of the source.
        digest: function that returns the SHA-256 of a file.
    """
    row = source(name)
    of_git = {"folder": row.folder, "git_tree": row.git_tree} if row.git_tree else {}
    entries = [{"path": str(f.resolve()), "bytes": f.stat().st_size, "sha256": digest(f)} for f in files]
    return {
        **{"name": name, "version": row.version, "licence": row.licence, "stands_in_for": row.stands_in_for},
        **of_git,
        **{"bytes": sum(entry["bytes"] for entry in entries), "files": entries},
    }
