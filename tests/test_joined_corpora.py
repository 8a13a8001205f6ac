"""Test corpora that join other corpora: their plan and their token store."""

from pathlib import Path

import numpy as np

from helpers_corpora import manifest
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.corpora.build_store import build_store
from sentrep.corpora.sentences import build_sentences
from sentrep.corpora.store import TokenStore

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
