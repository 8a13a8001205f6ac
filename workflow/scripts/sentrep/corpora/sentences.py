"""Convert documents to shards, which contain one sentence per line and an empty line after each document.

If the unit of text is the paragraph, each line contains a whole paragraph instead of a sentence. Lines can also be
normalised; for example, De Boom et al. (2016) use normalised paragraphs of Wikipedia. The output folder contains
``meta.json`` and the shards ``shard-00000.txt.zst``, ``shard-00001.txt.zst`` and so on (see
:mod:`sentrep.corpora.sentence_shards`).
"""

from __future__ import annotations

import contextlib
import logging
import pickle
import resource
import time
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import chain, tee
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from sentrep.corpora.mediawiki import finished
from sentrep.corpora.normalise import Cleaning, normaliser
from sentrep.corpora.parallel import worker_processes
from sentrep.corpora.readers import PRESPLIT, Block, Document, reader
from sentrep.corpora.sentence_shards import write_shard
from sentrep.corpora.whitespace import squeeze_lines
from sentrep.errors import SentrepError, unknown_name
from sentrep.io.files import read_json, write_json
from sentrep.io.folders import atomic_directory
from sentrep.runtime.progress import Progress
from sentrep.sources.archives import SourceFiles

if TYPE_CHECKING:
    from sentrep.corpora.punkt import FastPunkt  # imported only for type checking, because NLTK is slow to import

log = logging.getLogger("sentrep")
SHARD_CHARACTERS = 4_000_000


