"""Configuration of the texts: corpora, and the pairs of texts that are mined from them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sentrep.config.base import CorpusName, SourceName, Unique, mistake
from sentrep.corpora.book_settings import Criteria
from sentrep.pairs.settings import TwitterSettings, WikipediaSettings
from sentrep.runtime.settings import PositiveCount, Section, measured_in

# Settings that determine a corpus' sentences; the others determine its token store.
TEXT_KEYS = {
    "source",
    "collection",
    "files",
    "reader",
    "punkt_characters",
    "expected_sentences",
    "unit",
    "normalisation",
}
Tokeniser = Literal["kenter", "kenter_porter", "whitespace", "nltk", "treebank"]


class BookCollection(Criteria):
    """Repositories of books that one text is made from, and which of their books are kept."""

    sources: Annotated[list[SourceName], Field(min_length=1), Unique] = Field(
        description="Repositories in workflow/sources.tsv; a text is taken from the first one that has it."
    )

    def criteria(self) -> dict[str, Any]:
        """Return what decides on single books."""
        return self.model_dump(exclude={"sources"})


class Corpus(Section):
    """One text, and how it is split into sentences and tokens."""

    base: CorpusName | None = Field(
        default=None, description="Another corpus, whose sentences and, unless overridden, settings this one shares."
    )
    source: SourceName | None = Field(default=None, description="Name of a source in workflow/sources.tsv.")
    collection: BookCollection | None = Field(
        default=None, description="Repositories of books, in place of `source`; needs the reader `collection`."
    )
    files: list[str] | None = Field(
        default=None,
        description="Globs, files or folders that replace the source's path; below the mirror, or plain paths.",
    )
    reader: Literal["books", "collection", "mediawiki", "articles", "sentences", "text", "bookcorpus"] = Field(
        default="books", description="Reader of the source's files."
    )
    punkt_characters: int = Field(
        default=2_000_000,
        ge=1000,
        description="Length of the text that the sentence splitter is trained on.",
        json_schema_extra=measured_in("characters"),
    )
    expected_sentences: PositiveCount | None = Field(
        default=None,
        description="Number of sentences in a complete copy, which is checked; null for texts of your own.",
        json_schema_extra=measured_in("sentences"),
    )
    unit: Literal["sentence", "paragraph"] = Field(
        default="sentence", description="What counts as a sentence: Punkt's sentences or whole paragraphs."
    )
    normalisation: Literal["paper", "released_code"] | None = Field(
        default=None, description="Normalisation of the text as De Boom et al. describe it, or as their code does it."
    )
    tokeniser: Tokeniser = Field(default="kenter", description="Tokeniser of the training text.")
    encoding_tokeniser: Tokeniser = Field(
        default="kenter", description="Tokeniser that models of this corpus use for the text they encode."
    )
    minimum_count: PositiveCount = Field(default=5, description="Words that occur less often are left out.")
    maximum_words: PositiveCount | None = Field(
        default=None, description="Size limit of the vocabulary, or null.", json_schema_extra=measured_in("words")
    )
    keep_all_tokens: bool = Field(
        default=False, description="Whether punctuation counts as words and rare words become one unknown word."
    )
    fraction: float = Field(
        default=1.0, gt=0, le=1, description="Part of the corpus to use, as evenly spaced documents."
    )

    @model_validator(mode="after")
    def _has_one_text(self) -> Corpus:
        texts = [name for name in ("source", "collection") if getattr(self, name) is not None]
        if self.base is None and len(texts) != 1:
            found = " and ".join(texts) or "none"
            raise mistake("one of `source`, `collection` and `base`", found, "name one of them")
        if (self.collection is not None) != (self.reader == "collection"):
            raise mistake("`reader: collection` for a `collection`", self.reader, "correct `reader`")
        if self.base is not None and (shared := TEXT_KEYS & self.model_fields_set):
            raise mistake(
                f"the text of its base '{self.base}'",
                f"its own {', '.join(sorted(shared))}",
                "remove `base` or these keys",
            )
        return self


class WikipediaPairs(Section):
    """Pairs of fragments of paragraphs."""

    miner: Literal["wikipedia"] = Field(description="How pairs are found.")
    corpus: CorpusName = Field(description="Corpus whose vocabulary and document frequencies are used.")
    settings: WikipediaSettings = Field(default=WikipediaSettings(), description="Settings of the miner.")


class TwitterPairs(Section):
    """Pairs of tweets."""

    miner: Literal["twitter"] = Field(description="How pairs are found.")
    corpus: CorpusName = Field(description="Corpus whose vocabulary and document frequencies are used.")
    source: SourceName | None = Field(default=None, description="Source of the tweets, or null for the sample tweets.")
    settings: TwitterSettings = Field(default=TwitterSettings(), description="Settings of the miner.")


Pairs = Annotated[WikipediaPairs | TwitterPairs, Field(discriminator="miner")]
