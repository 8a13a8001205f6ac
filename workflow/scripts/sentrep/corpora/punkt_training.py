"""Train NLTK's Punkt on the corpus itself (Kiss and Strunk 2006), in parallel and with one object per distinct word."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any

from sentrep.corpora.nltk_classes import PunktParameters, PunktToken, PunktTrainer
from sentrep.corpora.parallel import OrderedMap
from sentrep.corpora.punkt import FastLanguage, FastToken

# For each line: whether an empty line precedes it, and its words as Punkt tokenises them.
_Lines = list[tuple[bool, list[str]]]


def train_punkt(
    documents: Iterable[list[str]],
    characters: int,
    characters_per_document: int = 20_000,
    ordered_map: OrderedMap = map,
) -> PunktParameters:
    """Find abbreviations, collocations and sentence starters in the beginning of each document.

    Books differ in what they abbreviate. Where most have "Mr." and a few "Mr", Punkt trained on all of them at once
    treats "Mr." as the end of a sentence, 7,000 times in 200,000 sentences of English novels. Abbreviations are
    therefore found in each document separately, and kept if they have a full stop in most of their occurrences in all
    documents. Collocations and sentence starters are then found in all documents, given these abbreviations.

    Args:
        documents: documents, each a list of paragraphs.
        characters: stop after this many; the statistics are stable long before the end of a large corpus.
        characters_per_document: number of characters read from each document, so that many documents are used.
        ordered_map: processes single documents, in worker processes if it has any.
    """
    found: set[str] = set()
    occurrences: Counter[str] = Counter()
    texts: list[_Lines] = []
    beginnings = _beginnings(documents, characters, characters_per_document)
    for lines, abbreviations, counts in ordered_map(_learn_alone, beginnings):
        texts.append(lines)
        found |= abbreviations
        occurrences.update(counts)
    known = {word for word in found if occurrences[f"{word}."] > occurrences[word]}
    # Punkt's own tokeniser leaves these quotes on the word they open.
    together = _TrainerWithAbbreviations(known | {quote + word for word in known for quote in "'‘“"})
    for lines in texts:
        together.train(lines, finalize=False)
    together.finalize_training()
    return together.get_params()


def _beginnings(documents: Iterable[list[str]], characters: int, per_document: int) -> Iterator[str]:
    """Yield the beginnings of documents until these have a number of characters."""
    for paragraphs in documents:
        text = "\n\n".join(islice(paragraphs, per_document))[:per_document]
        yield text
        characters -= len(text)
        if characters <= 0:
            return


def _learn_alone(text: str) -> tuple[_Lines, set[str], Counter[str]]:
    """Return the words of a text, the abbreviations that Punkt finds in this text, and the count of each type."""
    alone = _Trainer()
    lines = alone.lines(text)
    alone.train(lines, finalize=False)
    return lines, alone._params.abbrev_types, Counter(alone._type_fdist)


@cache
def _token(word: str) -> FastToken:
    """Return the token that all occurrences of a word share."""
    return FastToken(word)


class _Trainer(PunktTrainer):
    """Punkt's training on tokenised text with one token object for all occurrences of a word.

    Everything that Punkt notes on a token follows from its text and the known abbreviations, unless it begins a line or
    paragraph. Such tokens have separate objects.
    """

    def __init__(self) -> None:
        super().__init__(lang_vars=FastLanguage())
        self._type_fdist = _Counts()

    def lines(self, text: str) -> _Lines:
        """Tokenise a text."""
        lines: _Lines = []
        after_blank = False
        for line in text.split("\n"):
            words = self._lang_vars.word_tokenize(line) if line.strip() else []
            if words:
                lines.append((after_blank, words))
            after_blank = not words
        return lines

    def _tokenize_words(self, plaintext: Any) -> Any:
        for after_blank, words in plaintext:
            yield FastToken(words[0], parastart=after_blank, linestart=True)
            yield from map(_token, words[1:])

    def _train_tokens(self, tokens: Iterable[PunktToken], verbose: bool) -> None:
        listed = list(tokens)
        self._type_fdist.total_count += len(listed)
        super()._train_tokens(listed, verbose)

    def _annotate_first_pass(self, tokens: Any) -> Any:
        token: Any
        for token in dict.fromkeys(tokens):
            token.sentbreak = token.ellipsis = token.abbr = None  # forget the training on other documents
            self._first_pass_annotation(token)
        return tokens

    def _reclassify_abbrev_types(self, types: Iterable[str]) -> Any:
        """Do the same as NLTK, but skip types that NLTK would not change."""
        known = self._params.abbrev_types
        return super()._reclassify_abbrev_types([word for word in types if word.endswith(".") or word in known])


class _Counts(Counter[str]):
    """A Counter with the total that NLTK's FreqDist updates at every step."""

    total_count = 0

    def N(self) -> int:  # noqa: N802 - NLTK's name
        """Return the total."""
        return self.total_count


class _TrainerWithAbbreviations(_Trainer):
    """A trainer with given abbreviations."""

    def __init__(self, abbreviations: set[str]) -> None:
        super().__init__()
        self._params.abbrev_types = set(abbreviations)

    def _reclassify_abbrev_types(self, types: Iterable[str]) -> Any:  # noqa: ARG002 - as in NLTK
        return iter(())
