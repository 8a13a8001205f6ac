"""Clean tweets as in section 4.2 of De Boom et al. (2016), and distinguish words, hashtags and mentions.

A cleaned tweet is a list of lower-case tokens. A *hashtag* begins with "#"; a *veritable word* is any token that is not
a hashtag, a mention ("@..."), a number ("0") or a link ("url").
"""

from __future__ import annotations

import html
import re
import unicodedata

from sentrep.pairs.settings import Cleaning, UrlToken

# The 83 hashtags that the released code treats as non-informative. They stay in the text, but the rules for pairs
# ignore them. "0" stands for a number, as in every cleaned text. The list is copied unchanged from the authors' code,
# although :func:`clean` never returns two of these hashtags: it drops "#", and it turns "#go2mb" into "#go0mb".
_UNINFORMATIVE = """
#0 #breaking #update #tweet #topstories # #photos #news #potusplaylist #yoursay #viralvideos #longreads #c0news
#ssnalerts #sayfie #flapol #aljazeera #lbcblogs #video #breakingnews #bbcgofigure #npreads #nbc0ny #abcnews0 #0abc
#nbc0today #nyccw0 #cbs0 #developing #theinsider #bbc #tomorrowspaperstoday #cnnfc #buffalo #twcnews #nbc0 #cny
#nbc0dc #asktheglobe #cambridge #cambridgeshire #a0 #fortuneinsider #fortunelive #fortunetech #foxnews #global0
#medhat #expressfrontage #expressopinion #india #beyondthenews #sundayeye #freetimeoutny #wordonthestreet
#aljazeeramag #aljazeerzworld #jpost #foxinthefastlane #guardiangothenburg #bbcafricalive #bbcfocusafrica #proverb
#africa #bbcbreakfast #huffpostnow #washweek #onthisday #philly #local #periscope #glasto0 #exploreny #budget0
#icymi #obama #lateline #tca0 #washweeklive #myrtlebeach #surfsidebeach #mugshots #go2mb
"""
UNINFORMATIVE = frozenset(_UNINFORMATIVE.split())

# A link, or the remains of a link in a tweet that was truncated at 140 characters, such as "http:/ ..." or "htt…". The
# authors' data contained only t.co links; other tweets may also contain links without "http://" or "https://".
_LINK = re.compile(
    r"https?://\S*|\bhttps?:?/?(?=\s*(?:…|\.\.)|\s*$)|\bhtt(?=…|\s*\.\.)|\bpic\.twitter\.com/\S+|\bwww\.\S+",
    re.IGNORECASE,
)
_RETWEET = re.compile(r"\bRT\s+@\w+\s*:?", re.IGNORECASE)
_QUOTES = str.maketrans("‘’‛ʼ`´", "''''''")
_NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
_OTHER = re.compile(r"[^\w\s#@$£&']")
_CODE_NUMBER = re.compile(r"[-+]?[\d,]*\.*\d+")
_CODE_OTHER = re.compile(r"[^A-Za-z0-9\s#@$£&']")


def clean(text: str, cleaning: Cleaning = "paper", url_token: UrlToken = "drop") -> list[str]:
    """Clean and tokenise a tweet, and return its tokens.

    For both values of ``cleaning``, HTML entities are resolved, links become "url", and "RT @user:" is removed. Numbers
    become "0", even inside words ("3rd" becomes "0rd"). All characters except letters, digits, apostrophes, "#@$£&" and
    (with "paper") underscores become spaces. "#a#b" is split into two hashtags, and tokens that consist only of
    apostrophes are dropped.

    Args:
        text: text of a tweet.
        cleaning: "paper" keeps underscores and the letters of all alphabets, treats typographic apostrophes like plain
            ones, and treats "1,000.5" as one number. "released_code" follows the authors' code: first, accents are
            removed from letters, and all other non-ASCII characters, including "£", are deleted; underscores become
            spaces, so that "@a_b" becomes "@a b"; punctuation becomes spaces before numbers are detected, so that
            "1,000" becomes "0 0".
        url_token: "keep" leaves "url" in the text, as the released code does; "drop" removes it, because otherwise any
            two tweets with links would share a token.
    """
    if cleaning == "released_code":
        text = unicodedata.normalize("NFKD", text).encode("ascii", "ignore").decode()
    elif not text.isascii():
        text = unicodedata.normalize("NFC", text).translate(_QUOTES)
    if "&" in text:
        text = html.unescape(text)
    text = _RETWEET.sub(" ", _LINK.sub(" url ", text))
    if cleaning == "released_code":
        text = _CODE_NUMBER.sub("0", _CODE_OTHER.sub(" ", text))
    else:
        text = _OTHER.sub(" ", _NUMBER.sub("0", text))
    tokens: list[str] = []
    for token in text.lower().split():
        if token[0] == "#":
            tokens += ["#" + part for part in token.split("#") if part]
        elif token.strip("'") and (token != "url" or url_token == "keep"):
            tokens.append(token)
    return tokens


def is_veritable(token: str) -> bool:
    """Return whether a token is a veritable word, that is, neither a hashtag, a mention, a number nor a link."""
    return token[0] not in "#@" and token not in ("0", "url")


def is_informative_hashtag(token: str) -> bool:
    """Return whether a token is an informative hashtag, that is, a hashtag that is not in :data:`UNINFORMATIVE`."""
    return token[0] == "#" and token not in UNINFORMATIVE
