"""Read tweets from JSON Lines files, JSON returned by Twitter's API, and files with lines of the form "id|date|text".

The format is detected from the content. A line that begins with a brace or a square bracket is parsed as JSON
(see :mod:`sentrep.pairs.twitter.api_json`). Any other line is expected to have the format "id|date|text" of the UCI
data set "Health News in Twitter". Such a line does not name the account, so the part of the file name before the first
dot is used as the name of the account. If a file begins with a JSON value that spans several lines, the whole file is
parsed as one JSON document.

Most collections of tweets contain a few malformed tweets, which are skipped and counted. An error is raised if more
than half of the tweets in a file are malformed.
"""

from __future__ import annotations

import json
import logging
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.pairs.twitter.api_json import NO_TEXT, OTHER_LANGUAGE, WRONG_DATE, WRONG_ID, tweets_of
from sentrep.pairs.twitter.tweet import Tweet, parse_time
from sentrep.sources.archives import SourceFiles

log = logging.getLogger("sentrep")

BROKEN_JSON = "invalid JSON"
NO_FORMAT = "neither JSON nor id|date|text"
DUPLICATE = "duplicate id"
_SOUND = frozenset({DUPLICATE, OTHER_LANGUAGE})  # reasons for skipping a valid tweet
_REMEDY = (
    "use JSON from the Twitter API (v1.1 or v2), lines of the form id|date|text, or JSON Lines with the keys id, user, "
    "created_at and text"
)
_BARS = re.compile(r"([^|]*)\|([^|]*)\|(.*)", re.DOTALL)


@dataclass
class Reading:
    """Counts of the tweets that were read, and of the tweets and lines that were skipped.

    Attributes:
        dropped: number of tweets and lines skipped for each reason.
        tweets: number of tweets read from each account.
    """

    dropped: Counter[str] = field(default_factory=Counter)
    tweets: Counter[str] = field(default_factory=Counter)


def read_tweets(path: str | Path, reading: Reading) -> Iterator[Tweet]:
    """Yield the tweets in one file or in all files that a manifest lists, and update the counts in ``reading``.

    Args:
        path: path of a source manifest or of a file of tweets; the file may be compressed or an archive.
        reading: counts to update.

    Raises:
        SentrepError: ``path`` is not a file, a file is damaged or mostly malformed, or no valid tweet in English is
            found.
    """
    members = open_source(path)
    with members.guard():
        yield from tweets_of_members(members, reading)
    if not reading.tweets:
        raise SentrepError(path, expected="at least one tweet in English", found="none", remedy=_REMEDY)


def open_source(path: str | Path) -> SourceFiles:
    """Open the files listed in a manifest (see :func:`sentrep.sources.registry.manifest`), or a single file of tweets.

    Raises:
        SentrepError: the path is not a file.
    """
    path = Path(path)
    if not path.is_file():
        raise SentrepError(path, expected="a file of tweets", found="no file", remedy="check the path")
    if path.suffix == ".json":
        try:
            listed = read_json(path, object)
        except (SentrepError, UnicodeDecodeError):
            listed = None  # not a manifest, but tweets with one JSON value per line
        if isinstance(listed, dict) and {"name", "files"} <= listed.keys():
            return SourceFiles(path)
    return SourceFiles.of([path])


def tweets_of_members(members: Iterable[tuple[str, IO[bytes]]], reading: Reading) -> Iterator[Tweet]:
    """Yield the tweets in open files, skip tweets whose id has already occurred, and update the counts in ``reading``.

    Args:
        members: name and binary stream of each file.
        reading: counts to update.

    Raises:
        SentrepError: more than half of the tweets in a file are malformed, or a JSON document is damaged. The message
            names the first malformed line or the damaged file.
    """
    seen: set[str] = set()
    for name, stream in members:
        parts = PurePosixPath(name).parts
        if "__MACOSX" in parts or parts[-1].startswith("."):
            continue
        good, broken, first = 0, 0, ""
        for number, tweet in _tweets(name, stream):
            if isinstance(tweet, str):
                reading.dropped[tweet] += 1
                if tweet not in _SOUND:
                    first = first or f"{number}: {tweet}"
                    broken += 1
                else:
                    good += 1
            else:
                good += 1
                if tweet.id in seen:
                    reading.dropped[DUPLICATE] += 1
                    continue
                seen.add(tweet.id)
                reading.tweets[tweet.user] += 1
                yield tweet
        if broken > good:
            line, reason = first.split(": ", 1)
            found = f"a malformed tweet ({reason}; malformed tweets in this file: {broken} of {good + broken})"
            raise SentrepError(f"{name}:{line}", expected="a tweet", found=found, remedy=_REMEDY)
        if broken:
            log.info(
                "%s: tweets that were skipped as malformed: %d of %d (the first is on line %s)",
                name,
                broken,
                good + broken,
                first,
            )


def _tweets(name: str, stream: IO[bytes]) -> Iterator[tuple[int, Tweet | str]]:
    """Yield the line number of each tweet, together with the tweet or the reason for rejecting it."""
    account = PurePosixPath(name).name.split(".")[0]
    begun = False
    for number, content in enumerate(stream, start=1):
        line = _decode(content).removeprefix("\ufeff" if number == 1 else "").strip("\r\n\t ")
        if not line:
            continue
        if line[0] not in "{[":
            yield number, _barred(line, account)
        else:
            try:
                value = json.loads(line)
            except (ValueError, RecursionError):
                if not begun and line[-1] in "{[,":
                    yield from ((number, tweet) for tweet in tweets_of(_document(name, line, stream)))
                    return
                yield number, BROKEN_JSON
            else:
                yield from ((number, tweet) for tweet in tweets_of(value))
        begun = True


def _document(name: str, line: str, stream: IO[bytes]) -> object:
    """Read a JSON document that spans several lines, the first of which is ``line``, and return its value."""
    try:
        return json.loads(line + "\n" + _decode(stream.read()))
    except (ValueError, RecursionError) as error:
        raise SentrepError(
            name,
            expected="one JSON document or one JSON value per line",
            found=f"malformed JSON ({error})",
            remedy="correct the file",
        ) from None


def _barred(line: str, account: str) -> Tweet | str:
    """Parse a line of the form "id|date|text", and return the tweet or the reason for rejecting the line.

    The text may contain vertical bars. The line may be in quotation marks, which spreadsheet programs add.
    """
    if line[0] == '"' and line[-1] == '"' and "|" in line:
        line = line[1:-1].replace('""', '"')
    match = _BARS.fullmatch(line)
    if match is None:
        return NO_FORMAT
    identity, date, text = (part.strip() for part in match.groups())
    if not (identity.isascii() and identity.isdigit()):
        return WRONG_ID
    try:
        created_at = parse_time(date)
    except ValueError:
        return WRONG_DATE
    return Tweet(identity, account, created_at, text) if text else NO_TEXT


def _decode(content: bytes) -> str:
    """Decode text as UTF-8 or, if that fails, as Windows-1252; the UCI data set contains text in both encodings."""
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        return content.decode("cp1252", errors="replace")
