"""Reading the SemEval sets of semantic textual similarity from the files of their releases.

A set is two files of equal length, ``STS.input.<name>.txt`` (two sentences and a tab a line) and
``STS.gs.<name>.txt`` (the mean human score, 0 to 5, or a blank line where no score was released). The
reader keeps the text as it is: quotation marks are no quoting, and HTML entities and C1 control characters,
both of which the releases hold, stay.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from pathlib import PurePosixPath

import numpy as np
import numpy.typing as npt

from sentrep.errors import SentrepError
from sentrep.evaluation.sts.sets import LEE_DATASET, LEE_YEAR, LICENSED, OWN_YEAR, STANDARD, YEARS, MissingSet, StsSet

log = logging.getLogger("sentrep")


_NAME = re.compile(r"STS\.(input|gs)\.(?:surprise\.)?(.+)\.txt")
_TRAINING = re.compile(r"(^|[^a-z])(train|trial)($|[^a-z])")
_NUMBER = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?")


def read_pairs(
    input_bytes: bytes, gold_bytes: bytes, where: str, gold_where: str | None = None
) -> tuple[list[str], list[str], npt.NDArray[np.float64]]:
    """Read one set.

    Lines end with "\\n" or "\\r\\n", the last one optionally. Text is UTF-8, with or without a byte-order
    mark. A file that is not valid UTF-8 is read as Latin-1, byte for character, so that nothing is lost or
    guessed.

    Args:
        input_bytes: content of the input file.
        gold_bytes: content of the gold file.
        where: name of the input file, for errors.
        gold_where: name of the gold file, for errors.

    Returns:
        First sentences, second sentences, and gold scores, (n,) float64, NaN where the line is blank.

    Raises:
        SentrepError: a line does not hold two sentences and one tab, a score is no number from 0 to 5, or
            the files differ in length.
    """
    gold_where = gold_where or where.replace("STS.input.", "STS.gs.")
    lines, scores = _lines(input_bytes, where), _lines(gold_bytes, gold_where)
    if len(lines) != len(scores):
        raise SentrepError(
            gold_where,
            expected=f"{len(lines)} lines, as in {PurePosixPath(where).name}",
            found=str(len(scores)),
            remedy="use the input and gold files of the same release",
        )
    first, second = [], []
    for number, line in enumerate(lines, 1):
        sentences = line.split("\t")
        if len(sentences) != 2 or not all(sentence.strip() for sentence in sentences):
            raise SentrepError(
                f"{where}:{number}",
                expected="two sentences separated by one tab",
                found=f"{line.count(chr(9))} tabs in {_shorten(line)!r}",
                remedy="correct the line or fetch the file again",
            )
        first.append(sentences[0])
        second.append(sentences[1])
    return (
        first,
        second,
        np.array([_gold(s, f"{gold_where}:{n}") for n, s in enumerate(scores, 1)], np.float64),
    )


def collect_sets(
    year: int, members: Iterable[tuple[str, bytes]], where: str = "STS source"
) -> tuple[list[StsSet], list[MissingSet]]:
    """Find and read one year's sets among files of any folder layout.

    The release names (``STS.input.surprise.OnWN.txt``) are understood. A file is left aside if a folder on
    its path names another year or is training data, so that one source may hold several years.

    Args:
        year: 2012 to 2015.
        members: (name, content) of every file.
        where: name of the source, for errors and reasons.

    Returns:
        The sets found and the sets missing, each in the paper's order.

    Raises:
        SentrepError: a file is malformed, or two files claim to be the same one.
    """
    files: dict[tuple[str, str], tuple[str, bytes]] = {}
    for name, content in members:
        path = PurePosixPath(name)
        match = _NAME.fullmatch(path.name)
        if match is None or _is_elsewhere(path, year):
            continue
        key = (match[1], match[2])
        if key in files and files[key][1] != content:
            raise SentrepError(
                where,
                expected=f"one {path.name} of {year}",
                found=f"{files[key][0]} and {name}, which differ",
                remedy="keep one of them",
            )
        files[key] = (name, content)
    found, missing = [], []
    for standard in STANDARD:
        if standard.year != year:
            continue
        dataset = standard.dataset
        text, gold = files.get(("input", dataset)), files.get(("gs", dataset))
        reason = None
        if text is None or gold is None:
            absent = f"STS.{'input' if text is None else 'gs'}.{dataset}.txt"
            reason = f"{absent} is not among the files of {where}"
        elif (year, dataset) in LICENSED and b"\t" not in text[1]:
            reason = f"{PurePosixPath(text[0]).name} of {where} is a licence notice, without sentence pairs"
        if text is None or gold is None or reason is not None:
            licence = (
                "; its text needs an LDC licence and goes beside the year's other files"
                if (year, dataset) in LICENSED
                else ""
            )
            missing.append(MissingSet(year, dataset, f"{reason}{licence}"))
        else:
            pairs = read_pairs(text[1], gold[1], f"{where}/{text[0]}", f"{where}/{gold[0]}")
            found.append(StsSet(year, dataset, *pairs))
    return found, missing


def collect_own(members: Iterable[tuple[str, bytes]], where: str = "own pairs") -> list[StsSet]:
    """Read sets of the user's own, named and laid out as SemEval's: ``STS.input.NAME.txt`` and ``STS.gs.NAME.txt``.

    Args:
        members: (name, content) of every file; other names are left aside.
        where: name of the source, for errors.

    Returns:
        The sets by name, of no year.

    Raises:
        SentrepError: there is none, a file has no partner or is malformed, or two files have the same name.
    """
    files: dict[str, dict[str, tuple[str, bytes]]] = {}
    for name, content in members:
        if match := _NAME.fullmatch(PurePosixPath(name).name):
            kind, dataset = match[1], match[2]
            if kind in files.setdefault(dataset, {}):
                raise SentrepError(
                    where, expected=f"one STS.{kind}.{dataset}.txt", found="two", remedy="rename or remove one"
                )
            files[dataset][kind] = (name, content)
    if not files:
        raise SentrepError(
            where, expected="files STS.input.NAME.txt and STS.gs.NAME.txt", found="none", remedy="rename yours"
        )
    sets = []
    for dataset, pair in sorted(files.items()):
        for kind in ("input", "gs"):
            if kind not in pair:
                raise SentrepError(
                    where, expected=f"STS.{kind}.{dataset}.txt too", found="only its partner", remedy="add it"
                )
        (text_name, text), (gold_name, gold) = pair["input"], pair["gs"]
        sets.append(StsSet(OWN_YEAR, dataset, *read_pairs(text, gold, f"{where}/{text_name}", f"{where}/{gold_name}")))
    return sets


def read_lee(documents: bytes, similarities: bytes, where: str) -> StsSet:
    """Read the Lee, Pincombe and Welsh (2005) judgements: every pair i < j of 50 short news texts.

    Args:
        documents: one text a line.
        similarities: a tab-separated square matrix of mean human similarity, 0 to 1.
        where: name of the matrix file, for errors.

    Returns:
        A set whose gold scores are the human similarities times 5.

    Raises:
        SentrepError: the matrix is not square, does not fit the texts, or holds no numbers from 0 to 1.
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
            found=f"{len(rows)} lines or other values",
            remedy="install gensim again",
        )
    i, j = np.triu_indices(size, k=1)
    return StsSet(LEE_YEAR, LEE_DATASET, [texts[k] for k in i], [texts[k] for k in j], matrix[i, j] * 5)


