"""Verdicts: fairness, missing parts, sample data, sizes; and the folder of a published run."""

import json
import re

import pandas as pd
import pytest

from conftest import ROOT
from helpers_claims import BY_ID, CLAIMS, FOLDER, scores_of, tables
from sentrep.claims.folder import judge_folder
from sentrep.claims.reading import read_claims
from sentrep.claims.run_tables import RunTables, folder_tables
from sentrep.claims.table import build, counts
from sentrep.claims.verdicts import COLUMNS, judge, judge_all
from sentrep.cli import main
from sentrep.errors import SentrepError
from sentrep.evaluation.sts.sets import STANDARD
from sentrep.tables.markup import markdown, page

ALL = [(s.year, s.dataset) for s in STANDARD]
BEST = BY_ID["scbow_best_on_most_sets"]


def scores(**values):
    return scores_of({name: dict.fromkeys(ALL, r) for name, r in values.items()})


def models(**sentences):
    return pd.DataFrame({"model": list(sentences), "sentences": list(sentences.values())})


FOUR = scores(siamese_cbow=0.6, word2vec_skipgram=0.5, word2vec_cbow=0.5, skip_thought_combine=0.4, random=0.3)
SIZES = dict.fromkeys(["siamese_cbow", "word2vec_skipgram", "word2vec_cbow", "skip_thought_combine"], 80_000_000)


def test_holds_and_fails(tmp_path):
    row = judge(BEST, tables(tmp_path, scores=FOUR, models=models(**SIZES)), "paper", False)
    assert (row["verdict"], row["reason"], row["preset"], row["seeds"]) == ("holds", "", "paper", "1")
    assert row["floor"].startswith("random mean .3000, above siamese_cbow on 0 of 20")
    worse = FOUR.assign(pearson=FOUR["pearson"].where(FOUR["model"] != "siamese_cbow", 0.45))
    assert judge(BEST, tables(tmp_path, scores=worse), "paper", False)["verdict"] == "does not hold"


def test_smaller_texts_are_told(tmp_path):
    small = dict.fromkeys(SIZES, 1_000_000)
    row = judge(BEST, tables(tmp_path, scores=FOUR, models=models(**small)), "novels", False)
    assert (row["verdict"], row["reason"]) == ("holds", "1,000,000 training sentences; the paper has 74,004,228")


def test_sample_data_give_no_verdict(tmp_path):
    run = tables(tmp_path, scores=FOUR)
    row = judge(BEST, run, "sample", True)
    assert (row["verdict"], row["reason"]) == ("not tested", "sample data; the computation gave: holds")
    assert row["ours"].startswith("best on 20 of 20 sets")
    frame = judge_all(CLAIMS, run, "sample", True)
    assert set(frame.loc[frame["kind"] == "claim", "verdict"]) == {"not tested"}
    shown = frame[frame["verdict"] == "holds"]
    assert set(shown["kind"]) == {"error"} and set(shown["reason"]) == {"computed from the printed numbers alone"}


def test_a_missing_rival_can_only_hurt(tmp_path):
    three = FOUR[FOUR["model"] != "skip_thought_combine"]
    row = judge(BEST, tables(tmp_path, scores=three), "novels", False)
    assert row["verdict"] == "not tested"
    assert row["reason"] == "without skip_thought_combine, which this run left out; it holds over what is left"
    worse = three.assign(pearson=three["pearson"].where(three["model"] != "siamese_cbow", 0.45))
    row = judge(BEST, tables(tmp_path, scores=worse), "novels", False)
    assert row["verdict"] == "does not hold" and "it fails over what is left" in row["reason"]


def test_models_of_other_texts_are_not_compared(tmp_path):
    sizes = {**SIZES, "skip_thought_combine": 5_000_000}
    row = judge(BEST, tables(tmp_path, scores=FOUR, models=models(**sizes)), "novels", False)
    assert row["verdict"] == "not tested"
    assert "skip_thought_combine (5,000,000 sentences), which did not read the text" in row["reason"]
    near = {**SIZES, "skip_thought_combine": 79_000_000}  # another tokeniser empties other lines
    assert judge(BEST, tables(tmp_path, scores=FOUR, models=models(**near)), "novels", False)["verdict"] == "holds"


@pytest.mark.parametrize("left_out", ["siamese_cbow", "word2vec_cbow"])
def test_nothing_to_compare(tmp_path, left_out):
    claim = BY_ID["scbow_differs_from_cbow"]
    frame = pd.DataFrame(
        [(*key, "siamese_cbow", "word2vec_cbow", 0.0) for key in ALL],
        columns=["year", "dataset", "model_a", "model_b", "p"],
    )
    assert judge(claim, tables(tmp_path, wilcoxon=frame), "novels", False)["verdict"] == "holds"
    frame = frame.replace(left_out, "other")
    row = judge(claim, tables(tmp_path, wilcoxon=frame), "novels", False)
    assert row["verdict"] == "not tested" and left_out in row["reason"]


def test_missing_files_and_sets(tmp_path):
    row = judge(BEST, tables(tmp_path), "novels", False)
    assert (row["verdict"], row["reason"]) == ("not tested", "scores.csv is not part of this run")
    none = FOUR[FOUR["dataset"] != "SMT"]
    row = judge(BY_ID["scbow_near_skip_thought_on_smt"], tables(tmp_path, scores=none), "novels", False)
    assert (row["verdict"], row["reason"]) == ("not tested", "this run has no scores on 2013 SMT")
    row = judge(BY_ID["qt_more_text_helps"], tables(tmp_path), "novels", False)
    assert row["verdict"] == "not tested" and "UMBC" in row["reason"]


