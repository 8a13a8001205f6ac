"""Sentence splitting with NLTK's Punkt, trained on the corpus itself (Kiss and Strunk 2006); nothing is downloaded.

:class:`FastPunkt` gives exactly NLTK's sentences several times faster: most candidate boundaries are decided by
their shape alone, without building NLTK's token objects, and the rest go to NLTK once per distinct context.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from itertools import islice, pairwise

from nltk.tokenize.punkt import PunktParameters, PunktSentenceTokenizer, PunktTrainer

# A text whose only white space is the blank lets the word before a boundary be found with one str.rfind.
_OTHER_WHITE_SPACE = re.compile(r"[^\S ]")
# A word that Punkt's own tokeniser cuts at apostrophes only, whatever quotes or brackets precede it.
_PLAIN_WORD = re.compile(r"[\"(]*(?!-)((?:[A-Za-z'’—]|-(?!-))*[A-Za-z])")
_MAX_CACHED_CONTEXTS = 1 << 20


def train_punkt(
    documents: Iterable[list[str]], characters: int, characters_per_document: int = 20_000
) -> PunktParameters:
    """Learn abbreviations, collocations and sentence starters from the beginning of each document.

    Books differ in what they abbreviate: where most print "Mr." and a few "Mr", Punkt trained on all of them at once
    takes "Mr." for the end of a sentence, 7,000 times in 200,000 sentences of English novels. So abbreviations are
    learnt from each document alone; one counts if, over all documents, it has a full stop more often than not. The
    rest is then learnt from all documents with these abbreviations known.

    Args:
        documents: each a list of paragraphs.
        characters: stop after that many; the statistics are stable long before the end of a large corpus.
        characters_per_document: taken from each document, so that many documents are seen.
    """
    texts: list[str] = []
    learnt: set[str] = set()
    occurrences: Counter[str] = Counter()
    for paragraphs in documents:
        text = "\n\n".join(islice(paragraphs, characters_per_document))[:characters_per_document]
        alone = PunktTrainer()
        alone.train(text, finalize=False)
        learnt |= alone._params.abbrev_types
        occurrences.update(alone._type_fdist)
        texts.append(text)
        if sum(map(len, texts)) >= characters:
            break
    abbreviations = {word for word in learnt if occurrences[f"{word}."] > occurrences[word]}
    # Punkt's own tokeniser leaves these quotes on the word they open.
    known = abbreviations | {quote + word for word in abbreviations for quote in "'‘“"}
    together = _TrainerWithAbbreviations(known)
    for text in texts:
        together.train(text, finalize=False)
    together.finalize_training()
    return together.get_params()


class _TrainerWithAbbreviations(PunktTrainer):
    """Punkt's training with the abbreviations given."""

    def __init__(self, abbreviations: set[str]) -> None:
        super().__init__()
        self._params.abbrev_types = set(abbreviations)

    def _reclassify_abbrev_types(self, types: Iterable[str]) -> Iterator[tuple[str, float, bool]]:
        return iter(())


class FastPunkt:
    """Punkt with the same output as ``PunktSentenceTokenizer(parameters).tokenize``, faster.

    Args:
        parameters: from :func:`train_punkt`.
    """

    def __init__(self, parameters: PunktParameters) -> None:
        self.reference = PunktSentenceTokenizer(parameters)
        language = self.reference._lang_vars
        # NLTK runs its patterns in another engine under a time limit; these two cannot backtrack, so `re` will do.
        self._candidates = re.compile(language.period_context_re().pattern, re.VERBOSE)
        self._realign = re.compile(language.re_boundary_realignment.pattern, re.MULTILINE)
        self._abbreviations = parameters.abbrev_types
        self._collocation_firsts = {first for first, _ in parameters.collocations}
        self._decisions: dict[str, bool] = {}

    def split(self, text: str) -> list[str]:
        """Return the sentences of one paragraph."""
        if _OTHER_WHITE_SPACE.search(text):
            return self.reference.tokenize(text)
        sentences = []
        end = start_shift = 0
        pieces = list(self._pieces(text))
        # As NLTK does: closing quotes and brackets at the start of a piece belong to the piece before.
        for (start, stop), (next_start, next_stop) in pairwise(pieces):
            start += start_shift
            closing = self._realign.match(text[next_start:next_stop])
            if closing:
                end = next_start + len(closing.group().rstrip())
                sentences.append(text[start:end])
                start_shift = closing.end()
            else:
                start_shift = 0
                if start < stop:
                    sentences.append(text[start:stop])
        start, stop = pieces[-1]
        if start + start_shift < stop:
            sentences.append(text[start + start_shift : stop])
        return sentences

    def _pieces(self, text: str) -> Iterator[tuple[int, int]]:
        """Yield (start, stop) between boundaries, before closing punctuation is moved."""
        last = 0
        pending: re.Match[str] | None = None
        word_start = word_stop = 0
        for match in self._candidates.finditer(text):
            blank = text.rfind(" ", word_stop, match.start())
            # NLTK treats a blank in first position like none.
            start = blank + 1 if blank > word_stop else word_start
            overlaps = start < word_stop  # as in "acting!!! I": the last mark of a run decides
            if pending is not None and not overlaps and self._is_boundary(text[word_start:word_stop], pending):
                yield last, pending.end()
                last = pending.start("next_tok") if pending["next_tok"] else pending.end()
            pending, word_start, word_stop = match, start, match.start()
        if pending is not None and self._is_boundary(text[word_start:word_stop], pending):
            yield last, pending.end()
            last = pending.start("next_tok") if pending["next_tok"] else pending.end()
        yield last, len(text.rstrip())

    def _is_boundary(self, word: str, match: re.Match[str]) -> bool:
        """Decide whether a sentence ends at ``match``, which follows ``word``."""
        if match.group() != ".":
            return True  # "?" and "!" are tokens of their own to Punkt and always end a sentence
        after = match["after_tok"]
        plain = _PLAIN_WORD.fullmatch(word)
        if plain and not after.lstrip().startswith("."):
            core = plain[1].lower()
            token = core[max(core.rfind("'"), core.rfind("’"), 0) :]
            # Not an abbreviation, initial or number, and no collocation begins with it: nothing undoes the break.
            if (
                len(token) > 1
                and token not in self._abbreviations
                and token.rpartition("-")[2] not in self._abbreviations
                and token not in self._collocation_firsts
            ):
                return True
        context = word + "." + after
        decision = self._decisions.get(context)
        if decision is None:
            if len(self._decisions) >= _MAX_CACHED_CONTEXTS:
                self._decisions.clear()
            decision = self._decisions[context] = self.reference.text_contains_sentbreak(context)
        return decision
