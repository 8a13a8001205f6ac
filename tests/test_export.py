"""Test that exported models give the same vectors in gensim and in sentence-transformers as in sentrep."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sentrep.corpora.tokenisers import PUNCTUATION_TOKENS, STRIPPED, kenter, tokeniser
from sentrep.encoders.base import AveragingEncoder
from sentrep.encoders.export import FORMATS, WHITE_SPACE, export, tokenizer_json
from sentrep.encoders.tfidf import TfIdfEncoder
from sentrep.errors import SentrepError

LINES = (Path(__file__).parent / "data" / "nasty_sentences.txt").read_text(encoding="utf-8").split("\n")
LINES += [
    "ΟΔΥΣΣΕΥΣ ΑΣ' ΑΣ'Α Σ ΣΣ ΑΣ. ΑΣ/ΒΣ αΣ\u0301 Α\u0301Σ aʰΣ ʰΣ",
    "İstanbul ΐ K ẞ ﬁne ƒx Ƒx ∑ Π",
    "a\x1cb\x1dc\x1ed\x1fe\x85f\u2028g\u200bh\ufeffi\u180ej",
    "zzzunknown",
    "",
]
SCRIPTS = Path(__file__).parents[1] / "workflow" / "scripts"


def save_model(folder, tokeniser_name, lines=LINES, aggregation="mean", oov="omit", **meta):
    """Save a model whose vocabulary consists of every second word of the lines and all single characters of words."""
    words = sorted({word for line in lines for word in tokeniser(tokeniser_name)(line)})
    words = words[::2] + [word for word in words[1::2] if len(word) == 1]
    words = [word for word in words if word != "zzzunknown"]
    vectors = np.random.default_rng(0).normal(size=(len(words), 20)).astype(np.float32)
    meta = {"family": "random_vectors", **meta}
    encoder = AveragingEncoder(vectors, words, tokeniser_name, aggregation, oov, meta)
    folder.mkdir()
    encoder.save(folder)
    return encoder


@pytest.fixture(autouse=True)
def _offline(monkeypatch):
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")


def load_transformer(folder):
    from sentence_transformers import SentenceTransformer

    return SentenceTransformer(str(folder), device="cpu")


@pytest.mark.parametrize("name", ["kenter", "whitespace"])
def test_sentence_transformers_gives_the_same_vectors(tmp_path, name):
    ours = save_model(tmp_path / "model", name)
    assert export(tmp_path / "model", "sentence-transformers", tmp_path / "out") == tmp_path / "out"
    expected = ours.encode(LINES)
    found = load_transformer(tmp_path / "out").encode(LINES)
    assert len(LINES) > 300
    assert (~expected.any(axis=1)).sum() > 20  # these include sentences without known words
    np.testing.assert_allclose(found, expected, atol=1e-5)
    assert not found[~expected.any(axis=1)].any()


def test_static_embedding_loads_it(tmp_path):
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding

    ours = save_model(tmp_path / "model", "kenter")
    export(tmp_path / "model", "sentence-transformers", tmp_path / "out")
    module = StaticEmbedding.load(str(tmp_path / "out"))
    found = module(module.preprocess(["Don't panic/relax!"]))["sentence_embedding"].detach().numpy()
    np.testing.assert_allclose(found, ours.encode(["Don't panic/relax!"]), atol=1e-5)


def test_a_batch_without_any_known_word_is_zero(tmp_path):
    save_model(tmp_path / "model", "kenter")
    export(tmp_path / "model", "sentence-transformers", tmp_path / "out")
    assert not load_transformer(tmp_path / "out").encode(["zzzunknown", "...", ""]).any()


ALPHABET = st.sampled_from("aAbBσΣςİŒ'’.-/­́ʰ" + STRIPPED + WHITE_SPACE) | st.characters(
    # the Unicode version of tokenizers is newer than Python's and lower-cases more letters
    exclude_categories=["Cs", "Cn"]
)


@pytest.mark.parametrize("name", ["kenter", "whitespace"])
@settings(max_examples=300, deadline=None)
@given(lines=st.lists(st.text(ALPHABET, max_size=30), max_size=5))
def test_tokenizer_finds_the_same_words(name, lines):
    from tokenizers import Tokenizer

    expected = [tokeniser(name)(line) for line in lines]
    words = sorted({word for words in expected for word in words})
    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_json(words, name)))
    for line, tokens in zip(lines, expected, strict=True):
        assert [words[i] for i in tokenizer.encode(line).ids] == tokens


def test_parts_of_unknown_words_are_not_words():
    from tokenizers import Tokenizer

    words = ["a", "b", "ab", "aaa", "'", "##b"]
    tokenizer = Tokenizer.from_str(json.dumps(tokenizer_json(words, "kenter")))
    assert tokenizer.encode("ab ba aa aba b aaa abaaa  a").ids == [2, 1, 3, 0]


def test_punctuation_in_the_vocabulary_stays_out_of_reach(tmp_path):
    vectors = np.eye(3, dtype=np.float32)
    encoder = AveragingEncoder(vectors, ["a", ".", "b"], "whitespace", meta={"family": "random_vectors"})
    (tmp_path / "model").mkdir()
    encoder.save(tmp_path / "model")
    export(tmp_path / "model", "sentence-transformers", tmp_path / "out")
    lines = ["a . b .", ".", *PUNCTUATION_TOKENS]
    np.testing.assert_allclose(load_transformer(tmp_path / "out").encode(lines), encoder.encode(lines))


def test_white_space_is_what_split_splits_at():
    assert set(WHITE_SPACE) == {c for c in map(chr, range(sys.maxunicode + 1)) if c.isspace()}


def test_a_sum_is_exported_as_a_mean_and_says_so(tmp_path, caplog):
    ours = save_model(tmp_path / "model", "kenter", aggregation="sum", oov="random")
    export(tmp_path / "model", "sentence-transformers", tmp_path / "out")
    card = (tmp_path / "out" / "README.md").read_text()
    assert "model sums word vectors" in card
    assert "omits unknown words" in card
    assert "sums word vectors" in caplog.text
    line = next(line for line in LINES if ours.count_tokens([line])[1] == len(kenter(line)) > 1)
    expected = ours.encode([line])[0] / len(kenter(line))
    np.testing.assert_allclose(load_transformer(tmp_path / "out").encode([line])[0], expected, atol=1e-5)


@pytest.mark.parametrize("name", ["kenter", "whitespace", "nltk"])
def test_word2vec_round_trip_is_exact(tmp_path, name):
    from gensim.models import KeyedVectors

    ours = save_model(tmp_path / "model", name, seed=3)
    export(tmp_path / "model", "word2vec", tmp_path / "out")
    theirs = KeyedVectors.load_word2vec_format(str(tmp_path / "out" / "vectors.bin"), binary=True)
    assert theirs.index_to_key == ours.vocabulary
    np.testing.assert_array_equal(theirs.vectors, ours.embeddings)
    assert json.loads((tmp_path / "out" / "provenance.json").read_text())["seed"] == 3


def test_what_cannot_be_exported_ends_in_one_line(tmp_path):
    save_model(tmp_path / "nltk", "nltk")
    (tmp_path / "counts").mkdir()
    TfIdfEncoder(np.ones(2, np.float32), ["a", "b"], "kenter", {"family": "tfidf"}).save(tmp_path / "counts")
    (tmp_path / "spaced").mkdir()
    meta = {"family": "random_vectors"}
    AveragingEncoder(np.ones((1, 2), np.float32), ["a b"], "kenter", meta=meta).save(tmp_path / "spaced")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").write_text("")
    cases = [
        ("nltk", "sentence-transformers", "out", "found the tokeniser nltk; use the format `word2vec`"),
        ("counts", "word2vec", "out", "found a model of type tfidf"),
        ("counts", "sentence-transformers", "out", "found a model of type tfidf"),
        ("absent", "word2vec", "out", "expected a model folder"),
        ("nltk", "word2vec", "full", "found a folder that is not an exported model"),
        ("nltk", "word2vec", "full/file", "found a file"),
        ("spaced", "word2vec", "out", "words without spaces or line breaks, found 'a b'"),
        ("nltk", "sentence-transformer", "out", "did you mean 'sentence-transformers'"),
    ]
    for model, format, out, message in cases:
        with pytest.raises(SentrepError, match=message):
            export(tmp_path / model, format, tmp_path / out)
        assert not (tmp_path / "out").exists()


def test_export_needs_neither_library(tmp_path):
    save_model(tmp_path / "model", "kenter")
    code = (
        "import sys; from sentrep.encoders.export import export;"
        + "".join(f"export({str(tmp_path / 'model')!r}, {f!r}, {str(tmp_path / f)!r});" for f in FORMATS)
        + "print(sorted({'torch', 'tokenizers', 'sentence_transformers', 'gensim'} & set(sys.modules)))"
    )
    environment = {**os.environ, "PYTHONPATH": str(SCRIPTS)}
    command = [sys.executable, "-c", code]
    result = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert result.stdout.strip() == "[]"
