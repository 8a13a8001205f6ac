"""Test that all encoders treat a single string as one sentence, and refuse anything that is not text."""

import numpy as np
import pytest
import scipy.sparse as sp
import torch

from helpers_store import random_store
from helpers_word2vec import store_of
from sentrep.api.model import Model
from sentrep.encoders.base import AveragingEncoder, Encoder
from sentrep.encoders.concatenation import Concatenation
from sentrep.encoders.foreign import FunctionEncoder
from sentrep.encoders.neural import NeuralEncoder
from sentrep.encoders.tfidf import TfIdfEncoder
from sentrep.encoders.weighted import WeightedEncoder
from sentrep.errors import SentrepError
from sentrep.families import paragraph_vector, tfidf
from sentrep.networks.two_towers import Network
from sentrep.training.run import Run

VECTORS = np.random.default_rng(0).normal(size=(3, 4)).astype(np.float32)
# every letter is a word, so that splitting the string into characters would give a different result
SENTENCE = "a cab abba"


def averaging():
    return AveragingEncoder(VECTORS, ["a", "b", "cab"], "whitespace")


def neural():
    torch.manual_seed(0)
    return NeuralEncoder("two_towers", Network("uni", 3, 4, 5), ["<unk>", "a", "cab"], "whitespace")


ENCODERS = {
    "averaging": averaging,
    "concatenation": lambda: Concatenation({"one": averaging(), "other": neural()}),
    "function": lambda: FunctionEncoder(lambda sentences: [[len(s), s.count("a")] for s in sentences]),
    "neural": neural,
    "paragraph": lambda: paragraph_vector.train(
        random_store(3, 50, 20), paragraph_vector.Parameters(dimension=4), Run(1)
    ),
    "tfidf": lambda: tfidf.train(store_of([["a", "cab"], ["a", "b"], ["b", "c"]]), tfidf.Parameters(), Run(1)),
    "weighted": lambda: WeightedEncoder(VECTORS, np.ones(3), np.ones(2), ["a", "b", "cab"]),
}


def dense(vectors):
    return vectors.toarray() if sp.issparse(vectors) else np.asarray(vectors)


@pytest.mark.parametrize("name", ENCODERS)
def test_a_string_is_one_sentence(name):
    encoder = ENCODERS[name]()
    sentence = "w1 w2 w3" if name == "paragraph" else SENTENCE
    (expected,) = dense(encoder.encode([sentence]))
    assert expected.any()
    for one in (encoder.encode(sentence), Model(encoder).encode(sentence)):
        assert one.shape == (encoder.dimension,)
        np.testing.assert_array_equal(dense(one), expected)


@pytest.mark.parametrize("name", ENCODERS)
@pytest.mark.parametrize(
    ("sentences", "found"),
    [(["a", None], "NoneType"), ([b"a"], "bytes"), ([["a", "b"]], "list"), ([float("nan")], "float")],
)
def test_what_is_no_text_is_one_line(name, sentences, found):
    encoder = ENCODERS[name]()
    for ask in (encoder.encode, encoder.count_tokens):
        with pytest.raises(
            SentrepError,
            match=f"^sentences: expected strings, found an item of type {found}; remove or convert the item$",
        ):
            ask(sentences)


@pytest.mark.parametrize("name", ENCODERS)
def test_tokens_are_counted_for_lists_only(name):
    with pytest.raises(SentrepError, match="expected a list of strings, found one string"):
        ENCODERS[name]().count_tokens(SENTENCE)


def test_every_class_shares_the_public_methods():
    def below(cls):
        return {cls, *(found for sub in cls.__subclasses__() for found in below(sub))}

    classes = {cls for cls in below(Encoder) if cls.__module__.startswith("sentrep.")}
    assert {AveragingEncoder, TfIdfEncoder, NeuralEncoder, FunctionEncoder, Concatenation, WeightedEncoder} <= classes
    for cls in classes:
        assert (cls.encode, cls.count_tokens) == (Encoder.encode, Encoder.count_tokens)
