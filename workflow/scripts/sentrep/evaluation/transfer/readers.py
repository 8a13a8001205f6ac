r"""Read transfer tasks from the files in which they were released, with one function for each file format.

The configuration of a task lists layouts, which are alternative sets of files. Each layout names a reader, which is one
of the functions in this module, and a file pattern for each split or class. A reader takes a mapping from splits or
classes to files, and returns a mapping from splits to items. Except in :func:`product_reviews`, items are in the order
of the files. Whitespace at both ends of a text is removed. Only "\n" and "\r\n" end a line; other characters that
:meth:`str.splitlines` treats as line ends, such as U+2028, are part of the text.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

import numpy as np

from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.errors import SentrepError, malformed_line, shorten, unknown_name
from sentrep.evaluation.transfer.tasks import WHOLE, Task, check_task

log = logging.getLogger("sentrep")

Member = tuple[str, bytes]
"""Path and content of a file."""
Files = Mapping[str, Sequence[Member]]
Options = Mapping[str, Any]
Reader = Callable[[Files, Options], dict[str, LabelledTexts]]

# The characters that Windows-1252 has in place of the C1 control characters. These control characters appear in texts
# that are encoded in Windows-1252 but were read as Latin-1, as in NLTK's copies of data sets.
_WINDOWS = {code: bytes([code]).decode("cp1252", "replace") for code in range(0x80, 0xA0)}
_C1 = {code: character for code, character in _WINDOWS.items() if character != "\ufffd"}
_OPINION = re.compile(r"\[([+-]\d)\]")


def build_task(name: str, settings: Options, members: Iterable[Member], sample: bool) -> Task:
    """Read a task from the files of its sources.

    Args:
        name: key of the task in the configuration.
        settings: configuration of the task, with the keys ``label``, ``sources``, ``measure``, ``layouts``, and either
            ``classes`` or ``scores``. The first layout whose files are all present is used. The key ``files`` of a
            layout maps each split or class to a glob pattern; a file is selected if the end of its path
            matches the pattern.
        members: path and content of every file in the sources.
        sample: whether the sources are sample data.

    Raises:
        SentrepError: every layout lacks at least one file, the reader is unknown, files with different contents match a
            pattern without a wildcard, a file is malformed, or a split or class is missing.
    """
    available = list(members)
    where = f"transfer.tasks.{name}"
    for layout in settings["layouts"]:
        files = {part: _matching(pattern, available, where) for part, pattern in layout["files"].items()}
        if all(files.values()):
            break
    else:
        wanted = ", or the files ".join(" and ".join(layout["files"].values()) for layout in settings["layouts"])
        raise SentrepError(
            where,
            expected=f"the files {wanted}",
            found=", ".join(sorted(PurePosixPath(path).name for path, _ in available)[:8]) or "none",
            remedy="add the missing files to the sources of this task",
        )
    if layout["reader"] not in READERS:
        raise unknown_name("transfer", "reader", layout["reader"], READERS)
    options = {"classes": settings.get("classes") or [], "scores": settings.get("scores"), **layout}
    low, high = options["scores"] or (0, 0)
    task = Task(
        name=name,
        label=settings["label"],
        measure=settings["measure"],
        classes=tuple(options["classes"]),
        scores=(low, high),
        parts=READERS[layout["reader"]](files, options),
        sample=sample,
        source=", ".join(settings["sources"]),
    )
    check_task(task, where)
    counts = ", ".join(f"{split} ({len(items):,})" for split, items in task.parts.items())
    log.info("%s: number of items by split: %s; reader: %s", name, counts, layout["reader"])
    return task


def _matching(pattern: str, members: Sequence[Member], where: str) -> list[Member]:
    """Return the files that match a pattern; for a pattern without a wildcard, return at most one file.

    Raises:
        SentrepError: the pattern has no wildcard, and files with different contents match it.
    """
    found = [(path, content) for path, content in members if PurePosixPath(path).match(pattern)]
    if any(sign in pattern for sign in "*?["):
        return found
    if len({content for _, content in found}) > 1:
        raise SentrepError(
            where,
            expected=f"only one version of {pattern}",
            found=" and ".join(path for path, _ in found[:2]) + ", which differ",
            remedy="keep only one of these files",
        )
    return found[:1]


def text_lines(content: bytes, where: str) -> list[str]:
    """Return the lines of a text that is encoded in UTF-8 (with or without a byte-order mark) or in Windows-1252.

    Bytes that Windows-1252 does not define are read as Latin-1, so that no text is lost. In UTF-8 texts, C1 control
    characters are replaced by the Windows-1252 characters with the same codes.

    Raises:
        SentrepError: the file is not plain text, because it contains a zero byte.
    """
    if b"\0" in content:
        raise SentrepError(where, expected="plain text", found="a zero byte", remedy="use an undamaged text file")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    lines = text.translate(_C1).removesuffix("\n").split("\n") if text else []
    return [line.removesuffix("\r") for line in lines]


def file_per_class(files: Files, options: Options) -> dict[str, LabelledTexts]:
    """Read a task that has one file per class, with one text per line (MR, CR, SUBJ, MPQA).

    The keys of ``files`` are the classes. An empty line is read as an item with an empty text, as in SentEval; a
    protocol may omit such items.
    """
    items = [
        (line.strip(), _class_number(name, options, "task configuration"))
        for name, members in files.items()
        for where, content in members
        for line in text_lines(content, where)
    ]
    return {WHOLE: _single_texts(items)}


def labelled_lines(files: Files, options: Options) -> dict[str, LabelledTexts]:
    """Read lines that consist of a label, a space or tab, and a text.

    This is the format of TREC, of the sentence files of SST, and of fastText. If a label contains a colon, as in
    ``NUM:dist``, only the part before the colon is used.
    """

    def item(line: str, where: str) -> tuple[str, int]:
        label, text = (*line.split(None, 1), "")[:2]
        return text.strip(), _class_number(label.partition(":")[0], options, where)

    return {split: _single_texts(item(line, where) for where, line in _lines(files[split])) for split in files}


def text_tab_label(files: Files, options: Options) -> dict[str, LabelledTexts]:
    """Read lines that consist of a text, a tab and a label, as in SentEval's files of binary SST."""

    def item(line: str, where: str) -> tuple[str, int]:
        text, tab, label = line.rpartition("\t")
        if not tab:
            raise malformed_line(where, "a text, a tab and a label", f"no tab in {shorten(line)!r}")
        return text.strip(), _class_number(label.strip(), options, where)

    return {split: _single_texts(item(line, where) for where, line in _lines(files[split])) for split in files}


