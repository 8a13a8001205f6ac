"""Test verdicts: fair comparisons, missing parts, sample data, sizes of corpora, and the folder of a published run."""

import dataclasses
import json
import re
import shutil

import pandas as pd
import pytest

from conftest import ROOT
from helpers_claims import BY_ID, CLAIMS, NAMES, run_of, values_of
from sentrep.claims import table as claim_table
from sentrep.claims.run import MODELS
from sentrep.claims.verdicts import COLUMNS, judge, judge_all
from sentrep.cli import main
from sentrep.errors import SentrepError
from sentrep.tables.markup import markdown, page
from sentrep.tables.values import Value, Values

BEST = BY_ID["scbow_best_on_most_sets"]
SIZES = dict.fromkeys(["siamese_cbow", "word2vec_skipgram", "word2vec_cbow", "skip_thought_combine"], 80_000_000)


def scores(**systems):
    table = dict.fromkeys(NAMES, systems)
    return values_of("sets", table, spread=0.02) + values_of("sets", table, "official", spread=0.02)


def models(**sentences):
    return [fact(name, "sentences", number) for name, number in sentences.items()]


def fact(model, metric, value):
    paper, item = MODELS.split("/")
    about = {"text": value} if isinstance(value, str) else {"mean": float(value)}
    return Value(paper, item, model, "", metric, system=model, **about)


# intervals extend by .02 around the values
FOUR = scores(siamese_cbow=0.6, word2vec_skipgram=0.5, word2vec_cbow=0.5, skip_thought_combine=0.4, random=0.3)
WORSE = [
    dataclasses.replace(value, mean=0.45, low=0.43, high=0.47) if value.system == "siamese_cbow" else value
    for value in FOUR
]


def judged(claim, *cells, preset="novels", sample=False, record=None):
    return judge(claim, CLAIMS, run_of(*cells, record=record), preset, sample)


def of(cells, *systems):
    return [value for value in cells if value.system not in systems]


def test_holds_and_fails():
    verdict = judged(BEST, FOUR, models(**SIZES), preset="paper")
    assert (verdict.verdict, verdict.reason, verdict.preset, verdict.seeds) == ("holds", "", "paper", "1")
    assert verdict.baseline.startswith("random has a mean of .3000 and is above siamese_cbow on 0 of 20")
    assert judged(BEST, WORSE).verdict == "does not hold"


def test_smaller_texts_are_told():
    verdict = judged(BEST, FOUR, models(**dict.fromkeys(SIZES, 1_000_000)))
    assert verdict.verdict == "holds"
    assert verdict.reason == "this run used 1,000,000 training sentences, and the paper 74,004,228"


def test_sample_data_give_no_verdict():
    verdict = judged(BEST, FOUR, preset="sample", sample=True)
    assert (verdict.verdict, verdict.reason) == (
        "not tested",
        "this run uses sample data; the verdict based on these data is: holds",
    )
    assert "is best on 20 of 20 sets" in verdict.ours
    frame = judge_all(CLAIMS, run_of(FOUR), "sample", True)
    assert set(frame.loc[frame["kind"] != "error", "verdict"]) == {"not tested"}
    shown = frame[frame["verdict"] == "holds"]
    assert set(shown["kind"]) == {"error"}
    assert set(shown["reason"]) == {"computed from the published values alone"}


def test_a_missing_rival_can_only_hurt():
    verdict = judged(BEST, of(FOUR, "skip_thought_combine"))
    assert verdict.verdict == "not tested"
    assert verdict.reason == "this run lacks skip_thought_combine"
    verdict = judged(BEST, of(WORSE, "skip_thought_combine"))
    assert verdict.verdict == "does not hold"
    assert "lacks skip_thought_combine" in verdict.reason


def test_models_of_other_texts_are_not_compared():
    verdict = judged(BEST, FOUR, models(**{**SIZES, "skip_thought_combine": 5_000_000}))
    assert verdict.verdict == "not tested"
    assert "are omitted: skip_thought_combine (5,000,000 sentences)" in verdict.reason
    near = {**SIZES, "skip_thought_combine": 79_000_000}  # with a different tokeniser, different sentences are empty
    assert judged(BEST, FOUR, models(**near)).verdict == "holds"


