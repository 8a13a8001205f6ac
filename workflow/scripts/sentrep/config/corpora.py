"""Define the configuration of corpora and of the text pairs that are mined from Wikipedia and from tweets."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import Field, model_validator

from sentrep.config.base import CorpusName, SourceName, Unique, mistake
from sentrep.corpora.book_settings import Criteria
from sentrep.pairs.settings import TwitterSettings, WikipediaSettings
from sentrep.runtime.settings import PositiveCount, Section, measured_in

# Keys that determine the sentences of a corpus. A corpus with a `base` must not set them, because it takes its
# sentences from the base.
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
    """Repositories whose books form one corpus, and the criteria for including a book."""

    sources: Annotated[list[SourceName], Field(min_length=1), Unique] = Field(
        description=(
            "Names of repositories in workflow/sources.tsv, in order of precedence: a book that occurs in several of "
            "these repositories is taken from the first of them."
        )
    )

    def criteria(self) -> dict[str, Any]:
        """Return a dictionary of the criteria for including a book."""
        return self.model_dump(exclude={"sources"})


class Corpus(Section):
    """Settings of a corpus: the text to read, and how to split it into sentences and tokens."""

    base: CorpusName | None = Field(
        default=None,
        description=(
            "Another corpus, from which this one takes its sentences and all settings that are not overridden here."
        ),
    )
    added: Annotated[list[CorpusName], Unique] = Field(
        default=[],
        description=(
            "Other corpora whose sentences are appended to the sentences of the `base`; none of them may have a "
            "`fraction` below 1."
        ),
    )
    source: SourceName | None = Field(
        default=None,
        description=(
            "Name of a source in workflow/sources.tsv; required unless `files`, `collection` or `base` is set."
        ),
    )
    collection: BookCollection | None = Field(
        default=None, description="Repositories of books to use instead of a `source`; requires `reader: collection`."
    )
    files: Annotated[list[str], Field(min_length=1)] | None = Field(
        default=None,
        description=(
            "Your own text: files, folders or glob patterns. Relative paths are searched for in the mirror folder and, "
            "if nothing is found there, in the working directory. If `source` is set, all corpora with this source "
            "read these files instead of the files of the source."
        ),
    )
    reader: Literal["books", "collection", "articles", "sentences", "text", "bookcorpus"] = Field(
        default="books",
        description=(
            "Format of the files: `books` (running text in .txt and .text files), `text` (running text in files with "
            "any name), `sentences` (one sentence per line, and an empty line between documents), `collection` "
            "(repositories of books), `articles` (articles in MediaWiki dumps or JSON lines) or `bookcorpus` (the two "
            "files of the Toronto Book Corpus)."
        ),
    )
    punkt_characters: int = Field(
        default=2_000_000,
        ge=1000,
        description=(
            "Approximate length of the text on which the sentence splitter Punkt is trained. This text consists of the "
            "first 20,000 characters of each document in turn, until it reaches this length or there are no more "
            "documents."
        ),
        json_schema_extra=measured_in("characters"),
    )
    expected_sentences: PositiveCount | None = Field(
        default=None,
        description="Expected number of sentences; any other number causes an error. Use null for your own texts.",
        json_schema_extra=measured_in("sentences"),
    )
    unit: Literal["sentence", "paragraph"] = Field(
        default="sentence", description="Unit into which the text is divided: sentences or whole paragraphs."
    )
    normalisation: Literal["paper", "released_code"] | None = Field(
        default=None,
        description=(
            "Text normalisation as described by De Boom et al. (2016) or as in their released code; null for none."
        ),
    )
    tokeniser: Tokeniser = Field(
        default="kenter",
        description="Tokeniser for the training text: the name of a function in `sentrep.corpora.tokenisers`.",
    )
    encoding_tokeniser: Tokeniser = Field(
        default="kenter", description="Tokeniser for the texts that are encoded with models trained on this corpus."
    )
    minimum_count: PositiveCount = Field(
        default=5,
        description="Minimum number of occurrences of a word in the corpus; rarer words are not in the vocabulary.",
    )
    maximum_words: PositiveCount | None = Field(
        default=None,
        description="Maximum size of the vocabulary, or null for no limit.",
        json_schema_extra=measured_in("words"),
    )
    keep_all_tokens: bool = Field(
        default=False,
        description=(
            "Whether to keep punctuation as tokens, and to replace words that are not in the vocabulary by an "
            "unknown-word token instead of omitting them."
        ),
    )
    fraction: float = Field(
        default=1.0,
        gt=0,
        le=1,
        description=(
            "Fraction of the corpus to use: evenly spaced documents or, if there are fewer than 64 documents, the "
            "beginning of each document."
        ),
    )

    @model_validator(mode="after")
    def _has_one_text(self) -> Corpus:
        texts = [name for name in ("source", "files", "collection") if getattr(self, name) is not None]
        if self.base is None and texts not in (["source"], ["files"], ["source", "files"], ["collection"]):
            raise mistake(
                "exactly one of `source`, `files`, `collection` and `base`, or both `source` and `files`",
                " and ".join(f"`{name}`" for name in texts) or "none of these keys",
                "choose one of these alternatives",
            )
        if (self.collection is not None) != (self.reader == "collection"):
            raise mistake(
                "`reader: collection` if and only if `collection` is set",
                f"`reader: {self.reader}` {'with' if self.collection else 'without'} `collection`",
                "correct `reader` or `collection`",
            )
        if self.added and self.base is None:
            raise mistake(
                "a `base`, to which the corpora in `added` are appended", "no `base`", "set `base` to a corpus"
            )
        if self.base is not None and (shared := TEXT_KEYS & self.model_fields_set):
            raise mistake(
                f"no keys that determine the sentences, because the sentences are taken from the base '{self.base}'",
                ", ".join(f"`{key}`" for key in sorted(shared)),
                f"remove `base`, or remove {' and '.join(f'`{key}`' for key in sorted(shared))}",
            )
        return self


class WikipediaPairs(Section):
    """Settings for mining related and non-related pairs of paragraph fragments from Wikipedia."""

    miner: Literal["wikipedia"] = Field(description="Method for mining the pairs.")
    corpus: CorpusName = Field(
        description=(
            "Corpus that provides the paragraphs from which the pairs are mined, and the vocabulary and document "
            "frequencies for these pairs."
        )
    )
    settings: WikipediaSettings = Field(default=WikipediaSettings(), description="Settings of the miner.")


class TwitterPairs(Section):
    """Settings for mining related and non-related pairs of tweets."""

    miner: Literal["twitter"] = Field(description="Method for mining the pairs.")
    corpus: CorpusName = Field(
        description="Corpus that provides the vocabulary and document frequencies for the tweets."
    )
    source: SourceName | None = Field(
        default=None, description="Source of the tweets, or null for the synthetic sample tweets."
    )
    settings: TwitterSettings = Field(default=TwitterSettings(), description="Settings of the miner.")


Pairs = Annotated[WikipediaPairs | TwitterPairs, Field(discriminator="miner")]
