"""Tokenisers by name. Each takes one line of text and returns its tokens.

``kenter`` follows the tokeniser of the released Siamese CBOW code: "/" is replaced by a space, the text is lower-cased
and split at white space, and punctuation is stripped from both ends of each token.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from sentrep.errors import unknown_name

Tokeniser = Callable[[str], list[str]]

# The union of the released tokeniser's punctuation and symbol classes, and the en dash. "@ & % $ { } |" stay.
STRIPPED = "‘’‛“”„‟«»….,[];:-\"'?!¡¢∞§¶•ª≠∑´®†¨^πƒ©˙∆˚¬≈√∫~⁄™‹›ﬁﬂ‡°·±—‚‰∏`◊ˆ¯˘¿÷*()<>=+#\\/_–"

# Characters that may follow the last period of a text according to the rules of NLTK's tokeniser.
_CLOSING = "])}>\"'»”’"

# Tokens that the released code excludes from the vocabulary (torontoBookCorpusUtils).
PUNCTUATION_TOKENS = frozenset([".", "''", "``", ",", ":", ";", "?", "!", "-", "_"])


def kenter(text: str) -> list[str]:
    """Tokenise as the evaluation of Siamese CBOW most likely did."""
    return [token for piece in text.replace("/", " / ").lower().split() if (token := piece.strip(STRIPPED))]


def whitespace(text: str) -> list[str]:
    """Split at white space and omit punctuation, for text that is already tokenised (BookCorpus)."""
    return [token for token in text.split() if token not in PUNCTUATION_TOKENS]


def nltk(text: str) -> list[str]:
    """Lower-case and tokenise with NLTK's improved Treebank rules; omit punctuation."""
    return [token for token in treebank(text.lower()) if token not in PUNCTUATION_TOKENS]


def treebank(text: str) -> list[str]:
    """Tokenise with NLTK's improved Treebank rules; keep case and punctuation (Quick Thoughts, skip-thought).

    The rules apply between spaces, except at the beginning of a text and at its last full stop, which closing quotes
    and brackets may follow. The tokens of each string between spaces are therefore cached.
    """
    pieces = text.split()
    last = len(pieces) - 1
    while last > 0 and not pieces[last].strip(_CLOSING):
        last -= 1
    if last <= 0 or " ".join(pieces) != text:
        return treebank_reference(text)
    tokens = list(_treebank_piece(pieces[0], "", " a"))
    for piece in pieces[1:last]:
        tokens += _treebank_piece(piece, "a ", " a")
    tokens += _treebank_piece(" ".join(pieces[last:]), "a ", "")
    return tokens


def treebank_reference(text: str) -> list[str]:
    """Tokenise as :func:`treebank`, with NLTK alone."""
    return _nltk_word_tokeniser().tokenize(text)


@lru_cache(maxsize=1 << 19)  # enough for nearly all strings of any text
def _treebank_piece(piece: str, before: str, after: str) -> tuple[str, ...]:
    """Tokenise a string between spaces with the given words around it."""
    # Strings of letters and digits are only split if they are contractions such as "cannot".
    mark = piece[-1] if piece[-1] in (",;:?!" if after else ",;:?!.") else ""
    word = piece[: len(piece) - len(mark)]
    if word.isalnum() and not any(pattern.search(f" {word} ") for pattern in _contractions()):
        return (word, mark) if mark else (word,)
    tokens = treebank_reference(before + piece + after)
    return tuple(tokens[bool(before) : len(tokens) - bool(after)])


@cache
def _contractions() -> list[re.Pattern[str]]:
    tokeniser = _nltk_word_tokeniser()
    return [*tokeniser.CONTRACTIONS2, *tokeniser.CONTRACTIONS3]


@cache
def _nltk_word_tokeniser() -> Any:
    from sentrep.corpora.nltk_classes import NLTKWordTokenizer  # takes 0.3 s to import

    return NLTKWordTokenizer()


def kenter_porter(text: str) -> list[str]:
    """Tokenise as :func:`kenter` and stem the words, as CBOS does "with NLTK toolkit".

    The paper names no stemmer; this is NLTK's Porter stemmer with its default extensions.
    """
    return [_stem(token) for token in kenter(text)]


@lru_cache(maxsize=1 << 18)  # stemming is slow; enough for nearly all words of any text
def _stem(word: str) -> str:
    return _porter_stemmer().stem(word)


@cache
def _porter_stemmer() -> Any:
    from sentrep.corpora.nltk_classes import PorterStemmer

    return PorterStemmer(mode=PorterStemmer.NLTK_EXTENSIONS)


TOKENISERS: dict[str, Tokeniser] = {
    "kenter": kenter,
    "kenter_porter": kenter_porter,
    "whitespace": whitespace,
    "nltk": nltk,
    "treebank": treebank,
}


def tokeniser(name: str) -> Tokeniser:
    """Return the tokeniser called ``name``.

    Raises:
        SentrepError: the tokeniser is unknown.
    """
    if name not in TOKENISERS:
        raise unknown_name("tokeniser", "tokeniser", name, TOKENISERS)
    return TOKENISERS[name]
