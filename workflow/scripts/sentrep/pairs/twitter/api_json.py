"""Read tweets from JSON values, which are plain records or results of Twitter's API (version 1.1 or 2).

``tweets_of`` takes one JSON value: a record ``{"id", "user", "created_at", "text"}``, a tweet in the format of either
API version, a list of tweets, a search result of version 1.1 (``{"statuses": [...]}``), or a page of results of
version 2 (``{"data", "includes"}``).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sentrep.pairs.twitter.tweet import Tweet, parse_time

# Reasons for rejecting a value.
NOT_A_TWEET = "not a tweet"
WRONG_ID = "missing or invalid id"
WRONG_DATE = "invalid date"
NO_TEXT = "no text"
OTHER_LANGUAGE = "not in English"

_NOTICES = frozenset({"delete", "limit", "disconnect", "warning", "scrub_geo", "status_withheld", "user_withheld"})


def tweets_of(value: Any) -> Iterator[Tweet | str]:
    """Yield the tweets in a JSON value; in place of a rejected item, yield the reason for its rejection.

    As in De Boom et al. (2016), a tweet is rejected if its record states a language other than English.
    """
    if isinstance(value, list):
        for item in value:
            yield from tweets_of(item)
    elif not isinstance(value, dict):
        yield NOT_A_TWEET
    elif isinstance(value.get("statuses"), list):
        yield from tweets_of(value["statuses"])
    elif isinstance(value.get("data"), (list, dict)):
        yield from _page(value)
    elif "meta" in value and "data" not in value and "text" not in value:
        return  # an empty page of results from version 2 of the API
    elif _NOTICES & value.keys() and "text" not in value:
        return  # a control message of the streaming API
    else:
        yield _tweet(value, {}, {})


def _page(page: dict[str, Any]) -> Iterator[Tweet | str]:
    included = page.get("includes")
    included = included if isinstance(included, dict) else {}
    users = {str(user.get("id")): user for user in _dicts(included.get("users"))}
    originals = {str(tweet.get("id")): tweet for tweet in _dicts(included.get("tweets"))}
    for item in page["data"] if isinstance(page["data"], list) else [page["data"]]:
        yield _tweet(item, users, originals) if isinstance(item, dict) else NOT_A_TWEET


def _tweet(tweet: dict[str, Any], users: dict[str, Any], originals: dict[str, Any]) -> Tweet | str:
    identity = tweet.get("id_str", tweet.get("id"))
    # A floating-point id has lost its last digits, for example because the file was saved by a spreadsheet program.
    if isinstance(identity, bool) or not isinstance(identity, (str, int)) or not str(identity).strip():
        return WRONG_ID if {"text", "full_text", "created_at"} & tweet.keys() else NOT_A_TWEET
    language = tweet.get("lang")
    if isinstance(language, str) and language[:2] not in ("en", "un"):  # "und" means undetermined
        return OTHER_LANGUAGE
    try:
        created_at = parse_time(tweet.get("created_at"))
    except ValueError:
        return WRONG_DATE
    text = _text(_original(tweet, originals))
    return Tweet(str(identity).strip(), _user(tweet, users), created_at, text) if text else NO_TEXT


def _original(tweet: dict[str, Any], originals: dict[str, Any]) -> dict[str, Any]:
    """Return the tweet from which the text is taken: the original tweet if ``tweet`` is a retweet, otherwise ``tweet``.

    The text of a retweet may be truncated, so it is used only if the text of the original tweet is not available.
    """
    retweeted = tweet.get("retweeted_status")
    if isinstance(retweeted, dict):
        return retweeted if _text(retweeted) else tweet
    for reference in _dicts(tweet.get("referenced_tweets")):
        if reference.get("type") == "retweeted":
            original = originals.get(str(reference.get("id")), reference)  # some tools embed the original tweet
            return original if _text(original) else tweet
    return tweet


def _text(tweet: dict[str, Any]) -> str:
    for place in (tweet.get("note_tweet"), tweet.get("extended_tweet"), tweet):
        if isinstance(place, dict):
            for key in ("full_text", "text"):
                if isinstance(place.get(key), str) and place[key].strip():
                    return place[key]
    return ""


def _user(tweet: dict[str, Any], users: dict[str, Any]) -> str:
    user = tweet.get("user", tweet.get("author"))
    if user is None and "author_id" in tweet:
        user = users.get(str(tweet["author_id"]), str(tweet["author_id"]))
    if isinstance(user, dict):
        user = next((user[key] for key in ("screen_name", "username", "id_str", "id") if key in user), None)
    return "" if user is None else str(user)


def _dicts(value: Any) -> list[dict[str, Any]]:
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []
