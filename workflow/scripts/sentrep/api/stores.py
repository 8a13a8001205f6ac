"""Build token stores from the user's texts, and cache them so that each text is preprocessed only once."""

from __future__ import annotations

import contextlib
import hashlib
import json
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Literal

from sentrep.corpora.plain_text import FORMATS, READER_OF, recognise, text_files
from sentrep.corpora.store import ARRAYS
from sentrep.errors import SentrepError, unknown_name
from sentrep.io.files import sha256, write_json
from sentrep.provenance.code_digest import code_digest

log = logging.getLogger("sentrep")
STANDARD_INPUT = "-"


@dataclass(frozen=True)
class Preprocessing:
    """Options for converting a text to a token store.

    Attributes:
        format: "lines" for one sentence per line, "text" for running text that Punkt splits into sentences, or "auto"
            to detect the format.
        tokeniser: tokeniser for the text, and for sentences that are encoded with models trained on the text.
        minimum_count: minimum number of occurrences of a word; rarer words are not in the vocabulary. None means 5, or
            2 for texts of fewer than five million tokens.
        maximum_words: maximum size of the vocabulary; None for no limit.
        keep_all_tokens: whether to keep punctuation as tokens and to replace words outside the vocabulary by an
            unknown-word token. Neural networks that read sentences word by word need this option.
    """

    format: Literal["auto", "lines", "text"] = "auto"
    tokeniser: str = "kenter"
    minimum_count: int | None = None
    maximum_words: int | None = None
    keep_all_tokens: bool = False


def cache_folder() -> Path:
    """Return the default cache folder, which contains token stores, checkpoints and downloads.

    This is ``$SENTREP_CACHE`` or, if this variable is not set, ``$XDG_CACHE_HOME/sentrep``. If neither variable is set,
    it is ``~/.cache/sentrep``.
    """
    if own := os.environ.get("SENTREP_CACHE"):
        return Path(own)
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "sentrep"


@contextlib.contextmanager
def open_store(
    text: Sequence[str | Path], preprocessing: Preprocessing, *, cache: str | Path | None = None, processes: int = 1
) -> Iterator[Path]:
    """Yield the folder of a text's token store; build the store first if it is not in the cache.

    If ``text`` is itself a token store, the folder of this store is yielded.

    Args:
        text: files, folders or archives of text, "-" for standard input, or a single token store.
        preprocessing: options for splitting the text into sentences and words.
        cache: cache folder; by default, :func:`cache_folder` or, if that folder is not writable, a temporary folder.
        processes: number of worker processes.

    Raises:
        SentrepError: no path is given, a path does not exist or contains no text, the text has too few words, the
            format or the tokeniser is unknown, or ``cache`` is given but not writable.
    """
    if preprocessing.format not in FORMATS:
        raise unknown_name("--format", "format", preprocessing.format, FORMATS)
    if not text:
        raise SentrepError(
            "text",
            expected="the path of a file, folder or archive, or - for standard input",
            found="no path",
            remedy="pass a path",
        )
    if len(text) == 1 and any((Path(text[0]) / name).exists() for name in ARRAYS):
        yield Path(text[0])
        return
    with contextlib.ExitStack() as stack:
        temporary = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="sentrep-")))
        files = text_files([_standard_input(temporary) if str(path) == STANDARD_INPUT else path for path in text])
        entries = [{"path": str(f.resolve()), "bytes": f.stat().st_size, "sha256": sha256(f)} for f in files]
        # The cache key depends on the content and the suffix of each file, but not on the rest of the path.
        identity = [
            [(Path(entry["path"]).suffix, entry["sha256"]) for entry in entries],
            asdict(preprocessing),
            code_digest("sentrep.corpora.build_store", "sentrep.corpora.sentences", "sentrep.corpora.plain_text"),
        ]
        digest = hashlib.sha256(json.dumps(identity).encode()).hexdigest()[:16]
        store = _writable(Path(cache) if cache else cache_folder(), temporary, required=cache is not None) / digest
        if (store / "meta.json").exists():
            log.info("reusing the cached token store %s", store)
        else:
            _build(files, entries, preprocessing, temporary, store, processes)
        yield store


def _build(
    files: list[Path],
    entries: list[dict[str, Any]],
    preprocessing: Preprocessing,
    temporary: Path,
    store: Path,
    processes: int,
) -> None:
    from sentrep.corpora.build_store import build_store  # imported here because numba is slow to import
    from sentrep.corpora.sentences import build_sentences

    chosen, share = recognise(files)
    if preprocessing.format == "auto":
        other = "lines" if chosen == "text" else "text"
        log.info(
            "detected format: %s, because %s%.0f%% of the sampled lines contain a boundary between two sentences; "
            "use --format %s to override the detection",
            *(chosen, "only " if chosen == "lines" else "", 100 * share, other),
        )
    else:
        chosen = preprocessing.format
    name = ", ".join(path.name for path in files[:3]) + (f" and {len(files) - 3} more" if len(files) > 3 else "")
    size = sum(entry["bytes"] for entry in entries)
    write_json(temporary / "manifest.json", {"name": name, "bytes": size, "files": entries})
    build_sentences(temporary / "manifest.json", READER_OF[chosen], temporary / "sentences", processes=processes)
    build_store(
        temporary / "sentences",
        store,
        tokeniser_name=preprocessing.tokeniser,
        encoding_tokeniser=preprocessing.tokeniser,
        minimum_count=preprocessing.minimum_count,
        maximum_words=preprocessing.maximum_words,
        keep_all_tokens=preprocessing.keep_all_tokens,
        processes=processes,
    )
    kept = "" if temporary in store.parents else "; it is cached for later runs"
    taken = sum(path.stat().st_size for path in store.iterdir())
    log.info("wrote the token store %s (%.1f MB)%s", store, taken / 1e6, kept)


def _standard_input(folder: Path) -> Path:
    """Copy standard input to a file, because the text is read more than once, and return the path of the file."""
    path = folder / "stdin.txt"
    with path.open("wb") as stream:
        shutil.copyfileobj(sys.stdin.buffer, stream, 1 << 20)
    if not path.stat().st_size:
        raise SentrepError("standard input", expected="text", found="no input", remedy="pipe text into the command")
    return path


def _writable(cache: Path, temporary: Path, *, required: bool) -> Path:
    """Return the folder of token stores in the cache, or a temporary folder if the default cache is not writable."""
    folder = cache / "stores"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        if os.access(folder, os.W_OK):
            return folder
        found = "no permission to write"
    except OSError as error:
        found = error.strerror or str(error)
    if required:
        raise SentrepError(
            cache,
            expected="a writable cache folder",
            found=f"an error ({found})",
            remedy="choose another folder with --cache (in Python, the argument `cache`)",
        )
    log.warning("cannot cache token stores in %s: %s; the next run will preprocess this text again", folder, found)
    return temporary / "stores"
