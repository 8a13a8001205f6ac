"""Write folders atomically, lock them against other processes, and protect unrelated files from being overwritten."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from sentrep.errors import SentrepError
from sentrep.io.files import plain_os_errors, sync, target_of


@dataclass(frozen=True)
class FolderKind:
    """A kind of folder that a command writes, such as a model folder.

    Attributes:
        name: noun phrase for messages, such as "a model folder".
        recognise: function that returns whether an existing folder is of this kind.
    """

    name: str
    recognise: Callable[[Path], bool]

    def check(self, path: str | Path, *, overwrite: bool, apart: Iterable[str | Path] = ()) -> None:
        """Check that a folder can be used for output.

        The folder must not exist yet or must be empty. If ``overwrite`` is true, it may also be an existing folder of
        the kind that this object describes.

        Args:
            path: path of the folder.
            overwrite: whether an existing folder of that kind may be replaced.
            apart: paths of inputs and checkpoints; none of them may be the output folder or lie inside it.

        Raises:
            SentrepError: the folder cannot be used for output.
        """
        path = target_of(path)
        for other in apart:
            if Path(other).resolve().is_relative_to(path.resolve()):
                raise SentrepError(
                    path,
                    expected="an output folder separate from the inputs and checkpoints",
                    found=f"a folder that contains {other}",
                    remedy="choose another folder",
                )
        if not path.exists() or (path.is_dir() and not any(path.iterdir())):
            return
        same = path.is_dir() and self.recognise(path)
        if not (overwrite and same):
            raise SentrepError(
                path,
                expected="a new or empty folder",
                found=self.name if same else "a file" if path.is_file() else f"a folder that is not {self.name}",
                remedy=f"choose another folder{', or pass --overwrite (in Python, overwrite=True)' if same else ''}",
            )


@contextlib.contextmanager
def output_folder(
    path: str | Path, kind: FolderKind, *, overwrite: bool = False, apart: Iterable[str | Path] = ()
) -> Iterator[Path]:
    """Yield a temporary folder, which replaces ``path`` if the ``with`` block succeeds and is removed otherwise.

    :meth:`FolderKind.check` is called before and after the block. If the second call fails, for example because files
    were added to ``path`` in the meantime, the output of the block is kept under another name, and an error is raised.

    Args:
        path: path of the folder to write.
        kind: kind of folder that is written.
        overwrite: whether to replace an existing folder of this kind.
        apart: paths of inputs and checkpoints; none of them may be the output folder or lie inside it.

    Raises:
        SentrepError: :meth:`FolderKind.check` fails, another process is writing the folder, the disk is full, or the
            parent folder is read-only.
    """
    kind.check(path, overwrite=overwrite, apart=apart)

    def last_check(temporary: Path) -> None:
        try:
            kind.check(path, overwrite=overwrite)
        except SentrepError as error:
            kept = _free_name(target_of(path))
            temporary.rename(kept)
            raise SentrepError(
                path,
                expected="a folder that does not change while the command runs",
                found=f"new files in the folder ({error})",
                remedy=f"use the output, which was saved to {kept}",
            ) from None

    with _replacing(path, last_check) as temporary:
        yield temporary


@contextlib.contextmanager
def atomic_directory(path: str | Path) -> Iterator[Path]:
    """Yield a temporary folder, which replaces ``path`` if the ``with`` block succeeds and is removed otherwise.

    An existing folder is replaced regardless of its contents, so use this function only for outputs of workflow rules.
    If a process is killed, its temporary folder is removed by the next process that writes the same output.

    Raises:
        SentrepError: another process is writing the folder, the disk is full, or the parent folder is read-only.
    """
    with _replacing(path, lambda _: None) as temporary:
        yield temporary


@contextlib.contextmanager
def locked(path: Path, *, purpose: str, folder: bool = True) -> Iterator[None]:
    """Hold an exclusive lock on a folder or a file during the ``with`` block, if the file system supports locks.

    Args:
        path: path of the folder or file, which is created if necessary.
        purpose: what the process that holds the lock does, as a verb phrase for the error message, such as
            "writes model/".
        folder: whether the path is a folder.

    Raises:
        SentrepError: another process holds the lock.
    """
    number = _lock(path, folder)
    if number is None:
        raise SentrepError(
            path,
            expected="no more than one process at a time",
            found=f"another process that {purpose}",
            remedy=f"wait until that process ends{', or choose another folder' if folder else ''}",
        )
    try:
        yield
    finally:
        os.close(number)


@contextlib.contextmanager
def _replacing(path: str | Path, last_check: Callable[[Path], None]) -> Iterator[Path]:
    path = target_of(path)
    with plain_os_errors(path), contextlib.ExitStack() as stack:
        temporary, old = (path.with_name(f".{path.name}.{suffix}") for suffix in ("part", "old"))
        stack.enter_context(locked(temporary, purpose=f"writes {path}"))
        _empty(temporary)
        stack.callback(shutil.rmtree, temporary, ignore_errors=True)
        if old.exists() and not path.exists():  # an earlier process was killed between the two renames below
            old.rename(path)
        shutil.rmtree(old, ignore_errors=True)
        yield temporary
        for written in (*temporary.rglob("*"), temporary):
            sync(written)
        last_check(temporary)
        if path.exists():
            path.rename(old)
        temporary.rename(path)
        sync(path.parent)
        shutil.rmtree(old, ignore_errors=True)


def _lock(path: Path, folder: bool) -> int | None:
    """Lock a folder or file, and return its file descriptor, or None if another process holds the lock."""
    while True:
        if folder:
            path.mkdir(parents=True, exist_ok=True)
        number = os.open(path, os.O_RDONLY | os.O_DIRECTORY if folder else os.O_RDWR | os.O_CREAT, 0o666)
        try:
            fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(number)
            return None
        except OSError as error:
            if error.errno not in {errno.ENOLCK, errno.ENOTSUP, errno.EINVAL, errno.ENOSYS}:
                os.close(number)
                raise
        # Check that the path still names the locked folder or file, because the previous holder of the lock may have
        # renamed that folder or file.
        with contextlib.suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(number), path.stat()):
                return number
        os.close(number)


def _empty(folder: Path) -> None:
    """Remove everything in a folder."""
    for path in folder.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        else:
            path.unlink()


def _free_name(path: Path) -> Path:
    """Create an empty folder with an unused name next to a path, and return the path of the new folder."""
    return Path(tempfile.mkdtemp(prefix=f"{path.name}.", dir=path.parent))
