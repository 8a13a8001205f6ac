"""Test the benchmarks: medians, ratios, goals, tables, and equal results of other implementations."""

import csv
import re
import sys
from types import SimpleNamespace

import numpy as np
import pytest
import torch

from conftest import ROOT

# This folder must come before workflow/scripts, which also contains a run.py.
sys.path.insert(0, str(ROOT / "benchmarks"))

import common
import growth
import host
import inputs
from common import SECONDS, Contestant, Goal, Work, at_least

import run


def nothing():
    pass


def speeds():
    """Return a task with two implementations of ours and two of others, each compared with one of ours."""
    return Work(
        "work",
        "examples/s",
        [
            Contestant("ours", nothing, 100, Goal("median", ">=", 60)),
            Contestant("peer", nothing, 10, at_least(8)),
            Contestant("ours, all", nothing, 100, against="ours, all"),
            Contestant("peer, all", nothing, 10, at_least(5), against="ours, all", threads=1),
        ],
        threads=2,
    )


TIMES = {
    "ours": [(1.0, 2.0), (2.0, 4.0), (4.0, 8.0)],  # 100, 50, 25 examples/s
    "peer": [(2.0, 2.0), (1.0, 1.0), (4.0, 4.0)],  # 5, 10, 2.5
    "ours, all": [(4.0, 4.0), (4.0, 4.0), (5.0, 5.0)],  # 25, 25, 20
    "peer, all": [(5.0, 5.0), (5.0, 5.0), (1.0, 1.0)],  # 2, 2, 10
}


def test_medians_and_ratios_of_speeds():
    ours, peer, all_of_ours, all_of_peer = common.summarise(speeds(), TIMES)
    assert (ours.median, ours.slowest, ours.fastest, ours.per_cpu_second) == (50, 25, 100, 25)
    assert (peer.median, peer.ratio) == (5, 10)
    assert ours.ratio is None
    assert all_of_ours.ratio is None
    assert all_of_peer.ratio == 25 / 2
    assert [row.threads for row in (ours, all_of_peer)] == [2, 1]
    assert (ours.goal, ours.met) == ("median >= 60", "not met")
    assert (peer.goal, peer.met) == ("ratio >= 8", "met")


def test_ratios_of_seconds_say_how_much_faster_ours_is():
    work = Work("work", SECONDS, [Contestant("a", nothing, goal=Goal("median", "<=", 0.5)), Contestant("b", nothing)])
    a, b = common.summarise(work, {"a": [(0.25, 0.1), (0.75, 0.1), (0.5, 0.1)], "b": [(2.0, 2.0)]})
    assert (a.median, a.slowest, a.fastest, a.met) == (0.5, 0.75, 0.25, "met")
    assert b.ratio == 4


def test_contestants_take_turns_and_the_first_round_does_not_count():
    calls = []
    work = Work("work", SECONDS, [Contestant(name, lambda name=name: calls.append(name)) for name in "ab"])
    taken = common.in_turns(work, 3)
    assert "".join(calls) == "ab" * 4
    assert {name: len(turns) for name, turns in taken.items()} == {"a": 3, "b": 3}


def test_a_peer_that_cannot_is_noted_and_ours_must():
    work = Work("work", SECONDS, [Contestant("ours", nothing), Contestant("peer", lambda: {}["no such key"])])
    ours, peer = common.measure(work, 2)
    assert ours.turns == 2
    assert (peer.turns, peer.median, peer.ratio) == (0, None, None)
    assert peer.note.startswith("failed: KeyError")
    with pytest.raises(KeyError):
        common.measure(Work("work", SECONDS, [Contestant("ours", lambda: {}["no such key"])]), 2)


def test_machine_description():
    described = host.machine()
    assert list(described) == ["processor", "cores", "memory", "system", "gpu", "torch"]
    assert all(described.values())
    assert int(described["cores"]) >= 1
    assert re.fullmatch(r"\d+ GiB", described["memory"])
    assert re.fullmatch(r"[a-z0-9]+(-[a-z0-9]+)*", host.file_name(described))
    assert host.file_name({**described, "gpu": "NVIDIA H200"}).endswith("-nvidia-h200")


