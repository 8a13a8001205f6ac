"""Punkt's token, what follows from its text looked up: NLTK computes it anew, most of it by regular expression."""

from __future__ import annotations

from functools import lru_cache

from nltk.tokenize.punkt import PunktToken


class FastToken(PunktToken):
    """A token with the same properties."""

    __slots__ = ("first_case", "first_lower", "first_upper", "is_ellipsis")

    def __init__(self, tok: str, parastart: bool | None = None, linestart: bool | None = None) -> None:
        self.tok, self.parastart, self.linestart = tok, parastart, linestart
        self.sentbreak = self.abbr = self.ellipsis = None
        self.period_final = tok.endswith(".")
        self.type, self.first_lower, self.first_upper, self.first_case, self.is_ellipsis = _properties(tok)


@lru_cache(1 << 16)
def _properties(tok: str) -> tuple[str, bool, bool, str, bool]:
    lower, upper = tok[0].islower(), tok[0].isupper()
    # NLTK's patterns for numbers and for ellipses match none of these.
    kind = tok.lower() if tok.isalpha() else PunktToken(tok).type
    ellipsis = tok.startswith("..") and bool(PunktToken(tok).is_ellipsis)
    return kind, lower, upper, "lower" if lower else "upper" if upper else "none", ellipsis
