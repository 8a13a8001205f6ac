"""Test corpora that join other corpora: their plan and their token store."""

from pathlib import Path

import numpy as np
import pytest

from helpers_corpora import manifest
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.corpora.build_store import build_store
from sentrep.corpora.sentences import build_sentences
from sentrep.corpora.store import TokenStore
from sentrep.errors import SentrepError

TEXTS = {"first": "a b c\nb c\n\nc a\n\n", "second": "d e\nd a\n\n"}


def sentences_of(folder: Path, name: str, text: str) -> Path:
    """Write the sentences of a text as the workflow does, with one sentence per line."""
    source = folder / f"{name}.txt"
    source.write_text(text, encoding="utf-8")
    known = {"name": name, "version": "1", "licence": "CC0", "stands_in_for": "a corpus", "bytes": len(text)}
    build_sentences(manifest(folder, source, **known), "sentences", folder / name)
    return folder / name


def test_the_store_is_that_of_the_texts_one_after_the_other(tmp_path):
    folders = [sentences_of(tmp_path, name, text) for name, text in TEXTS.items()]
    build_store(folders, tmp_path / "joined", minimum_count=1)
    build_store(sentences_of(tmp_path, "whole", "".join(TEXTS.values())), tmp_path / "store", minimum_count=1)
    joined, whole = TokenStore.open(tmp_path / "joined"), TokenStore.open(tmp_path / "store")
    assert joined.vocabulary == whole.vocabulary
    for name in ("ids", "sentence_offsets", "document_offsets"):
        assert np.array_equal(getattr(joined, name), getattr(whole, name)), name
    source = joined.meta["source"]
    assert (source["name"], source["licence"]) == ("first and second", "CC0")
    assert source["bytes"] == sum(map(len, TEXTS.values()))
    assert [part["name"] for part in source["sources"]] == list(TEXTS)
    assert len(joined.meta["source_sha256"]) == 2


def test_a_corpus_that_joins_two_has_the_sentences_and_sources_of_both():
    both = {"base": "books", "added": ["wikipedia"], "minimum_count": 2}
    plan = make_plan(resolve({"corpora": {"both": both}}))
    assert [Path(folder).name for folder in plan.sentences("both")] == ["books", "wikipedia"]
    assert plan.corpora["both"].sources == [plan.corpora["books"].source, plan.corpora["wikipedia"].source]
    assert plan.corpora["both"].store_settings()["minimum_count"] == 2


CORPORA = {
    "b": {"base": "books_words", "added": ["wikipedia"]},
    "small": {"base": "wikipedia", "fraction": 0.01},
}


def test_the_parts_of_an_added_corpus_are_added():
    corpora = {"b": {"base": "wikipedia", "added": ["lines"]}, "lines": {"files": ["l.txt"], "reader": "sentences"}}
    plan = make_plan(resolve({"corpora": {**corpora, "a": {"base": "books_words", "added": ["b"]}}}))
    assert [Path(folder).name for folder in plan.sentences("a")] == ["books", "wikipedia", "lines"]


@pytest.mark.parametrize(
    ("corpus", "message"),
    [
        (
            {"base": "books", "added": ["b"]},
            "config.corpora.a.added: expected corpora with different sentences, found the sentences of 'books' twice",
        ),
        (
            {"base": "books", "added": ["small"]},
            "config.corpora.a: expected corpora .* found 'small', which has `fraction: 0.01`; name corpora without",
        ),
        ({"base": "small", "added": ["books"]}, "config.corpora.a: .* found 'small', which has `fraction: 0.01`"),
    ],
)
def test_corpora_that_cannot_be_joined_are_refused(corpus, message):
    with pytest.raises(SentrepError, match=message):
        make_plan(resolve({"corpora": {**CORPORA, "a": corpus}}))


def test_a_fraction_of_a_joined_corpus_is_a_fraction_of_all_its_parts():
    plan = make_plan(resolve({"corpora": {**CORPORA, "a": {"base": "small", "added": ["books"], "fraction": 0.5}}}))
    assert plan.corpora["a"].settings.fraction == 0.5


MODELS = {"models": ["siamese_cbow"]}


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        (
            {"nearest_sentences": {"corpus": "small", **MODELS}},
            "config.nearest_sentences.corpus: expected a corpus of which all sentences are used, found 'small', which "
            "has `fraction: 0.01`; name a corpus without `fraction`",
        ),
        ({"analogies": {"corpus": "small", **MODELS}}, "config.analogies.corpus: expected a corpus of which all"),
        ({"pairs": {"wikipedia_20": {"corpus": "small"}}}, "config.pairs.wikipedia_20.corpus: .* found 'small'"),
        (
            {"pairs": {"wikipedia_20": {"corpus": "b"}}},
            "config.pairs.wikipedia_20.corpus: expected .* several corpora, found 'b', which consists of books and",
        ),
    ],
)
def test_sentences_are_taken_from_whole_corpora(overrides, message):
    with pytest.raises(SentrepError, match=message):
        make_plan(resolve({"corpora": CORPORA, **overrides}))


def test_a_fraction_can_be_named_where_only_its_vocabulary_is_used():
    overrides = {"pairs": {"twitter": {"corpus": "small"}}, "analogies": {"corpus": "small", "models": []}}
    plan = make_plan(resolve({"corpora": CORPORA, **overrides}))
    assert plan.aggregation.store("twitter") == "results/sample/stores/small"
