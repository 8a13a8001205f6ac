"""Read the labelled sentence pairs of SNLI (Bowman et al., EMNLP 2015) and MultiNLI (Williams et al., NAACL 2018).

Both data sets provide each split in two formats with the same content: JSON lines and a tab-separated table. Only the
majority label and the two sentences of each pair are read. Pairs without a majority label, which have the label "-",
are omitted, as is common practice. The two development sets of MultiNLI (matched and mismatched) are not read.
"""

from __future__ import annotations

import json
import logging
import re
from collections.abc import Iterable, Iterator
from pathlib import Path, PurePosixPath

import numpy as np

from sentrep.corpora.labelled_texts import LabelledTexts
from sentrep.errors import SentrepError, malformed_line, shorten
from sentrep.sources.archives import SourceFiles

log = logging.getLogger("sentrep")

CLASSES = ("entailment", "neutral", "contradiction")
SPLITS = ("train", "dev", "test")
UNDECIDED = "-"
_FIELDS = ("gold_label", "sentence1", "sentence2")
_NAME = re.compile(r"(?:^|_)(train|dev|test)\.(jsonl|txt)$")  # does not match "dev_matched.jsonl" of MultiNLI

Triple = tuple[str, str, str]


def read_nli(manifest: str | Path, splits: Iterable[str] = SPLITS) -> dict[str, LabelledTexts]:
    """Read the labelled sentence pairs of a source, and return a mapping from each split to its pairs.

    The ``targets`` of the pairs are indices into :data:`CLASSES`. If the source contains a split both as JSON lines and
    as a tab-separated table, only the first of the two files is read.

    Args:
        manifest: path of the manifest that lists the files of the source.
        splits: names of the splits to read.

    Raises:
        SentrepError: a split is missing or has no labelled pairs, a line is malformed, or a label is unknown.
    """
    wanted = tuple(splits)
    parts: dict[str, LabelledTexts] = {}
    members = SourceFiles(manifest)
    with members.guard():
        for path, stream in members:
            name = PurePosixPath(path).name
            found = None if name.startswith(".") else _NAME.search(name)  # skip "._" files of archives created by macOS
            if found and found[1] in wanted and found[1] not in parts:
                rows = _json_lines if found[2] == "jsonl" else _table
                parts[found[1]] = _part(rows(stream, name), name)
    if missing := [split for split in wanted if split not in parts]:
        raise SentrepError(
            manifest,
            expected=f"files whose names end in {', '.join(f'{split}.jsonl' for split in wanted)} (or .txt)",
            found=f"no file for {', '.join(missing)}",
            remedy="use the complete archive of the data set",
        )
    return parts


def _part(rows: Iterator[tuple[str, Triple]], name: str) -> LabelledTexts:
    number = {label: place for place, label in enumerate(CLASSES)}
    first, second, targets, undecided = [], [], [], 0
    for where, (label, premise, hypothesis) in rows:
        if label == UNDECIDED:
            undecided += 1
        elif label in number:
            first.append(premise)
            second.append(hypothesis)
            targets.append(number[label])
        else:
            expected = f"one of the labels {', '.join(map(repr, CLASSES))} and {UNDECIDED!r}"
            raise malformed_line(where, expected, repr(shorten(label)))
    if not targets:
        raise SentrepError(
            name, expected="at least one labelled pair", found="none", remedy="use a complete copy of the file"
        )
    log.info("%s: read %d labelled pairs and omitted %d pairs without a majority label", name, len(targets), undecided)
    return LabelledTexts(first, second, np.array(targets, dtype=np.int64))


def _json_lines(lines: Iterable[bytes], name: str) -> Iterator[tuple[str, Triple]]:
    for number, line in enumerate(lines, 1):
        where = f"{name}:{number}"
        if not line.strip():
            continue
        try:
            item = json.loads(line)
            values = tuple(item[field] for field in _FIELDS)
        except (ValueError, KeyError, TypeError) as error:
            raise malformed_line(where, f"a JSON object with the keys {', '.join(_FIELDS)}", _what(error)) from None
        if not all(isinstance(value, str) for value in values):
            raise malformed_line(where, f"strings as values of the keys {', '.join(_FIELDS)}", str(values)[:60])
        yield where, values


def _table(lines: Iterable[bytes], name: str) -> Iterator[tuple[str, Triple]]:
    """Yield the location, label and sentences of each row of a tab-separated table whose first line has the headings.

    Quotation marks have no special meaning.
    """
    headings: list[str] = []
    for number, line in enumerate(lines, 1):
        where = f"{name}:{number}"
        try:
            fields = line.decode("utf-8").rstrip("\r\n").split("\t")
        except UnicodeDecodeError as error:
            raise malformed_line(where, "UTF-8 text", f"invalid bytes ({error})") from None
        if not headings:
            headings = fields
            if absent := [field for field in _FIELDS if field not in headings]:
                raise malformed_line(where, f"the headings {', '.join(_FIELDS)}", f"no heading {', '.join(absent)}")
        elif len(fields) != len(headings):
            if fields != [""]:
                raise malformed_line(where, f"{len(headings)} fields separated by tabs", f"{len(fields)} fields")
        else:
            row = dict(zip(headings, fields, strict=True))
            yield where, (row["gold_label"], row["sentence1"], row["sentence2"])


def _what(error: Exception) -> str:
    return f"no key {error}" if isinstance(error, KeyError) else f"an error ({str(error)[:80]})"