def build_sentences(
    manifest_path: str | Path,
    reader_name: str,
    output: str | Path,
    *,
    punkt_characters: int = 2_000_000,
    expected_sentences: int | None = None,
    processes: int = 1,
    unit: Literal["sentence", "paragraph"] = "sentence",
    normalisation: Cleaning | None = None,
    provenance: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Convert the files of a source to shards that contain one sentence or paragraph per line.

    Args:
        manifest_path: path of the manifest that lists the files of the source.
        reader_name: a key of :data:`sentrep.corpora.readers.READERS`.
        output: folder to write.
        punkt_characters: approximate number of characters on which Punkt, the sentence splitter, is trained.
        expected_sentences: expected number of sentences; None accepts any number.
        processes: number of worker processes.
        unit: unit of text on each line, "sentence" or "paragraph".
        normalisation: how each line is normalised (see :mod:`sentrep.corpora.normalise`); None leaves lines unchanged.
            Lines that are empty after normalisation are dropped.
        provenance: additional entries for ``meta.json``.

    Returns:
        ``meta.json`` as a dictionary. Its entries include the numbers of documents, lines (under the key
        ``sentences``) and characters, the abbreviations found by Punkt, and the seconds spent on training Punkt and
        on splitting the text.

    Raises:
        SentrepError: the source is damaged, has no sentences or an unexpected number of sentences, or the reader, unit
            or normalisation is unknown.
    """
    if unit not in ("sentence", "paragraph"):
        raise unknown_name("unit", "unit of text", unit, ("sentence", "paragraph"))
    clean = normaliser(normalisation) if normalisation is not None else None
    started = time.monotonic()
    members = SourceFiles(manifest_path)
    needs_punkt = reader_name not in PRESPLIT and unit == "sentence"
    if needs_punkt:
        from sentrep.corpora.punkt import compile_loops

        compile_loops()  # before worker processes start, so that they share the compiled code
    elif reader_name in PRESPLIT:
        squeeze_lines("")  # compiles the loop that worker processes use, before they start
    with atomic_directory(output) as folder, members.guard(), worker_processes(processes) as ordered_map:
        documents = reader(reader_name)(members)
        punkt, abbreviations = None, []
        if needs_punkt:
            from sentrep.corpora.punkt_training import train_punkt

            ahead: Any  # contains no blocks, because the readers that yield blocks do not need Punkt
            ahead, documents = tee(documents)  # avoids reading Punkt's training text twice
            parameters = train_punkt(filter(None, map(finished, ahead)), punkt_characters, ordered_map=ordered_map)
            del ahead
            punkt = folder / "punkt.pickle"
            punkt.write_bytes(pickle.dumps(parameters))
            abbreviations = sorted(parameters.abbrev_types)
            log.info("Punkt found %d abbreviations", len(abbreviations))
        trained = time.monotonic()
        shards = enumerate(_shards(documents))
        work = partial(_write_shard, folder, clean, punkt)
        totals = {"documents": 0, "sentences": 0, "characters": 0}
        rows = []
        with contextlib.closing(Progress(0, "sentences", "splitting text")) as progress:
            for row in ordered_map(work, shards):
                rows.append(row)
                for key in totals:
                    totals[key] += row[key]
                progress.advance(row["sentences"])
        if punkt is not None:
            punkt.unlink()
        if not totals["sentences"]:
            raise SentrepError(
                read_json(manifest_path)["name"],
                expected="at least one sentence",
                found="an empty corpus",
                remedy="check `files` and `reader` of the corpus in the configuration",
            )
        if expected_sentences not in (None, totals["sentences"]):
            raise SentrepError(
                read_json(manifest_path)["name"],
                expected=f"{expected_sentences} sentences",
                found=f"{totals['sentences']} sentences",
                remedy="use a complete copy of the corpus, or set `expected_sentences: null` to accept any number",
            )
        meta = {
            **(provenance or {}),
            **totals,
            "shards": len(rows),
            "unit": unit,
            "normalisation": normalisation,
            "source": {k: v for k, v in read_json(manifest_path).items() if k != "files"},
            "source_sha256": [entry["sha256"] for entry in read_json(manifest_path)["files"]],
            "abbreviations": abbreviations,
            "seconds": {"punkt": round(trained - started, 1), "split": round(time.monotonic() - trained, 1)},
            "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
        }
        write_json(folder / "meta.json", meta)
    log.info("wrote %d %ss (number of documents: %d)", totals["sentences"], unit, totals["documents"])
    return meta


def _shards(documents: Iterable[Document | Block]) -> Iterator[list[tuple[bool, Document | Block]]]:
    """Group documents into shards of about four million characters.

    Each entry of a shard contains a flag, and either a document or a :class:`Block` of documents. The flag is false if
    the document, or the last document of the block, continues in the next entry, which may be in the next shard.
    """
    shard: list[tuple[bool, Document | Block]] = []
    size = 0
    waiting: Document | Block | None = None
    for document in chain(documents, [None]):
        if waiting is not None:  # the next document states whether it continues this one
            shard.append((not _continues(document), waiting))
            size += len(waiting.text) if isinstance(waiting, Block) else sum(map(len, waiting))
            if size >= SHARD_CHARACTERS or document is None:
                yield shard
                shard, size = [], 0
        waiting = document


def _continues(document: Document | Block | None) -> bool:
    return isinstance(document, Block) and document.continues


def _texts(document: Document | Block, ends: bool) -> Iterator[tuple[str, bool, bool]]:
    """Yield the text of each complete or partial document, and two flags.

    The first flag states whether the text continues the document to which the previous text belongs. The second flag
    states whether the document ends with this text.

    Args:
        document: a document, or a block of one or more documents.
        ends: whether the document, or the last document of the block, ends here rather than in a later block.
    """
    if not isinstance(document, Block):
        yield "".join(f"{paragraph}\n" for paragraph in finished(document)), False, ends
        return
    *others, last = document.documents()
    continues = document.continues
    for text in others:
        yield text, continues, True
        continues = False
    yield last, continues, ends


@lru_cache(maxsize=1)
def _splitter(punkt: Path) -> FastPunkt:
    """Return the trained sentence splitter, which is loaded once in each worker process."""
    from sentrep.corpora.punkt import FastPunkt

    return FastPunkt(pickle.loads(punkt.read_bytes()))


def _write_shard(
    folder: Path,
    clean: Callable[[str], str] | None,
    punkt: Path | None,
    numbered: tuple[int, list[tuple[bool, Document | Block]]],
) -> dict[str, int]:
    number, raw = numbered
    count = characters = ended = 0
    written: list[str] = []
    for paragraphs, continues, ends in chain.from_iterable(_texts(document, ends) for ends, document in raw):
        text = paragraphs if punkt is None else _splitter(punkt).split_lines(paragraphs.encode()).decode()
        if clean is not None:
            text = "".join(f"{line}\n" for line in map(clean, text.split("\n")) if line)
        if not text and not continues:
            continue
        written.append(text + "\n" if ends else text)
        ended += ends
        count += (lines := text.count("\n"))
        characters += len(text) - lines
    write_shard(folder, number, "".join(written))
    return {"documents": ended, "sentences": count, "characters": characters}