def record(path, *spans, device="cuda"):
    """Write a provenance.json of models trained from and to these seconds."""
    seeds = [
        {"1": {"time": f"2026-01-01T00:{end // 60:02}:{end % 60:02}+00:00", "seconds": end - start, "device": device}}
        for start, end in spans
    ]
    entries = {f"m{i}": {"corpus": {"sentences": 10}, "seeds": seed} for i, seed in enumerate(seeds)}
    path.write_text(json.dumps({"preset": "p", "evaluation": {"sample": False}, "models": entries}))
    return path


def test_times_of_models_on_one_gpu(tmp_path):
    frame = models(quick_thoughts_combine=10, skip_thought_combine=10)
    frame = frame.assign(seconds_per_million_sentences=[1, 20], device="cuda")
    frame.to_csv(tmp_path / "models.csv", index=False)
    claim, files = BY_ID["qt_order_of_magnitude_faster"], {"models.csv": tmp_path / "models.csv"}
    for spans, verdict in (([(0, 60), (60, 120)], "holds"), ([(0, 60), (30, 90)], "not tested")):
        run = RunTables(files, FOLDER, record(tmp_path / "provenance.json", *spans))
        row = judge(claim, run, "p", False)
        assert row["verdict"] == verdict, row
        assert ("shared one GPU; the computation gave: holds" in row["reason"]) == (verdict == "not tested")


@pytest.mark.parametrize(
    ("shares", "verdict"), [((0.99, 0.91), "holds"), ((0.99, 0.4), "not tested"), (None, "not tested")]
)
def test_times_of_models_beside_other_programs(tmp_path, shares, verdict):
    frame = models(quick_thoughts_combine=10, skip_thought_combine=10)
    frame = frame.assign(seconds_per_million_sentences=[1, 20], device="cpu")
    if shares:
        frame = frame.assign(processor_share=shares)
    frame.to_csv(tmp_path / "models.csv", index=False)
    run = RunTables({"models.csv": tmp_path / "models.csv"}, FOLDER)
    row = judge(BY_ID["qt_order_of_magnitude_faster"], run, "p", False)
    assert row["verdict"] == verdict
    assert ("less than 90% of their cores, or do not say" in row["reason"]) == (verdict == "not tested")


def test_training_pairs_are_the_size_of_weighted_aggregation(tmp_path):
    weights = pd.DataFrame([("ours", loss, i, 1 / i) for loss in ("contrastive", "median") for i in range(1, 21)])
    weights.columns = ["source", "loss", "index", "weight"]
    pairs = pd.DataFrame(
        [
            ("wikipedia_20", "train", "True", 900),
            ("wikipedia_20", "train", "False", 901),
            ("twitter", "train", "True", 2),
        ],
        columns=["source", "split", "related", "pairs"],
    )
    (tmp_path / "f.csv").write_text(weights.to_csv(index=False))
    (tmp_path / "p.csv").write_text(pairs.to_csv(index=False))
    run = RunTables(
        {"weighted_aggregation/figure3.csv": tmp_path / "f.csv", "weighted_aggregation/pairs.csv": tmp_path / "p.csv"},
        FOLDER,
    )
    row = judge(BY_ID["weights_fall_with_idf_rank"], run, "novels", False)
    assert (row["verdict"], row["reason"]) == ("holds", "900 related training pairs; the paper has 1,500,000")


def test_table_shows_all_rows(tmp_path):
    frame = judge_all(CLAIMS, tables(tmp_path, scores=FOUR), "sample", True)
    assert list(frame.columns) == COLUMNS and len(frame) == len(CLAIMS)
    table = build(frame, CLAIMS, "sample", True)
    text, html = markdown(table), page(table)
    assert text.startswith("**SAMPLE: Claims of the papers, preset sample: 0 hold, 0 do not")
    assert html.count('<th scope="row">') == len(CLAIMS) and '<table class="sentences"' in html
    assert all(len(line.split(" | ")) == 7 for line in text.splitlines() if line.startswith("| "))


def test_published_runs_are_up_to_date():
    """The committed verdicts are those of the committed tables."""
    for folder in sorted((ROOT / "results" / "published").glob("*/claims.csv")):
        committed = pd.read_csv(folder, dtype=str, keep_default_na=False)
        meta = json.loads((folder.parent / "provenance.json").read_text())
        run = folder_tables(folder.parent, FOLDER)
        again = judge_all(read_claims(FOLDER / "claims.yaml"), run, meta["preset"], meta["evaluation"]["sample"])
        assert committed.equals(again.astype(str)), folder


def test_command_line(tmp_path, caplog, capsys):
    (tmp_path / "scores.csv").write_text(FOUR.to_csv(index=False))
    with pytest.raises(SentrepError, match=r"provenance\.json"):
        judge_folder(tmp_path)
    assert main(["claims", str(tmp_path)]) == 1
    record(tmp_path / "provenance.json", (0, 60))
    with caplog.at_level("INFO"):
        assert main(["claims", str(tmp_path)]) == 0
    frame = pd.read_csv(tmp_path / "claims.csv", keep_default_na=False)
    assert list(frame.columns) == COLUMNS and set(frame["preset"]) == {"p"}
    assert frame.loc[frame["id"] == BEST.id, "verdict"].item() == "holds"
    assert counts(frame) in caplog.text and re.search(r"\d+ hold, \d+ do not, \d+ are not tested", caplog.text)
    assert (tmp_path / "claims.md").exists() and (tmp_path / "claims.html").exists()
