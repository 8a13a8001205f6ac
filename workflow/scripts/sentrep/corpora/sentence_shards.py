"""Read and write the shards of a corpus: files with one sentence per line and an empty line after each document.

If the unit of the corpus is the paragraph, each line contains a paragraph instead of a sentence. A document may span
several shards. Shards are compressed with Zstandard; ``zstdcat shard-00000.txt.zst`` prints the first shard. Compressed
shards take up two fifths of the disk space of uncompressed files, at the cost of a few per cent more processing time.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

import zstandard

from sentrep.errors import SentrepError
from sentrep.io.files import read_json

_LEVEL = 1


def shard_paths(folder: str | Path) -> list[Path]:
    """Return the paths of the shards in a folder, in order.

    Raises:
        SentrepError: the folder has no shards.
    """
    paths = sorted(Path(folder).glob("shard-*.txt.zst"))
    if not paths:
        raise SentrepError(
            folder,
            expected="files shard-*.txt.zst with the sentences of a corpus",
            found="no such file",
            remedy="delete this folder and run `snakemake` again",
        )
    return paths


def write_shard(folder: Path, number: int, text: str) -> None:
    """Compress a shard, write it to a folder of shards, and flush it to disk."""
    with (folder / f"shard-{number:05d}.txt.zst").open("wb") as stream:
        stream.write(zstandard.ZstdCompressor(level=_LEVEL, write_checksum=True).compress(text.encode()))
        stream.flush()
        os.fsync(stream.fileno())


def read_shard(path: Path) -> bytes:
    """Return the text of a shard as UTF-8 bytes.

    Raises:
        SentrepError: the shard is damaged.
    """
    try:
        return zstandard.ZstdDecompressor().decompress(path.read_bytes())
    except zstandard.ZstdError as error:
        raise SentrepError(
            path,
            expected="text compressed with Zstandard",
            found=f"damaged data ({error})",
            remedy=f"delete {path.parent} and run `snakemake` again",
        ) from None


def shard_lines(path: Path) -> list[str]:
    """Return the lines of a shard; an empty line marks the end of a document."""
    return read_shard(path).decode().split("\n")[:-1]


def shard_documents(path: Path) -> Iterator[list[str]]:
    """Yield the sentences of each document in a shard as a list, and an empty list where a document ends.

    If a document continues in the next shard, its sentences in this shard are not followed by an empty list.
    """
    run: list[str] = []
    for line in shard_lines(path):
        if line:
            run.append(line)
        else:
            if run:  # false at the beginning of a shard if the previous shard ends with a document's last sentence
                yield run
            yield []
            run = []
    if run:
        yield run


def corpus_lines(parts: Iterable[str | Path]) -> Iterator[str]:
    """Yield all sentences of a corpus, in the order of its parts.

    Args:
        parts: folders of shards, or plain files with one sentence per line.

    Raises:
        SentrepError: a folder has no shards, or a shard is damaged.
    """
    for part in map(Path, parts):
        if part.is_dir():
            for path in shard_paths(part):
                yield from filter(None, shard_lines(path))
        else:
            with part.open(encoding="utf-8", newline="\n") as stream:
                yield from filter(None, map(str.strip, stream))


def corpus_version(parts: Iterable[str | Path]) -> str:
    """Return the versions of the sources of a corpus, separated by semicolons.

    Args:
        parts: folders of shards or plain files; the version of a plain file is "synthetic sentences".
    """
    return "; ".join(
        read_json(part / "meta.json")["source"]["version"] if part.is_dir() else "synthetic sentences"
        for part in map(Path, parts)
    )
