"""Split text into the same sentences as NLTK's Punkt (Kiss and Strunk, 2006), but faster.

Compiled loops (:mod:`sentrep.corpora.punkt_kernels`) find the positions at which a sentence may end, and decide the
clear cases. NLTK decides each of the other cases from its context, which consists of the adjacent words. These
decisions are cached, because many contexts recur. :mod:`sentrep.corpora.punkt_training` trains Punkt's parameters on
the corpus.
"""

from __future__ import annotations

import re
from functools import lru_cache

import numpy as np

from sentrep.corpora.nltk_classes import PunktLanguageVars, PunktParameters, PunktSentenceTokenizer, PunktToken
from sentrep.corpora.punkt_kernels import HASH_VALUES, candidates, cut, word_hash

# FastToken has attributes where NLTK's class has properties.
# pyright: reportIncompatibleMethodOverride=false, reportAttributeAccessIssue=false

# Whitespace other than spaces. The compiled loops do not support it, and the modules `re` and `regex` treat some of it
# differently.
_OTHER_WHITESPACE = re.compile(r"[^\S ]")
_MAX_CACHED_CONTEXTS = 1 << 20


class FastLanguage(PunktLanguageVars):
    """NLTK's word tokeniser for Punkt, with the module ``re`` instead of the slower ``regex`` that NLTK uses."""

    _words = re.compile(PunktLanguageVars()._word_tokenizer_re().pattern, re.VERBOSE)

    def word_tokenize(self, s: str) -> list[str]:
        """Tokenise a line, splitting off punctuation other than full stops."""
        return super().word_tokenize(s) if _OTHER_WHITESPACE.search(s) else self._words.findall(s)


class FastToken(PunktToken):
    """A Punkt token whose properties are computed once per distinct word instead of once per occurrence."""

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
    # NLTK's regular expressions are slow, so they are applied only where they can match.
    nltk = PunktToken(tok)
    is_alpha = not tok.endswith(".") and bool(nltk.is_alpha)
    is_ellipsis = tok.startswith("..") and bool(nltk.is_ellipsis)
    is_initial = len(tok) == 2 and bool(nltk.is_initial)
    is_non_punct = any(map(str.isalpha, nltk.type)) or bool(nltk.is_non_punct)
    return nltk.type, lower, upper, case, is_alpha, is_ellipsis, is_initial, is_non_punct


class FastPunkt:
    """A sentence splitter with the same output as ``PunktSentenceTokenizer(parameters).tokenize``.

    Args:
        parameters: result of :func:`sentrep.corpora.punkt_training.train_punkt`.
    """

    def __init__(self, parameters: PunktParameters) -> None:
        self.reference = PunktSentenceTokenizer(parameters)
        self._judge = PunktSentenceTokenizer(parameters, lang_vars=FastLanguage(), token_cls=FastToken)
        self._special = np.zeros(HASH_VALUES, np.bool_)
        for word in parameters.abbrev_types | {first for first, _ in parameters.collocations}:
            self._special[word_hash(np.frombuffer(word.encode(), np.uint8))] = True
        self._decisions: dict[bytes, bool] = {}

    def split(self, text: str) -> list[str]:
        """Return the sentences of one paragraph."""
        if _OTHER_WHITESPACE.search(text):
            return self.reference.tokenize(text)
        return self.split_lines(text.encode() + b"\n").decode().split("\n")[:-1]

    def split_lines(self, paragraphs: bytes) -> bytes:
        """Split many paragraphs into sentences, and return the sentences, one per line.

        Args:
            paragraphs: UTF-8 text with a line feed after each paragraph; spaces are the only other whitespace.
        """
        text = np.frombuffer(paragraphs, np.uint8)
        found, ends_sentence = candidates(text, self._special)
        for i in np.flatnonzero(~ends_sentence).tolist():
            ends_sentence[i] = self._decide(paragraphs[found[i, 0] : found[i, 2]])
        return cut(text, found[ends_sentence]).tobytes()

    def _decide(self, context: bytes) -> bool:
        """Return whether NLTK finds the end of a sentence within ``context``; the decisions are cached."""
        decision = self._decisions.get(context)
        if decision is None:
            if len(self._decisions) >= _MAX_CACHED_CONTEXTS:
                self._decisions.clear()
            decision = self._decisions[context] = self._judge.text_contains_sentbreak(context.decode())
        return decision


def compile_loops() -> None:
    """Compile the sentence-splitting loops, or load them from Numba's cache, so that forked processes share them."""
    FastPunkt(PunktParameters()).split("A. B")