def product_reviews(files: Files, _options: Options) -> dict[str, LabelledTexts]:
    """Read the customer reviews of Hu and Liu in NLTK's format, ``size[+2], menu[-1]##text``.

    A sentence belongs to class 1 if the sum of its opinion scores is positive, and to class 0 if the sum is negative.
    Sentences without opinions, sentences whose opinion scores add up to zero, and lines without text are skipped. The
    sentences of class 1 come first. CR was created from these reviews and contains nearly the same sentences in
    tokenised form.
    """
    found: list[tuple[str, int]] = []
    for _, line in _lines([member for members in files.values() for member in members]):
        notes, mark, text = line.partition("##")
        total = sum(int(strength) for strength in _OPINION.findall(notes)) if mark else 0
        if total and text.strip():
            found.append((text.strip(), int(total > 0)))
    found.sort(key=lambda item: -item[1])
    return {WHOLE: _single_texts(found)}


def pair_table(files: Files, options: Options) -> dict[str, LabelledTexts]:
    """Read text pairs from tab-separated tables that have a header (MSRP, SICK).

    ``options["columns"]`` maps ``first``, ``second`` and ``target`` to the headings of the three columns that contain
    the first text, the second text and the target of each pair. Quotation marks have no special meaning.
    """
    return {split: _read_pairs(members, options) for split, members in files.items()}


def _read_pairs(members: Sequence[Member], options: Options) -> LabelledTexts:
    wanted = [options["columns"][key] for key in ("first", "second", "target")]
    first, second, targets = [], [], []
    for name, content in members:
        lines = text_lines(content, name)
        header = lines[0].split("\t") if lines else []
        if absent := [column for column in wanted if column not in header]:
            expected = f"a header with the columns {', '.join(wanted)}"
            raise malformed_line(f"{name}:1", expected, f"no {', '.join(absent)}")
        at = [header.index(column) for column in wanted]
        for number, line in enumerate(lines[1:], 2):
            fields = [field.strip() for field in line.split("\t")]
            if len(fields) != len(header) or not all(fields[place] for place in at):
                expected = (
                    f"{len(header)} fields separated by tabs, with no empty field in the columns {', '.join(wanted)}"
                )
                raise malformed_line(f"{name}:{number}", expected, f"{shorten(line)!r} (fields: {len(fields)})")
            first.append(fields[at[0]])
            second.append(fields[at[1]])
            targets.append(_target(fields[at[2]], options, f"{name}:{number}"))
    return LabelledTexts(first, second, np.array(targets, dtype=np.int64 if options["classes"] else np.float64))


READERS: dict[str, Reader] = {
    reader.__name__: reader for reader in (file_per_class, labelled_lines, text_tab_label, pair_table, product_reviews)
}


def _lines(members: Sequence[Member]) -> Iterator[tuple[str, str]]:
    """Yield the position (``<file>:<line number>``) and the text of each line, skipping lines of whitespace."""
    for name, content in members:
        for number, line in enumerate(text_lines(content, name), 1):
            if line.strip():
                yield f"{name}:{number}", line


def _single_texts(items: Iterable[tuple[str, int]]) -> LabelledTexts:
    rows = list(items)
    return LabelledTexts([text for text, _ in rows], None, np.array([target for _, target in rows], dtype=np.int64))


def _class_number(label: str, options: Options, where: str) -> int:
    """Return the index of the class that a label stands for."""
    labels = options.get("labels") or {str(name): name for name in options["classes"]}
    if label not in labels:
        raise SentrepError(
            where,
            expected=f"one of the labels {', '.join(labels)}",
            found=repr(shorten(label)),
            remedy="correct this label, the `labels` of the layout, or the `classes` of the task",
        )
    return options["classes"].index(labels[label])


def _target(text: str, options: Options, where: str) -> float:
    """Convert the target of a pair from text to a class index or a score."""
    if options["classes"]:
        return _class_number(text, options, where)
    low, high = options["scores"]
    try:
        score = float(text)
    except ValueError:
        score = np.nan
    if not low <= score <= high:
        raise malformed_line(where, f"a score from {low:g} to {high:g}", repr(shorten(text)))
    return score
