"""Punkt's token, its properties looked up: NLTK computes each anew, most of them by regular expression."""

from __future__ import annotations

from functools import lru_cache

from nltk.tokenize.punkt import PunktToken

_FOLLOWING_FROM_TEXT = (
    *("type", "period_final", "first_lower", "first_upper", "first_case"),
    *("is_alpha", "is_ellipsis", "is_initial", "is_non_punct"),
)


class FastToken(PunktToken):
    """A token with the same properties."""

    __slots__ = tuple(name for name in _FOLLOWING_FROM_TEXT if name not in PunktToken.__slots__)

    def __init__(self, tok: str, parastart: bool | None = None, linestart: bool | None = None) -> None:
        self.tok, self.parastart, self.linestart = tok, parastart, linestart
        self.sentbreak = self.abbr = self.ellipsis = None
        for name, value in _properties(tok):
            setattr(self, name, value)


@lru_cache(1 << 16)
def _properties(tok: str) -> tuple[tuple[str, object], ...]:
    token = PunktToken(tok)
    return tuple((name, getattr(token, name)) for name in _FOLLOWING_FROM_TEXT)
