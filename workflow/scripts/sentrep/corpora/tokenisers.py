"""Split a line of text into tokens; the configuration refers to the tokenisers in this module by name."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import cache, lru_cache
from typing import Any

from sentrep.errors import unknown_name

Tokeniser = Callable[[str], list[str]]

# All characters in the punctuation and symbol classes of the tokeniser released with Siamese CBOW, plus the en dash.
# The characters @, &, %, $, {, } and | are not stripped.
STRIPPED = "‘’‛“”„‟«»….,[];:-\"'?!¡¢∞§¶•ª≠∑´®†¨^πƒ©˙∆˚¬≈√∫~⁄™‹›ﬁﬂ‡°·±—‚‰∏`◊ˆ¯˘¿÷*()<>=+#\\/_–"

# Characters that may follow the last full stop of a text according to the rules of NLTK's tokeniser.
_CLOSING = "])}>\"'»”’"

# Tokens that the released code of Siamese CBOW (torontoBookCorpusUtils) excludes from the vocabulary.
PUNCTUATION_TOKENS = frozenset([".", "''", "``", ",", ":", ";", "?", "!", "-", "_"])


def kenter(text: str) -> list[str]:
    """Tokenise text as the released code of Siamese CBOW does.

    Text is lower-cased and split at whitespace and "/", and punctuation is stripped from both ends of each token. The
    evaluation in Kenter et al. (2016) most likely used this tokeniser.
    """
    return [token for piece in text.replace("/", " / ").lower().split() if (token := piece.strip(STRIPPED))]


def whitespace(text: str) -> list[str]:
    """Split tokenised text (such as BookCorpus) at whitespace, and omit the tokens in ``PUNCTUATION_TOKENS``."""
    return [token for token in text.split() if token not in PUNCTUATION_TOKENS]


def nltk(text: str) -> list[str]:
    """Lower-case text, tokenise it with NLTK's improved Treebank rules, and omit tokens in ``PUNCTUATION_TOKENS``."""
    return [token for token in treebank(text.lower()) if token not in PUNCTUATION_TOKENS]


def treebank(text: str) -> list[str]:
    """Tokenise text with NLTK's improved Treebank rules, and keep case and punctuation.

    Quick Thoughts and skip-thought use this tokeniser. Most of its rules apply to each space-delimited string
    separately, so the tokens of each string are cached. The other rules apply only to the beginning of the text, or to
    its last full stop and the closing quotation marks and brackets after the full stop.
    """
    pieces = text.split()
    last = len(pieces) - 1
    while last > 0 and not pieces[last].strip(_CLOSING):
        last -= 1
    if last <= 0 or " ".join(pieces) != text:
        return treebank_reference(text)
    tokens = list(_treebank_tokens(pieces[0], "", " a"))
    for piece in pieces[1:last]:
        tokens += _treebank_tokens(piece, "a ", " a")
    tokens += _treebank_tokens(" ".join(pieces[last:]), "a ", "")
    return tokens


def treebank_reference(text: str) -> list[str]:
    """Tokenise text like :func:`treebank`, but without a cache."""
    return _nltk_word_tokeniser().tokenize(text)


@lru_cache(maxsize=1 << 19)  # enough for nearly all distinct strings of a text
def _treebank_tokens(string: str, before: str, after: str) -> tuple[str, ...]:
    """Tokenise ``before + string + after``, and return only the tokens of ``string``."""
    # Strings of letters and digits are split only if they are contractions such as "cannot".
    mark = string[-1] if string[-1] in (",;:?!" if after else ",;:?!.") else ""
    word = string[: len(string) - len(mark)]
    if word.isalnum() and not any(pattern.search(f" {word} ") for pattern in _contractions()):
        return (word, mark) if mark else (word,)
    tokens = treebank_reference(before + string + after)
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
    """Tokenise text like :func:`kenter`, and stem the words with NLTK's Porter stemmer in its default mode.

    According to the CBOS paper, words are stemmed "with NLTK toolkit", but the paper does not name the stemmer.
    """
    return [_stem(token) for token in kenter(text)]


@lru_cache(maxsize=1 << 18)  # stemming is slow; enough for nearly all distinct words of a text
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
