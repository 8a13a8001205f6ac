"""Readers of transfer tasks, one per file format. A task's configuration names one and the files of each part.

Each takes the content of its files by the names that the configuration gives them (splits, or classes) and returns
items by split, in the order of the files. Texts keep their words; white space at the ends goes. Lines end with "\\n"
or "\\r\\n" only: U+0085 and other characters that some libraries take for line ends occur inside texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.errors import SentrepError, unknown_name
from sentrep.evaluation.transfer.tasks import WHOLE

Files = Mapping[str, Sequence[tuple[str, bytes]]]
Reader = Callable[[Files, Mapping[str, Any]], dict[str, LabelledTexts]]

# The C1 control characters of texts that took Windows-1252 for Latin-1, as NLTK's copies do.
_WINDOWS = {code: bytes([code]).decode("cp1252", "replace") for code in range(0x80, 0xA0)}
_C1 = {code: character for code, character in _WINDOWS.items() if character != "\ufffd"}
_OPINION = re.compile(r"\[([+-]\d)\]")


def text_lines(content: bytes, where: str) -> list[str]:
    """Return the lines of a text: UTF-8 with or without a byte-order mark, or else Windows-1252.

    Bytes that Windows-1252 does not define are read as Latin-1, so that nothing is lost.

    Raises:
        SentrepError: a zero byte, which no text has.
    """
    if b"\0" in content:
        raise SentrepError(where, expected="plain text", found="a zero byte", remedy="fetch the file again")
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        text = content.decode("latin-1")
    lines = text.translate(_C1).removesuffix("\n").split("\n") if text else []
    return [line.removesuffix("\r") for line in lines]


def file_per_class(files: Files, options: Mapping[str, Any]) -> dict[str, LabelledTexts]:
    """Read one file per class with a text a line (MR, CR, SUBJ, MPQA); a part's name is the class.

    Empty lines are items, as they are to SentEval; a protocol may leave them out.
    """
    texts, targets = [], []
    for name, members in files.items():
        lines = [line.strip() for where, content in members for line in text_lines(content, where)]
        texts += lines
        targets += [_class_number(name, options, "task configuration")] * len(lines)
    return {WHOLE: LabelledTexts(texts, None, np.array(targets, dtype=np.int64))}


def labelled_lines(files: Files, options: Mapping[str, Any]) -> dict[str, LabelledTexts]:
    """Read lines of a label, a blank and a text (TREC, SST's sentence files, fastText's format).

    Of a label with a colon, as ``NUM:dist``, the part before it counts.
    """

    def items(members: Sequence[tuple[str, bytes]]) -> Iterator[tuple[str, None, int]]:
        for where, line in _numbered(members):
            label, _, text = line.strip().partition(" ")
            yield text.strip(), None, _class_number(label.partition(":")[0], options, where)

    return {split: _part(items(members)) for split, members in files.items()}


def text_tab_label(files: Files, options: Mapping[str, Any]) -> dict[str, LabelledTexts]:
    """Read lines of a text, a tab and a label (SentEval's binary SST)."""

    def items(members: Sequence[tuple[str, bytes]]) -> Iterator[tuple[str, None, int]]:
        for where, line in _numbered(members):
            text, tab, label = line.rpartition("\t")
            if not tab:
                raise SentrepError(
                    where, expected="a text, a tab and a label", found=_shorten(line), remedy="correct the line"
                )
            yield text.strip(), None, _class_number(label.strip(), options, where)

    return {split: _part(items(members)) for split, members in files.items()}


def pair_table(files: Files, options: Mapping[str, Any]) -> dict[str, LabelledTexts]:
    """Read tab-separated tables of pairs with a line of headings (MSRP, SICK); quotation marks are no quoting.

    ``options["columns"]`` names the headings of ``first``, ``second`` and ``target``.
    """
    wanted = [options["columns"][key] for key in ("first", "second", "target")]

    def items(members: Sequence[tuple[str, bytes]]) -> Iterator[tuple[str, str, float]]:
        for name, content in members:
            lines = text_lines(content, name)
            headings = lines[0].split("\t") if lines else []
            if absent := [heading for heading in wanted if heading not in headings]:
                raise SentrepError(
                    f"{name}:1",
                    expected=f"the headings {', '.join(wanted)}",
                    found=f"no {', '.join(absent)}",
                    remedy="fetch the file again",
                )
            at = [headings.index(heading) for heading in wanted]
            for number, line in enumerate(lines[1:], 2):
                fields = line.split("\t")
                if len(fields) != len(headings) or not all(fields[place].strip() for place in at):
                    raise SentrepError(
                        f"{name}:{number}",
                        expected=f"{len(headings)} fields separated by tabs, texts and target not empty",
                        found=f"{len(fields)} in {_shorten(line)}",
                        remedy="correct the line or fetch the file again",
                    )
                first, second, target = (fields[place].strip() for place in at)
                yield first, second, _target(target, options, f"{name}:{number}")

    scores = not options["classes"]
    return {split: _part(items(members), scores) for split, members in files.items()}


def product_reviews(files: Files, options: Mapping[str, Any]) -> dict[str, LabelledTexts]:
    """Read Hu and Liu's customer reviews as NLTK ships them, from which CR was made: ``size[+2], menu[-1]##text``.

    A sentence's class is the sign of the sum of its opinions: the last class for positive ones, the first for
    negative ones. Sentences without an opinion, and those whose opinions cancel out, are left out. CR itself has
    nearly the same sentences, tokenised.
    """
    found: list[tuple[str, None, int]] = []
    for _, line in _numbered([member for members in files.values() for member in members]):
        notes, mark, text = line.partition("##")
        total = sum(int(strength) for strength in _OPINION.findall(notes)) if mark else 0
        if total and text.strip():
            found.append((text.strip(), None, int(total > 0)))
    found.sort(key=lambda item: -item[2])
    return {WHOLE: _part(iter(found))}


READERS: dict[str, Reader] = {
    reader.__name__: reader for reader in (file_per_class, labelled_lines, text_tab_label, pair_table, product_reviews)
}


def reader(name: str) -> Reader:
    """Return the reader called ``name``.

    Raises:
        SentrepError: there is none of that name.
    """
    if name not in READERS:
        raise unknown_name("transfer", "reader", name, READERS)
    return READERS[name]


def _numbered(members: Sequence[tuple[str, bytes]]) -> Iterator[tuple[str, str]]:
    """Yield (place, line) of the lines that are not empty."""
    for name, content in members:
        for number, line in enumerate(text_lines(content, name), 1):
            if line.strip():
                yield f"{name}:{number}", line


def _part(items: Iterator[tuple[str, str | None, float]], scores: bool = False) -> LabelledTexts:
    rows = list(items)
    pairs = bool(rows) and rows[0][1] is not None
    return LabelledTexts(
        [first for first, _, _ in rows],
        [second or "" for _, second, _ in rows] if pairs else None,
        np.array([target for _, _, target in rows], dtype=np.float64 if scores else np.int64),
    )


def _class_number(label: str, options: Mapping[str, Any], where: str) -> int:
    """Return the number of a class by its label in the file."""
    labels = options.get("labels") or {str(name): name for name in options["classes"]}
    if label not in labels:
        raise SentrepError(
            where,
            expected=f"one of the labels {', '.join(labels)}",
            found=repr(_shorten(label)),
            remedy="correct the line or the task's labels",
        )
    return options["classes"].index(labels[label])


def _target(text: str, options: Mapping[str, Any], where: str) -> float:
    """Return the class or the score of a pair."""
    if options["classes"]:
        return _class_number(text, options, where)
    low, high = options["scores"]
    try:
        score = float(text)
    except ValueError:
        score = np.nan
    if not low <= score <= high:
        raise SentrepError(
            where,
            expected=f"a score from {low:g} to {high:g}",
            found=repr(_shorten(text)),
            remedy="correct the line or fetch the file again",
        )
    return score


def _shorten(text: str, length: int = 60) -> str:
    return text if len(text) <= length else text[:length] + "..."