def _lines(content: bytes, where: str) -> list[str]:
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError:
        log.warning("%s: not valid UTF-8, read as Latin-1", where)
        text = content.decode("latin-1")
    # only "\n": str.splitlines would also cut at U+0085 and other characters that occur inside sentences
    lines = text.removesuffix("\n").split("\n") if text else []
    return [line.removesuffix("\r") for line in lines]


def _gold(text: str, where: str) -> float:
    text = text.strip()
    if not text:
        return np.nan
    value = float(text) if _NUMBER.fullmatch(text) else np.nan
    if not 0 <= value <= 5:
        raise SentrepError(
            where,
            expected="a score from 0 to 5, or a blank line",
            found=repr(_shorten(text)),
            remedy="correct the line or fetch the file again",
        )
    return value


def _is_elsewhere(path: PurePosixPath, year: int) -> bool:
    """Say whether the innermost folder that tells belongs to another year or to training data."""
    for folder in reversed(path.parts[:-1]):
        if _TRAINING.search(folder.lower()):
            return True
        named = {int(digits) for digits in re.findall(r"20\d\d", folder)} & set(YEARS)
        if named:
            return year not in named
    return False


def _shorten(text: str, length: int = 60) -> str:
    return text if len(text) <= length else text[:length] + "..."
