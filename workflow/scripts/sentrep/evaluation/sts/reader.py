"""Read sets of sentence pairs from the SemEval releases, from custom files, and from the data of Lee et al. (2005).

In the layout of SemEval, a set consists of two files with the same number of lines. ``STS.input.<name>.txt`` contains
two sentences per line, separated by a tab. Each line of ``STS.gs.<name>.txt`` contains the mean human score of a pair,
from 0 to 5, or is empty if no score was released. The text is not changed: quotation marks have no special meaning, and
HTML entities and C1 control characters are kept.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError, malformed_line, shorten
from sentrep.evaluation.sts.sets import (
    CUSTOM_YEAR,
    LEE_DATASET,
    LEE_YEAR,
    LICENSED,
    STANDARD,
    YEARS,
    MissingSet,
    StsSet,
)

log = logging.getLogger("sentrep")

Member = tuple[str, bytes]
"""Path and content of a file."""
_NAME = re.compile(r"STS\.(input|gs)\.(?:surprise\.)?(.+)\.txt")
_TRAINING = re.compile(r"(^|[^a-z])(train|trial)($|[^a-z])")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def read_pairs(
    input_bytes: bytes, gold_bytes: bytes, where: str, gold_where: str | None = None
) -> tuple[list[str], list[str], npt.NDArray[np.float64]]:
    r"""Read the sentence pairs and human scores of one set.

    Lines end with "\n" or "\r\n"; the last line may end without a line break. Text is UTF-8, with or without a
    byte-order mark. A file that is not valid UTF-8 is read as Latin-1, in which every byte is a character, so that no
    text is lost.

    Args:
        input_bytes: content of the file of sentences.
        gold_bytes: content of the file of human scores.
        where: name of the file of sentences, for error messages.
        gold_where: name of the file of human scores, for error messages; by default, it is derived from ``where``.

    Returns:
        The first sentences, the second sentences, and the human scores, (n,) float64; a score is NaN if its line is
        empty.

    Raises:
        SentrepError: a line does not consist of two sentences separated by one tab, a score is neither empty nor a
            number from 0 to 5, or the files have different numbers of lines.
    """
    gold_where = gold_where or where.replace("STS.input.", "STS.gs.")
    lines, scores = _lines(input_bytes, where), _lines(gold_bytes, gold_where)
    if len(lines) != len(scores):
        raise SentrepError(
            gold_where,
            expected=f"as many lines as in {PurePosixPath(where).name} (number of lines: {len(lines)})",
            found=str(len(scores)),
            remedy="use sentences and scores from the same release",
        )
    first, second = [], []
    for number, line in enumerate(lines, 1):
        sentences = line.split("\t")
        if len(sentences) != 2 or not all(sentence.strip() for sentence in sentences):
            found = f"{shorten(line)!r} (number of tabs: {line.count(chr(9))})"
            raise malformed_line(f"{where}:{number}", "two sentences separated by one tab", found)
        first.append(sentences[0])
        second.append(sentences[1])
    return first, second, np.array([_gold(s, f"{gold_where}:{n}") for n, s in enumerate(scores, 1)], np.float64)


def collect_sets(
    year: int, members: Iterable[Member], where: str = "STS source"
) -> tuple[list[StsSet], list[MissingSet]]:
    """Find the SemEval sets of one year among the files of a source, and read them.

    Files may be in any folder, but files in folders for other years or for training data are skipped, so a source may
    contain the files of several years. The part ``surprise.`` of released file names such as
    ``STS.input.surprise.OnWN.txt`` is ignored.

    Args:
        year: year of the SemEval task, from 2012 to 2015.
        members: path and content of every file.
        where: name of the source, for error messages and for the reasons why sets are missing.

    Returns:
        The sets found and the missing sets, both in the order of the tables in Kenter et al. (2016).

    Raises:
        SentrepError: a file is malformed, or two different files have the same name.
    """
    files = _files_by_set(
        ((name, content) for name, content in members if not _is_elsewhere(PurePosixPath(name), year)), where
    )
    found, missing = [], []
    for dataset in (standard.dataset for standard in STANDARD if standard.year == year):
        text, gold = (files.get(dataset, {}).get(kind) for kind in ("input", "gs"))
        licensed = (year, dataset) in LICENSED
        if text is None or gold is None:
            reason = f"STS.{'input' if text is None else 'gs'}.{dataset}.txt is not among the files of {where}"
        elif licensed and b"\t" not in text[1]:
            reason = f"{PurePosixPath(text[0]).name} in {where} is a licence notice that contains no sentence pairs"
        else:
            found.append(_read_set(year, dataset, text, gold, where))
            continue
        if licensed:
            reason += (
                "; the sentences of this set require an LDC licence; put the file with these sentences into the "
                f"folder with the other files of {year}"
            )
        missing.append(MissingSet(year, dataset, reason))
    return found, missing


def collect_custom_sets(members: Iterable[Member], where: str = "custom pairs") -> list[StsSet]:
    """Read custom sets from files in the layout of SemEval, named ``STS.input.NAME.txt`` and ``STS.gs.NAME.txt``.

    Args:
        members: path and content of every file; files with other names are ignored.
        where: name of the source, for error messages.

    Returns:
        The sets, sorted by name; their year is :data:`CUSTOM_YEAR`.

    Raises:
        SentrepError: there are no sets, one of the two files of a set is missing, a file is malformed, or two different
            files have the same name.
    """
    files = _files_by_set(members, where)
    if not files:
        raise SentrepError(
            where,
            expected="files named STS.input.NAME.txt and STS.gs.NAME.txt",
            found="none",
            remedy="rename your files accordingly",
        )
    for dataset, kinds in files.items():
        for kind in {"input", "gs"} - set(kinds):
            raise SentrepError(
                where,
                expected=f"STS.input.{dataset}.txt and STS.gs.{dataset}.txt",
                found=f"no STS.{kind}.{dataset}.txt",
                remedy="add the missing file",
            )
    return [_read_set(CUSTOM_YEAR, name, kinds["input"], kinds["gs"], where) for name, kinds in sorted(files.items())]


def read_pair_table(content: bytes, name: str) -> StsSet:
    """Read a custom set from a file whose lines consist of two sentences and a score, separated by tabs.

    Args:
        content: content of the file, in UTF-8; the score in a line may be empty.
        name: path of the file; the file name without its suffix is the name of the set.

    Raises:
        SentrepError: a line does not have three fields, a score is neither a number nor empty, or there are no lines.
    """
    rows = [line.split("\t") for line in _lines(content, name)]
    gold = []
    for number, row in enumerate(rows, 1):
        if len(row) != 3 or not (_NUMBER.fullmatch(row[2].strip()) or not row[2].strip()):
            found = f"{shorten(' | '.join(row))!r} (number of fields: {len(row)})"
            raise malformed_line(
                f"{name}:{number}", "two sentences and a number (or an empty field), separated by tabs", found
            )
        gold.append(float(row[2].strip() or "nan"))
    if not rows:
        raise SentrepError(
            name, expected="lines with two sentences and a score", found="no lines", remedy="add a line for each pair"
        )
    firsts, seconds, _ = (list(column) for column in zip(*rows, strict=True))
    return StsSet(CUSTOM_YEAR, PurePosixPath(name).stem, firsts, seconds, np.array(gold))


def read_sources(sources: Mapping[int, tuple[str, Iterable[Member]]]) -> tuple[list[StsSet], list[MissingSet]]:
    """Read the SemEval sets of several years.

    Args:
        sources: for each year, the name and the files of its source.

    Returns:
        The sets found and the missing sets.

    Raises:
        SentrepError: a file is malformed, or two different files of a source have the same name.
    """
    sets: list[StsSet] = []
    missing: list[MissingSet] = []
    for year, (name, members) in sources.items():
        found, absent = collect_sets(year, members, name)
        sets += found
        missing += absent
    return sets, missing


def _files_by_set(members: Iterable[Member], where: str) -> dict[str, dict[str, Member]]:
    """Group files by the name of their set, and key the files of each set by their kind ("input" or "gs")."""
    files: dict[str, dict[str, Member]] = {}
    for name, content in members:
        base = PurePosixPath(name).name
        if match := _NAME.fullmatch(base):
            known = files.setdefault(match[2], {}).setdefault(match[1], (name, content))
            if known[1] != content:
                raise SentrepError(
                    where,
                    expected=f"only one version of {base}",
                    found=f"{known[0]} and {name}, which differ",
                    remedy="keep one of these files",
                )
    return files


def _read_set(year: int, dataset: str, text: Member, gold: Member, where: str) -> StsSet:
    return StsSet(year, dataset, *read_pairs(text[1], gold[1], f"{where}/{text[0]}", f"{where}/{gold[0]}"))


def read_lee(documents: bytes, similarities: bytes, where: str) -> StsSet:
    """Read the similarity judgements of Lee, Pincombe and Welsh (2005) for all pairs of 50 short news texts.

    Args:
        documents: content of the file of texts, one text per line.
        similarities: content of the file of mean human similarities, a tab-separated square matrix of numbers
            from 0 to 1.
        where: name of the file of similarities, for error messages.

    Returns:
        A set that contains every pair of different texts once. Its human scores are the similarities multiplied by 5.

    Raises:
        SentrepError: the matrix is not square, does not match the number of texts, or contains values outside the range
            from 0 to 1.
    """
    texts = _lines(documents, "Lee texts")
    size = len(texts)
    rows = [line.split("\t") for line in _lines(similarities, where)]
    try:
        matrix = np.array(rows, dtype=np.float64)
    except ValueError:
        matrix = np.empty((0, 0))
    if matrix.shape != (size, size) or not ((matrix >= 0) & (matrix <= 1)).all():
        raise SentrepError(
            where,
            expected=f"a {size} x {size} matrix of numbers from 0 to 1",
            found=f"a different shape or other values (number of lines: {len(rows)})",
            remedy="reinstall gensim, which contains this file",
        )
    i, j = np.triu_indices(size, k=1)
    return StsSet(LEE_YEAR, LEE_DATASET, [texts[k] for k in i], [texts[k] for k in j], matrix[i, j] * 5)


def _lines(content: bytes, where: str) -> list[str]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        log.warning("%s: expected UTF-8 text, found invalid bytes; reading the file as Latin-1", where)
        text = content.decode("latin-1")
    # Only "\n" separates lines. str.splitlines would also split at U+0085 and other characters that can occur in a
    # sentence.
    lines = text.removesuffix("\n").split("\n") if text else []
    return [line.removesuffix("\r") for line in lines]


def _gold(text: str, where: str) -> float:
    text = text.strip()
    if not text:
        return np.nan
    value = float(text) if _NUMBER.fullmatch(text) else np.nan
    if not 0 <= value <= 5:
        raise malformed_line(where, "a score from 0 to 5, or an empty line", repr(shorten(text)))
    return value


def _is_elsewhere(path: PurePosixPath, year: int) -> bool:
    """Return whether the names of a file's folders show that the file is training data or belongs to another year."""
    for folder in reversed(path.parts[:-1]):
        if _TRAINING.search(folder.lower()):
            return True
        named = {int(digits) for digits in re.findall(r"20\d\d", folder)} & set(YEARS)
        if named:
            return year not in named
    return False
