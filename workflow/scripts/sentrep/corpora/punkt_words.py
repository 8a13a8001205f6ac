"""Punkt's words: the same as NLTK's, which tries regular expressions in a slow engine on each occurrence of a word."""

from __future__ import annotations

import re
from functools import lru_cache

from nltk.tokenize.punkt import PunktLanguageVars, PunktToken

# NLTK's engine and Python's differ in what they call white space.
_OTHER_WHITE_SPACE = re.compile(r"[^\S ]")


class FastLanguage(PunktLanguageVars):
    """Cuts a line into the same words."""

    _words = re.compile(PunktLanguageVars()._word_tokenizer_re().pattern, re.VERBOSE)

    def word_tokenize(self, s: str) -> list[str]:
        """Return the words of a line, punctuation other than full stops split off."""
        return super().word_tokenize(s) if _OTHER_WHITE_SPACE.search(s) else self._words.findall(s)


class FastToken(PunktToken):
    """A token with the same properties, those that all tokens are asked for looked up."""

    __slots__ = ("first_case", "first_lower", "first_upper", "is_ellipsis")

    def __init__(self, tok: str, parastart: bool | None = None, linestart: bool | None = None) -> None:
        self.tok, self.parastart, self.linestart = tok, parastart, linestart
        self.sentbreak = self.abbr = self.ellipsis = None
        self.period_final = tok.endswith(".")
        self.type, self.first_lower, self.first_upper, self.first_case, self.is_ellipsis = _properties(tok)


@lru_cache(1 << 16)
def _properties(tok: str) -> tuple[str, bool, bool, str, bool]:
    lower, upper = tok[0].islower(), tok[0].isupper()
    # NLTK's patterns for numbers and for ellipses match none of the others.
    kind = tok.lower() if tok.isalpha() else PunktToken(tok).type
    ellipsis = tok.startswith("..") and bool(PunktToken(tok).is_ellipsis)
    return kind, lower, upper, "lower" if lower else "upper" if upper else "none", ellipsis
