"""Train Punkt, NLTK's sentence splitter (Kiss and Strunk, 2006), on a corpus in several processes.

Most occurrences of a word share one token object, which makes training faster.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import Any

from sentrep.corpora.nltk_classes import PunktParameters, PunktToken, PunktTrainer
from sentrep.corpora.parallel import OrderedMap
from sentrep.corpora.punkt import FastLanguage, FastToken

# For each line that is not empty: whether an empty line precedes it, and its words as Punkt tokenises them.
_Lines = list[tuple[bool, list[str]]]


def train_punkt(
    documents: Iterable[list[str]],
    characters: int,
    characters_per_document: int = 20_000,
    ordered_map: OrderedMap = map,
) -> PunktParameters:
    """Train Punkt on the beginnings of documents: find abbreviations, collocations and sentence starters.

    Most books write "Mr.", but a few write "Mr". If Punkt is trained on all books at once, it can therefore treat "Mr."
    as the end of a sentence; in 200,000 sentences of English novels, this happened 7,000 times. To avoid such errors,
    abbreviations are first found in each document separately. An abbreviation is kept if a full stop follows more than
    half of its occurrences, counted over all documents. Collocations and sentence starters are then found in all
    documents together, using these abbreviations.

    Args:
        documents: documents of the corpus; each document is a list of paragraphs.
        characters: number of characters after which no further document is read. A small part of a large corpus is
            enough for stable statistics.
        characters_per_document: maximum number of characters to read from each document. A small number ensures that
            many documents are used.
        ordered_map: function like ``map`` that processes the documents, possibly in worker processes.
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
    # Punkt's tokeniser does not separate these opening quotation marks from the word that follows.
    together = _TrainerWithAbbreviations(known | {quote + word for word in known for quote in "'‘“"})
    for lines in texts:
        together.train(lines, finalize=False)
    together.finalize_training()
    return together.get_params()


def _beginnings(documents: Iterable[list[str]], characters: int, per_document: int) -> Iterator[str]:
    """Yield the first ``per_document`` characters of each document; stop after ``characters`` characters in total."""
    for paragraphs in documents:
        text = "\n\n".join(islice(paragraphs, per_document))[:per_document]
        yield text
        characters -= len(text)
        if characters <= 0:
            return


def _learn_alone(text: str) -> tuple[_Lines, set[str], Counter[str]]:
    """Return the tokenised lines of a text, the abbreviations that Punkt finds in it, and its word counts."""
    alone = _Trainer()
    lines = alone.lines(text)
    alone.train(lines, finalize=False)
    return lines, alone._params.abbrev_types, Counter(alone._type_fdist)


@cache
def _token(word: str) -> FastToken:
    """Return the token object that all occurrences of a word share, except those at the beginning of lines."""
    return FastToken(word)


class _Trainer(PunktTrainer):
    """A trainer for Punkt in which all occurrences of a word share one token object, except at the beginning of lines.

    Tokens can be shared because their annotations depend only on their text and the known abbreviations. A token at the
    beginning of a line is also marked as such and therefore has its own object.
    """

    def __init__(self) -> None:
        super().__init__(lang_vars=FastLanguage())
        self._type_fdist = _Counts()

    def lines(self, text: str) -> _Lines:
        """Return, for each non-empty line of a text, whether it follows an empty line, and the words of the line."""
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
            token.sentbreak = token.ellipsis = token.abbr = None  # remove annotations made in other documents
            self._first_pass_annotation(token)
        return tokens

    def _reclassify_abbrev_types(self, types: Iterable[str]) -> Any:
        """Call NLTK's method only with the words that end with a full stop or are known abbreviations.

        NLTK's method would skip all other words, so the result is the same.
        """
        known = self._params.abbrev_types
        return super()._reclassify_abbrev_types([word for word in types if word.endswith(".") or word in known])


class _Counts(Counter[str]):
    """A counter that replaces NLTK's FreqDist, which is slow because it clears a cached total at every update."""

    total_count = 0

    def N(self) -> int:  # noqa: N802 - NLTK's name
        """Return the total of all counts."""
        return self.total_count


class _TrainerWithAbbreviations(_Trainer):
    """A trainer whose abbreviations are set in advance and are not changed by training."""

    def __init__(self, abbreviations: set[str]) -> None:
        super().__init__()
        self._params.abbrev_types = set(abbreviations)

    def _reclassify_abbrev_types(self, types: Iterable[str]) -> Any:  # noqa: ARG002 - as in NLTK
        return iter(())
