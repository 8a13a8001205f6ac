"""Each claim's test on the paper's own numbers: what a paper states must follow from what it prints."""

import pandas as pd
import pytest

from helpers_claims import (
    BY_ID,
    CLAIMS,
    FOLDER,
    KEYS,
    PAPERS,
    pair_table,
    printed_models,
    printed_scores,
    released_weights,
)
from sentrep.claims.catalogue import TESTS

REPORTED = pd.read_csv(FOLDER / "weighted_aggregation.csv", dtype=str, keep_default_na=False)
OURS = {"scbow_above_untrained", "cbos_above_untrained_idf"}  # the papers have no untrained vectors
SETS = [c.id for c in CLAIMS if "scores" in c.files and c.kind == "claim" and c.id not in OURS]
TABLE = {"siamese_cbow": 1, "cbos": 1, "quick_thoughts": 8}
QT = PAPERS["quick_thoughts"]
RELATIONS = QT.rows(6)


@pytest.mark.parametrize("name", SETS)
def test_claims_on_sets(name):
    claim = BY_ID[name]
    number = 2 if "fastsent" in claim.rivals and claim.paper == "siamese_cbow" else TABLE[claim.paper]
    scores = printed_scores(claim.paper, number)
    if number == 2:
        own = printed_scores("siamese_cbow", 1)
        scores = pd.concat([scores, own[own["model"] == "siamese_cbow"]])
    outcome = TESTS[claim.test](**{**claim.arguments, "scores": scores})
    assert outcome.holds, outcome


def test_daggers_are_differences():
    paper, claim = PAPERS["siamese_cbow"], BY_ID["scbow_differs_from_cbow"]
    rows = [
        (key[0], key[1], "siamese_cbow", "word2vec_cbow", 0.0 if paper.text(1, row, "Siamese CBOW", "dagger") else 0.5)
        for row, key in KEYS.items()
    ]
    frame = pd.DataFrame(rows, columns=["year", "dataset", "model_a", "model_b", "p"])
    outcome = TESTS[claim.test](**{**claim.arguments, "wilcoxon": frame})
    assert outcome.holds and "2015 answ-forums, 2015 belief" in outcome.ours


@pytest.mark.parametrize("name", [c.id for c in CLAIMS if c.files.get("table", "").startswith("weighted")])
def test_claims_on_pairs(name):
    claim = BY_ID[name]
    table = pair_table(2 if "table2" in claim.files["table"] else 1)
    assert TESTS[claim.test](**{**claim.arguments, "table": table, "reported": REPORTED}).holds


@pytest.mark.parametrize("name", [c.id for c in CLAIMS if "weights" in c.files])
def test_claims_on_released_weights(name):
    claim = BY_ID[name]
    assert TESTS[claim.test](**{**claim.arguments, "weights": released_weights()}).holds


def printed_transfer():
    metrics = dict.fromkeys(("MR", "CR", "SUBJ", "MPQA", "SST", "TREC", "MSRP"), "accuracy") | {"SICK": "pearson"}
    systems = [(1, model, column) for model, column in printed_models("quick_thoughts", 1).items()]
    systems += [(3, "ensemble", "Ensemble"), (3, "kim_cnn", "CNN"), (2, "mc_umbc", "MC-QT")]
    rows = [
        ("kiros", task.lower(), model, 1, metric, QT.number(table, task, column, metric))
        for table, model, column in systems
        for task, metric in metrics.items()
    ]
    frame = pd.DataFrame(rows, columns=["protocol", "task", "model", "seed", "metric", "value"])
    return frame.dropna()


@pytest.mark.parametrize("name", [c.id for c in CLAIMS if "transfer" in c.files])
def test_claims_on_tasks(name):
    claim, arguments = BY_ID[name], dict(BY_ID[name].arguments)
    if name == "mc_qt_best_on_tasks":  # three systems have no value on SICK
        arguments["tasks"] = [task for task in arguments["tasks"] if task != "sick"]
    if name == "ensemble_beats_single_model":  # printed beside the model of both corpora
        arguments["rivals"] = ["mc_umbc"]
    assert TESTS[claim.test](**{**arguments, "transfer": printed_transfer()}).holds


def test_claims_on_retrieval_and_analogies():
    models = printed_models("quick_thoughts", 4)
    ranks = {"annotation median rank": "Image Annotation", "search median rank": "Image Search"}
    values = {c: [QT.number(4, row, column, "median rank") for column in models.values()] for c, row in ranks.items()}
    claim = BY_ID["qt_better_at_retrieval"]
    frame = pd.DataFrame({"model": list(models), "seeds": 1, **values})
    assert TESTS[claim.test](**{**claim.arguments, "retrieval": frame}).holds
    models = printed_models("quick_thoughts", 6)
    values = {row: [QT.number(6, row, column, "retrieval") for column in models.values()] for row in RELATIONS}
    frame = pd.DataFrame({"model": list(models), "pool": "with query sentences", **values})
    for name in ("qt_better_at_analogies", "qt_good_at_family_and_verbs"):
        claim = BY_ID[name]
        assert TESTS[claim.test](**{**claim.arguments, "analogies": frame}).holds, name


def test_claims_on_times():
    paper = PAPERS["siamese_cbow"]
    rows = {"siamese_cbow": "Siamese CBOW (300d)", "word2vec_cbow": "word2vec (300d)"}
    rows["skip_thought_combine"] = "skip-thought (1200d)"
    column = "one by one seconds per pair"
    seconds = [paper.number(3, row, "1 pair", "seconds") for row in rows.values()]
    frame = pd.DataFrame({"model": list(rows), column: seconds})
    for name in ("scbow_faster_than_skip_thought", "scbow_as_fast_as_word2vec"):
        assert TESTS[BY_ID[name].test](**{**BY_ID[name].arguments, "times": frame}).holds
    models = {m: QT.number(1, "Training time", c, "hours") for m, c in printed_models("quick_thoughts", 1).items()}
    frame = pd.DataFrame({"model": list(models), "seconds_per_million_sentences": list(models.values())})
    claim = BY_ID["qt_order_of_magnitude_faster"]
    assert TESTS[claim.test](**{**claim.arguments, "times": frame}).holds