@pytest.mark.parametrize("left_out", ["siamese_cbow", "word2vec_cbow"])
def test_nothing_to_compare(left_out):
    claim = BY_ID["scbow_better_than_word2vec"]
    verdict = judged(claim, of(FOUR, left_out))
    assert verdict.verdict == "not tested"
    assert left_out in verdict.reason
    verdict = judged(claim, of(FOUR, "word2vec_cbow", "word2vec_skipgram"))
    assert verdict.reason.startswith(
        "no rival is left for the comparison; this run lacks word2vec_skipgram, word2vec_cbow"
    )


def test_missing_items_and_sets():
    verdict = judged(BEST)
    assert (verdict.verdict, verdict.reason) == ("not tested", "sentrep/table1 is not part of this run")
    none = [value for value in FOUR if value.row != "2013 SMT"]
    verdict = judged(BY_ID["scbow_near_skip_thought_on_smt"], none)
    assert (verdict.verdict, verdict.reason) == ("not tested", "this run has no values for 2013 SMT")
    verdict = judged(BY_ID["qt_more_text_helps"])
    assert verdict.verdict == "not tested"
    assert "UMBC" in verdict.reason


def record(path, *spans, device="cuda"):
    """Write a provenance.json with the start and end times of the training of models, in seconds."""
    entries = {}
    for number, (start, end) in enumerate(spans):
        time = f"2026-01-01T00:{start // 60:02}:{start % 60:02}+00:00"
        seed = {"time": time, "seconds": end - start, "device": device}
        entries[f"m{number}"] = {"corpus": {"sentences": 10}, "seeds": {"1": seed}}
    path.write_text(json.dumps({"preset": "p", "evaluation": {"sample": False}, "models": entries}))
    return path


def timed(device, *shares):
    """Return the values of two models that were trained in 1 and 20 seconds."""
    cells = []
    for name, seconds, share in zip(("quick_thoughts_combine", "skip_thought_combine"), (1, 20), shares, strict=True):
        speed = fact(name, "seconds per million sentences", seconds)
        cells += [dataclasses.replace(speed, seeds=3, sd=0.01), fact(name, "device", device)]
        cells.append(fact(name, "processor share", share))
    return cells


def test_times_are_compared_per_epoch():
    """Compare models that take 1 and 20 seconds. If the slower one has four epochs, each of them takes 5 seconds."""
    cells = timed("cpu", 0.99, 0.99)
    assert judged(BY_ID["qt_order_of_magnitude_faster"], cells).verdict == "holds"
    cells.append(fact("skip_thought_combine", "epochs", 4))
    assert judged(BY_ID["qt_order_of_magnitude_faster"], cells).verdict == "does not hold"


@pytest.mark.parametrize(
    ("spans", "verdict"),
    [
        ([(0, 60), (60, 120)], "holds"),
        ([(0, 10), (10, 120)], "holds"),
        ([(0, 60), (30, 90)], "undecided"),
        ([(0, 60), (30, 90), (500, 510)], "undecided"),  # the GPU was idle for longer than two models shared it
    ],
)
def test_times_of_models_on_one_gpu(tmp_path, spans, verdict):
    cells, path = timed("cuda", 0.1, 0.1), record(tmp_path / "provenance.json", *spans)
    found = judged(BY_ID["qt_order_of_magnitude_faster"], cells, record=path)
    assert found.verdict == verdict, found
    assert ("one GPU; the verdict based on the measured times is: holds" in found.reason) == (verdict == "undecided")


