"""Define the record type for tweets, and parse times in the formats that occur in files of tweets."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_FIRST = (datetime(2006, 3, 21, tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)  # day of the first tweet
_LAST = (datetime(2100, 1, 1, tzinfo=UTC) - EPOCH) // timedelta(milliseconds=1)
_MILLISECONDS_FROM = 10**11  # smaller numbers are seconds (before the year 5138), larger ones milliseconds (after 1973)
_TWITTER = re.compile(r"[A-Z][a-z]{2} ([A-Z][a-z]{2}) (\d\d) (\d\d):(\d\d):(\d\d) ([+-])(\d\d)(\d\d) (\d{4})", re.ASCII)
_NAMES = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec"
_MONTHS = {name: number for number, name in enumerate(_NAMES.split(), start=1)}  # independent of the locale


class Tweet(NamedTuple):
    """A tweet, independent of the format of the file from which it was read.

    Attributes:
        id: unique id.
        user: account that sent the tweet.
        created_at: time in milliseconds since the start of 1970 in UTC.
        text: uncleaned text; for a retweet, the text of the original tweet, if it is available.
    """

    id: str
    user: str
    created_at: int
    text: str


def parse_time(value: Any) -> int:
    """Parse a time, and return it in milliseconds since the start of 1970 in UTC.

    These formats are supported:

    - ISO 8601 with date and time, such as "2015-04-09T01:31:50Z". The separator may be "T" or a space, and a time
      without an offset is assumed to be in UTC.
    - Twitter's format, such as "Thu Apr 09 01:31:50 +0000 2015".
    - The format of e-mail headers, such as "Thu, 09 Apr 2015 01:31:50 +0000".
    - The number of seconds or milliseconds since the start of 1970 in UTC.

    Raises:
        ValueError: the value has none of these formats, or the time is before 21 March 2006 (the day of the first
            tweet) or after 2099.
    """
    if isinstance(value, bool) or not isinstance(value, (str, int, float)):
        raise ValueError(f"expected a time, found {value!r}")
    if isinstance(value, str):
        value = value.strip()
        if not re.fullmatch(r"\d+(\.\d+)?", value):
            return _in_range((_moment(value) - EPOCH) // timedelta(milliseconds=1), value)
    try:
        number = float(value)
    except OverflowError as error:
        raise ValueError(str(error)) from None
    if not number < 1e15:  # the comparison is also false for NaN
        raise ValueError(f"expected a time, found {value!r}")
    return _in_range(round(number if number >= _MILLISECONDS_FROM else number * 1000), value)


def _moment(value: str) -> datetime:
    if match := _TWITTER.fullmatch(value):
        month, day, hour, minute, second, sign, hours, minutes, year = match.groups()
        if month not in _MONTHS:
            raise ValueError(f"expected a time with the abbreviated English name of a month, found {value!r}")
        moment = datetime(int(year), _MONTHS[month], int(day), int(hour), int(minute), int(second), tzinfo=UTC)
        offset = timedelta(hours=int(hours), minutes=int(minutes))
        return moment + offset if sign == "-" else moment - offset
    if ":" not in value:  # the rules for pairs need the time of day
        raise ValueError(f"expected a date with a time of day, found {value!r}")
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        moment = parsedate_to_datetime(value)
    try:
        return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
    except OverflowError as error:  # the time in UTC is outside the range of datetime
        raise ValueError(str(error)) from None


def _in_range(milliseconds: int, value: Any) -> int:
    if not _FIRST <= milliseconds < _LAST:
        raise ValueError(f"expected a time from 21 March 2006 to the end of 2099, found {value!r}")
    return milliseconds
