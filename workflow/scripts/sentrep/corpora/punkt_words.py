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
    """A token with the same properties, those that tokens are asked for looked up."""

    __slots__ = ("first_case", "first_lower", "first_upper", "is_alpha", "is_ellipsis", "is_initial", "is_non_punct")

    def __init__(self, tok: str, parastart: bool | None = None, linestart: bool | None = None) -> None:
        self.tok, self.parastart, self.linestart = tok, parastart, linestart
        self.sentbreak = self.abbr = self.ellipsis = None
        self.period_final = tok.endswith(".")
        self.type, self.first_lower, self.first_upper, self.first_case, *matches = _properties(tok)
        self.is_alpha, self.is_ellipsis, self.is_initial, self.is_non_punct = matches


@lru_cache(1 << 16)
def _properties(tok: str) -> tuple[str, bool, bool, str, bool, bool, bool, bool]:
    lower, upper = tok[0].islower(), tok[0].isupper()
    case = "lower" if lower else "upper" if upper else "none"
    if tok.isalpha():
        return tok.lower(), lower, upper, case, True, False, False, True
    # NLTK's patterns are tried on those alone that they may match.
    nltk = PunktToken(tok)
    is_alpha = not tok.endswith(".") and bool(nltk.is_alpha)
    is_ellipsis = tok.startswith("..") and bool(nltk.is_ellipsis)
    is_initial = len(tok) == 2 and bool(nltk.is_initial)
    is_non_punct = any(map(str.isalpha, nltk.type)) or bool(nltk.is_non_punct)
    return nltk.type, lower, upper, case, is_alpha, is_ellipsis, is_initial, is_non_punct