def test_a_loaded_machine_is_said_to_be_one():
    assert "Do not quote" in host.load_line(1.5)
    assert "Do not quote" not in host.load_line(0.1)


def test_csv(tmp_path):
    rows = [*common.summarise(speeds(), TIMES), common.skipped("other", "no GPU available")]
    common.write_csv(tmp_path / "m.csv", rows)
    with (tmp_path / "m.csv").open(encoding="utf-8", newline="") as file:
        found = list(csv.DictReader(file))
    wanted = ["work", "contestant", "threads", "unit", "median", "slowest", "fastest", "ratio", "goal"]
    assert list(found[0])[:9] == wanted
    assert {"load_before", "load_after", "date", "versions"} <= set(found[0])
    assert (found[1]["median"], found[1]["ratio"], found[0]["ratio"]) == ("5.0", "10.0", "")
    assert found[-1]["note"] == "skipped: no GPU available"
    assert found[-1]["median"] == ""


def test_markdown_names_a_work_once_and_numbers_notes():
    rows = common.summarise(speeds(), TIMES)
    rows[1].note = rows[3].note = "more work a pair"
    lines = common.markdown([*rows, common.skipped("other", "no GPU available")]).splitlines()
    assert len({line.count("|") for line in lines[:7]}) == 1
    assert lines[3].startswith("|  | peer [1] |")
    assert "10 times as fast" in lines[3]
    assert "5.00 (" not in lines[3]
    assert "5 (2.5 - 10) examples/s" in lines[3]
    assert lines[-2:] == ["[1] more work a pair  ", "[2] skipped: no GPU available  "]


def test_slope_of_a_power():
    points = [growth.Point("w", "n", n, 3e-6 * n**1.5, 0.0, 1) for n in growth.amounts(1_000, 1_000_000)]
    assert [p.amount for p in points][::2] == [1_000, 10_000, 100_000, 1_000_000]
    assert growth.slope(points) == pytest.approx(1.5)
    flat = [growth.Point("w", "n", n, 1.0, 0.0, 1) for n in (10, 100, 1_000)]
    assert growth.slope([*flat, *points]) < 1.5 == pytest.approx(growth.slope([*flat, *points], 1))
    with pytest.raises(ValueError, match="two points"):
        growth.slope(points[:1])


def test_growth_writes_points_and_figure(tmp_path):
    points = [growth.Point(growth.TWEETS, "tweets", n, n / 1e5, 0.1, 1) for n in (1_000, 10_000, 100_000, 1_000_000)]
    growth.write(points, tmp_path, "m")
    assert len((tmp_path / "m-growth.csv").read_text().splitlines()) == 5
    assert "exponent 1.00" in re.sub(r"<!-- | -->", "", (tmp_path / "m-growth.svg").read_text())
    seconds, exponent, _ = growth.as_rows(points)
    assert (seconds.median, seconds.goal, seconds.met) == (10, "median <= 60", "met")
    assert exponent.median == pytest.approx(1)
    assert exponent.met == "met"


def test_brute_force_finds_the_same_pairs():
    from twitter_mining import brute_force

    from sentrep.pairs.twitter.index import index_tweets
    from sentrep.pairs.twitter.rules import mine

    index = index_tweets(inputs.synthetic_tweets(600, seed=3))
    found = mine(index).found
    assert found > 10
    assert brute_force(index) == found


def test_scoring_loop_gives_the_same_correlations():
    import sts_scoring

    from sentrep.encoders.base import AveragingEncoder
    from sentrep.evaluation.sts.scoring import score_sets

    words = [f"{a}{b}" for a in "abcdefghij" for b in "klmnopqrst"]
    sets = inputs.synthetic_pairs(words, 0.05)
    matrix = np.random.default_rng(1).standard_normal((50, 20)).astype(np.float32)
    found = sts_scoring.loop(sts_scoring.tokenised(sets), dict(zip(words, matrix, strict=False)), 20)
    scores, _ = score_sets(AveragingEncoder(matrix, words[:50], "kenter"), sets)
    ours = scores[scores["protocol"] == "official"][["pearson", "spearman"]].to_numpy()
    np.testing.assert_allclose(ours, found, atol=1e-4)  # our implementation rounds cosines


