"""Read a folder of a Git repository, and verify that the folder is at the expected version.

The repository may be available as an archive, as a clone or as a plain copy of its files. The version is identified by
the Git tree id of the folder, which can be computed in all three cases. The checksum of an archive is not used, because
it may change while the files in the archive stay the same.
"""

from __future__ import annotations

import hashlib
import stat
import tarfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from sentrep.errors import SentrepError
from sentrep.sources.archives import open_tar, tar_entries

if TYPE_CHECKING:
    from dulwich.object_store import BaseObjectStore

_FILE, _EXECUTABLE, _LINK, _FOLDER = 0o100644, 0o100755, 0o120000, 0o040000


@dataclass(frozen=True)
class GitFolder:
    """A folder in a Git repository at a fixed version.

    Attributes:
        root: path of the repository: an archive, a bare or normal clone, or a plain folder with the repository's files.
        folder: path of the folder in the repository; "" for the whole repository.
        tree: Git tree id of the folder.
    """

    root: Path
    folder: str
    tree: str

    def files(self) -> Iterator[tuple[str, bytes | None]]:
        """Yield the path and content of each file in the folder, in Git's order.

        Paths are relative to the folder. The content is None if a partial clone lacks the file. For archives and plain
        folders, the tree id can be checked only after the last file.

        Raises:
            SentrepError: the folder is missing, damaged or at another version, or the files of an archive are not in
                Git's order.
        """
        if (objects := self._objects()) is not None:
            yield from self._of_clone(objects)
        elif self.root.is_file():
            yield from self._checked(self._of_archive())
        else:
            yield from self._checked(self._of_folder())

    def _objects(self) -> Path | None:
        """Return the folder with the Git objects of a clone, or None if the repository is not a clone."""
        places = (self.root / "objects", self.root / ".git" / "objects")
        return next((place for place in places if place.is_dir()), None)

    def _of_clone(self, objects: Path) -> Iterator[tuple[str, bytes | None]]:
        from dulwich.object_store import DiskObjectStore

        store = DiskObjectStore(str(objects))
        try:
            yield from self._below(store, self.tree.encode(), "")
        finally:
            store.close()

    def _below(self, store: BaseObjectStore, tree: bytes, prefix: str) -> Iterator[tuple[str, bytes | None]]:
        from dulwich.objects import Tree

        content = _object(store, tree)
        if content is None or _id("tree", content) != tree.decode():
            found = f"a clone in which the tree {tree.decode()} is missing or damaged"
            raise self._error(found, "run `git fetch` in the clone, or clone the repository again")
        for entry in Tree.from_string(content).iteritems():
            path = prefix + entry.path.decode("utf-8", "surrogateescape")
            if entry.mode == _FOLDER:
                yield from self._below(store, entry.sha, f"{path}/")
                continue
            data = _object(store, entry.sha)
            if data is not None and _id("blob", data) != entry.sha.decode():
                raise self._error(f"a damaged object {entry.sha.decode()} ({path})", "clone the repository again")
            yield path, data

    def _of_archive(self) -> Iterator[tuple[str, int, bytes]]:
        try:
            with open_tar(self.root) as archive:
                for member in tar_entries(archive):
                    _, _, path = member.name.partition("/")
                    path = self._inside(path)
                    if path and member.issym():
                        yield path, _LINK, member.linkname.encode("utf-8", "surrogateescape")
                    elif path and (stream := archive.extractfile(member)) is not None:
                        yield path, _EXECUTABLE if member.mode & stat.S_IXUSR else _FILE, stream.read()
        except (EOFError, OSError, tarfile.TarError) as error:
            raise self._error(f"a damaged archive ({error})", "delete the archive and download it again") from error

    def _inside(self, path: str) -> str:
        """Convert a path in the repository to a path relative to the folder; return "" if it is outside the folder."""
        prefix = f"{self.folder}/" if self.folder else ""
        return path.removeprefix(prefix) if path.startswith(prefix) else ""

    def _of_folder(self) -> Iterator[tuple[str, int, bytes]]:
        base = self.root / self.folder
        found = (path for path in base.rglob("*") if path.is_symlink() or path.is_file())
        for path in sorted(found, key=lambda path: bytes(path.relative_to(base))):
            name = path.relative_to(base).as_posix()
            if path.is_symlink():
                yield name, _LINK, bytes(path.readlink())
            else:
                yield name, _EXECUTABLE if path.stat().st_mode & stat.S_IXUSR else _FILE, path.read_bytes()

    def _checked(self, files: Iterable[tuple[str, int, bytes]]) -> Iterator[tuple[str, bytes]]:
        """Yield the path and content of each file; check the order of files and, after the last one, the tree id."""
        from dulwich.index import commit_tree
        from dulwich.object_store import MemoryObjectStore

        blobs, last = [], b""
        for path, mode, content in files:
            name = path.encode("utf-8", "surrogateescape")
            if name <= last:
                raise self._error(
                    "an archive whose files are not in Git's order", "extract the archive and use the extracted folder"
                )
            last = name
            blobs.append((name, _id("blob", content).encode(), mode))
            yield path, content
        found = commit_tree(MemoryObjectStore(), blobs).decode()
        if found != self.tree:
            raise self._error(
                f"tree id {found} (number of files: {len(blobs)})",
                "delete this copy of the repository and download it again",
            )

    def _error(self, found: str, remedy: str) -> SentrepError:
        folder = f"folder {self.folder}" if self.folder else "root folder"
        expected = f"a repository whose {folder} has Git tree id {self.tree}"
        return SentrepError(self.root, expected=expected, found=found, remedy=remedy)


def _object(store: BaseObjectStore, name: bytes) -> bytes | None:
    """Return the content of a Git object, or None if the clone lacks the object."""
    from dulwich.objects import ObjectID

    try:
        return store.get_raw(ObjectID(name))[1]
    except KeyError:
        return None


def _id(kind: str, content: bytes) -> str:
    """Compute the Git id of an object from its kind ("blob" or "tree") and its content."""
    digest = hashlib.sha1(f"{kind} {len(content)}\0".encode(), usedforsecurity=False)
    digest.update(content)
    return digest.hexdigest()