@pytest.mark.parametrize("device", ["cuda", "cpu + cuda"])
def test_times_on_a_gpu_without_a_record(tmp_path, device):
    """Neither a run without provenance.json nor a record of models on the CPU says that the GPU was not shared."""
    path = record(tmp_path / "provenance.json", (0, 60), device="cpu")
    for known in (None, path):
        found = judged(BY_ID["qt_order_of_magnitude_faster"], timed(device, 0.99, 0.99), record=known)
        assert found.verdict == "undecided"
        assert "no record of when each model used the GPU; the verdict based on" in found.reason


@pytest.mark.parametrize(
    ("shares", "verdict"),
    [((0.99, 0.91), "holds"), ((0.99, 0.4), "undecided"), ((float("nan"), float("nan")), "undecided")],
)
def test_times_of_models_that_shared_their_cores(shares, verdict):
    found = judged(BY_ID["qt_order_of_magnitude_faster"], timed("cpu", *shares))
    assert found.verdict == verdict
    assert ("less than 90% of the CPU time of its cores, or because" in found.reason) == (verdict == "undecided")


def test_training_pairs_are_the_size_of_weighted_aggregation():
    falling = {i: 1 / i for i in range(1, 21)}
    weights = values_of("weights", {"contrastive": falling, "median": falling}, spread=1e-4)
    pairs = [
        Value("weighted_aggregation", "pairs", source, "train", "pairs", related, mean=number)
        for source, related, number in (
            ("wikipedia_20", "related", 900),
            ("wikipedia_20", "non-related", 901),
            ("twitter", "related", 2),
        )
    ]
    verdict = judged(BY_ID["weights_fall_with_idf_rank"], weights, pairs)
    assert (verdict.verdict, verdict.reason) == (
        "holds",
        "this run used 900 related training pairs, and the paper 1,500,000",
    )


def test_table_shows_all_rows():
    frame = judge_all(CLAIMS, run_of(FOUR), "sample", True)
    assert list(frame.columns) == COLUMNS
    assert len(frame) == len(CLAIMS.claims)
    table = claim_table.build(frame, CLAIMS, "sample", True)
    text, html = markdown(table), page(table)
    assert text.startswith("**SAMPLE: Claims of the papers, preset sample: 0 of ")
    assert html.count('<th scope="row">') == len(CLAIMS.claims)
    assert '<table class="sentences"' in html
    assert all(len(line.split(" | ")) == 12 for line in text.splitlines() if line.startswith("| "))


def test_published_runs_are_up_to_date(tmp_path):
    """The committed verdicts match the committed values."""
    folders = [path.parent for path in sorted((ROOT / "results" / "published").glob("*/claims.csv"))]
    assert folders
    for folder in folders:
        for name in ("values.csv", "provenance.json", "draws.npz"):
            if (folder / name).exists():
                shutil.copyfile(folder / name, tmp_path / name)
        claim_table.judge_folder(tmp_path)
        assert (tmp_path / "claims.csv").read_text() == (folder / "claims.csv").read_text(), folder
        (tmp_path / "draws.npz").unlink(missing_ok=True)


def test_command_line(tmp_path, caplog):
    with pytest.raises(SentrepError, match=r"provenance\.json"):
        claim_table.judge_folder(tmp_path)
    assert main(["claims", str(tmp_path)]) == 1
    record(tmp_path / "provenance.json", (0, 60))
    with pytest.raises(SentrepError, match=r"values\.csv"):
        claim_table.judge_folder(tmp_path)
    Values.of(FOUR).write(tmp_path / "values.csv")
    with caplog.at_level("INFO"):
        assert main(["claims", str(tmp_path)]) == 0
    frame = pd.read_csv(tmp_path / "claims.csv", keep_default_na=False)
    assert list(frame.columns) == COLUMNS
    assert set(frame["preset"]) == {"p"}
    assert frame.loc[frame["id"] == BEST.id, "verdict"].item() == "holds"
    assert claim_table.counts(frame) in caplog.text
    assert re.search(
        r"\d+ of \d+ claims hold, \d+ do not hold, \d+ are undecided, and \d+ are not tested; \d+ of 3", caplog.text
    )
    assert (tmp_path / "claims.md").exists()
    assert (tmp_path / "claims.html").exists()
