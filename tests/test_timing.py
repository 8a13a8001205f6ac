"""Test the measurement of encoding times."""

import time

from helpers_evaluation import encoder_of, sts_set
from sentrep.evaluation.sts.timing import drawn_pairs, one_by_one, time_encoder

VECTORS = {"a": [1, 0], "b": [0, 1], "c": [1, 1], "d": [-1, 0]}


def test_timing():
    sts = sts_set(["a", "a", "b", "c"], ["a", "b", "c", "d"], [5, 1, 3, 2])
    encoder = encoder_of(VECTORS)
    timing = time_encoder(encoder, [sts], repeats=2)
    assert timing["presentation"].tolist() == ["one by one", "batched"]
    assert (timing["pairs"] == 4).all()
    assert (timing["seconds_min"] <= timing["seconds"]).all()
    calls = []
    encode = encoder.encode
    encoder.encode = lambda sentences: calls.append(len(sentences)) or encode(sentences)
    one_by_one(encoder, [sts])
    assert calls == [2, 2, 2, 2]  # pairs are encoded one by one


def test_the_first_call_is_not_timed():
    encoder, encode, calls = encoder_of(VECTORS), encoder_of(VECTORS).encode, []

    def slow_first_call(sentences):
        time.sleep(0 if calls else 0.2)
        calls.append(sentences)
        return encode(sentences)

    encoder.encode = slow_first_call
    timing = time_encoder(encoder, [sts_set(["a", "b"], ["b", "c"], [5, 1])], repeats=1)
    assert calls[0] == ["a", "b"]
    assert (timing["seconds"] < 0.15).all()


def test_timing_with_some_of_the_pairs():
    pairs = {
        name: ([f"{name} {i}" for i in range(n)], [f"{i} {name}" for i in range(n)])
        for name, n in (("x", 3), ("y", 40))
    }
    sets = [sts_set(*sentences, [1.0] * len(sentences[0])) for sentences in pairs.values()]
    known = {pair for sentences in pairs.values() for pair in zip(*sentences, strict=True)}
    drawn = drawn_pairs(sets, 20)
    found = [pair for sts in drawn for pair in zip(sts.sentences1, sts.sentences2, strict=True)]
    assert len(set(found)) == len(found) == 20
    assert set(found) < known
    assert all(len(sts.gold) == sts.pairs > 0 for sts in drawn)
    assert drawn_pairs(sets, 20)[-1].sentences1 == drawn[-1].sentences1  # every model is timed with the same pairs
    assert sum(sts.pairs for sts in drawn_pairs(sets, 1000)) == 43
    assert (time_encoder(encoder_of(VECTORS), sets, repeats=1, limit=5)["pairs"] == 5).all()