def test_plain_bags_have_the_loss_of_quick_thoughts():
    import quick_thoughts

    p = quick_thoughts.Parameters(encoder="bow", batch_size=8, word_dimension=6, vocabulary=30)
    store = inputs.build_store(inputs.zipf_corpus(60, 40), 40)
    learner, _ = quick_thoughts.new_learner(store, p, "cpu", 1)
    network = learner.objective.network
    plain = quick_thoughts.PlainBags(network.settings["words"], p.word_dimension)
    for mine, its in zip(plain.towers, network.tables, strict=True):
        mine.load_state_dict(its.state_dict())
    optimiser = torch.optim.Adam(plain.parameters(), lr=p.learning_rate)
    theirs = quick_thoughts.train_plainly(plain, optimiser, store, 3, p.batch_size, p.largest_norm)
    np.testing.assert_allclose(theirs, learner.advance(0, np.full(3, p.learning_rate)), rtol=1e-4)


def test_parts_without_gpu_or_peer_are_skipped_with_a_reason(monkeypatch):
    settings = inputs.Settings(quick=True)
    (row,) = run.run_part(run.Part("x", "no_such_module", "works", gpu=True), settings, has_gpu=False)
    assert row.note == "skipped: no GPU available"
    (row,) = run.run_part(run.Part("x", "no_such_module", "works"), settings, has_gpu=False)
    assert row.note == "skipped: no_such_module is not installed"
    fake = SimpleNamespace(works=lambda _settings: [speeds()])
    monkeypatch.setitem(sys.modules, "fake_part", fake)
    rows = list(run.run_part(run.Part("x", "fake_part", "works"), settings, has_gpu=False))
    assert [row.contestant for row in rows] == ["ours", "peer", "ours, all", "peer, all"]
    assert all(row.load_before is not None and row.turns == settings.repetitions for row in rows)


def test_a_part_that_fails_loses_only_its_own_rows(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "good", SimpleNamespace(works=lambda _settings: [speeds()]))
    monkeypatch.setitem(sys.modules, "bad", SimpleNamespace(works=lambda _settings: {}["no such key"]))
    monkeypatch.setattr(run, "PARTS", [run.Part(name, name, "works") for name in ("bad", "good")])
    rows, failed = run.run_all(None, inputs.Settings(quick=True), has_gpu=False)
    assert failed == 1
    assert len(rows) == 5
    assert rows[0].note.startswith("failed: KeyError")
    assert rows[1].median > 0
    assert "KeyError" in capsys.readouterr().err


def test_every_part_names_what_exists():
    for part in run.PARTS:
        text = (ROOT / "benchmarks" / f"{part.module}.py").read_text()
        assert f"def {part.works or part.rows}(settings: Settings)" in text, part.name


def test_peers_are_pinned_apart_from_the_project():
    own, peers = ((ROOT / folder / "requirements.txt").read_text() for folder in ("", "benchmarks"))
    names = re.findall(r"^([a-z][\w-]*)==\d", peers, re.MULTILINE)
    assert {"sentence-transformers", "mwparserfromhell", "wikitextparser", "tokenizers"} == set(names)
    assert not [name for name in names if f"{name}==" in own]
    assert "-r ../requirements.txt" in peers


@pytest.mark.slow
def test_quick_run_of_two_parts(tmp_path, capsys):
    parts = ["tweets", "siamese_cbow", "skip_thought_gpu"]
    assert run.main(["--quick", "--only", *parts, "--output", str(tmp_path)]) == 0
    assert "load average" in capsys.readouterr().out.lower()
    (table,) = tmp_path.glob("*.csv")
    assert "-quick-" in table.name
    with table.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert {"tweets/s", "examples/s"} <= {row["unit"] for row in rows}
    assert all(float(row["median"]) > 0 for row in rows if row["unit"])
    assert table.with_suffix(".md").read_text().startswith("QUICK RUN")
