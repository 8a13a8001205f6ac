"""Read word analogies a : b :: c : d and their relations from files in the formats of Google and Microsoft.

In Google's ``questions-words.txt`` (Mikolov et al., 2013a), a line ``: relation`` precedes the questions of each
relation.

Microsoft's set (Mikolov, Yih and Zweig, 2013) consists of two files: ``word_relationship.questions`` contains a, b and
c, and ``word_relationship.answers`` contains the relation and d. Other projects distribute this set as one file with
four words per line and no relations. That file has four blocks of lines: the first 3,000 lines belong to six relations
between forms of adjectives, the next 1,000 to two relations between singular and plural nouns, the next 1,000 to two
relations between nouns and their possessive forms, and the last 3,000 to six relations between forms of verbs. Within a
block, the relation changes from line to line in a fixed cycle, so the position of a line determines its relation. Every
second line repeats the previous line with the words of each pair swapped.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from sentrep.errors import SentrepError, malformed_line, shorten

_ADJECTIVES = ("JJ_JJR", "JJR_JJ", "JJ_JJS", "JJS_JJ", "JJS_JJR", "JJR_JJS")
_VERBS = ("VB_VBD", "VBD_VB", "VB_VBZ", "VBZ_VB", "VBZ_VBD", "VBD_VBZ")
# Blocks of Microsoft's 8,000 questions in order: number of questions, and the relations through which they cycle.
_BLOCKS = ((3000, _ADJECTIVES), (1000, ("NN_NNS", "NNS_NN")), (1000, ("NN_NNPOS", "NNPOS_NN")), (3000, _VERBS))
_TOTAL = sum(count for count, _ in _BLOCKS)


class Question(NamedTuple):
    """A word analogy, "a is to b as c is to d", and the name of its relation; the words are in lower case."""

    relation: str
    a: str
    b: str
    c: str
    d: str


Members = Iterable[tuple[str, bytes]]


def read_questions(members: Members, name: str) -> list[Question]:
    """Read a set of word analogies in any of the formats that this module describes.

    Args:
        members: name and content of each file of the set.
        name: name of the set, "Google" or "Microsoft"; relations are called "<name> <relation>".

    Raises:
        SentrepError: the set contains neither Microsoft's two files nor exactly one file, a file is not UTF-8, a line
            is malformed, a file has an unexpected number of lines, or there are no questions.
    """
    texts = {where.rsplit("/", 1)[-1]: (where, _lines(content, where)) for where, content in members}
    questions = texts.get("word_relationship.questions")
    answers = texts.get("word_relationship.answers")
    if questions and answers:
        found = list(_two_files(*questions, *answers, name))
    else:
        if len(texts) != 1:
            raise SentrepError(
                f"{name} word analogies",
                expected="one file of questions, or word_relationship.questions and word_relationship.answers",
                found=f"the files {', '.join(texts)}" if texts else "no files",
                remedy="correct the sources in `analogies.questions`",
            )
        where, lines = next(iter(texts.values()))
        with_headings = any(line.startswith(":") for line in lines)
        found = list((_with_headings if with_headings else _without_relations)(where, lines, name))
    if not found:
        remedy = "correct the source in `analogies.questions`"
        raise SentrepError(f"{name} word analogies", expected="at least one question", found="none", remedy=remedy)
    return found


def _with_headings(where: str, lines: list[str], name: str) -> Iterator[Question]:
    """Yield the questions in a file in Google's format, in which headings name the relations."""
    relation = ""
    for number, line in enumerate(lines, 1):
        if line.startswith(":"):
            relation = line[1:].strip()
        elif line:
            a, b, c, d = _words(line, 4, f"{where}:{number}")
            if not relation:
                raise malformed_line(
                    f"{where}:{number}", "a heading ': relation' before the first question", repr(shorten(line))
                )
            yield Question(f"{name} {relation}", a, b, c, d)


def _two_files(
    where: str, questions: list[str], answers_where: str, answers: list[str], name: str
) -> Iterator[Question]:
    """Combine the lines of Microsoft's two files, and yield the resulting questions."""
    if len(questions) != len(answers):
        raise SentrepError(
            answers_where,
            expected=f"{len(questions)} lines, as in {where}",
            found=f"{len(answers)} lines",
            remedy="use complete copies of both files",
        )
    for number, (question, answer) in enumerate(zip(questions, answers, strict=True), 1):
        a, b, c = _words(question, 3, f"{where}:{number}")
        relation, d = _words(answer, 2, f"{answers_where}:{number}")
        yield Question(f"{name} {relation.upper()}", a, b, c, d)


def _without_relations(where: str, lines: list[str], name: str) -> Iterator[Question]:
    """Yield the questions in the one-file version of Microsoft's set, with relations derived from the line order."""
    if len(lines) != _TOTAL:
        raise SentrepError(
            where,
            expected=f"headings of the form ': relation', or Microsoft's {_TOTAL} questions in their original order",
            found=f"{len(lines)} lines without headings",
            remedy="use the complete file, or add a heading ': relation' before the questions of each relation",
        )
    names = [names[place % len(names)] for count, names in _BLOCKS for place in range(count)]
    before: list[str] = []
    for number, (relation, line) in enumerate(zip(names, lines, strict=True), 1):
        a, b, c, d = words = _words(line, 4, f"{where}:{number}")
        if number % 2 == 0 and before != [b, a, d, c]:
            # Relations are derived from the order of the lines, so the order is checked.
            expected = f"the words of the line above in the order '{before[1]} {before[0]} {before[3]} {before[2]}'"
            raise malformed_line(f"{where}:{number}", expected, repr(shorten(line)))
        before = words
        yield Question(f"{name} {relation}", a, b, c, d)


def _words(line: str, count: int, where: str) -> list[str]:
    words = line.casefold().split()
    if len(words) != count:
        raise malformed_line(where, f"{count} words", f"{len(words)} in {shorten(line)!r}")
    return words


def _lines(content: bytes, where: str) -> list[str]:
    """Return the lines of a UTF-8 text, each without surrounding whitespace; empty lines at the end are omitted."""
    try:
        text = content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        remedy = "convert the file to UTF-8, or use an undamaged copy"
        raise SentrepError(where, expected="UTF-8 text", found=f"invalid bytes ({error})", remedy=remedy) from None
    return [line.strip() for line in text.rstrip().split("\n")] if text.strip() else []
