"""Test each claim on the values of its paper: what a paper claims must follow from the values that it publishes."""

import math
from dataclasses import replace

import pytest

from helpers_claims import BY_ID, CLAIMS, NAMES, PAPERS, outcome_of, published_models, values_of
from sentrep.claims.data import measured
from sentrep.claims.outcome import Untestable
from sentrep.tables.values import Value

NO_NUMBERS = {  # These claims are stated in the text without numbers.
    "weights_fall_with_idf_rank_at_10_and_30_words",
    "contiguous_batches_suffice",
    "objective_beats_max_margin",
}
TABLE = {"siamese_cbow": 1, "cbos": 1, "quick_thoughts": 8}
QT, PAIRS = PAPERS["quick_thoughts"], PAPERS["weighted_aggregation"]


def claims_on(*views):
    found = [claim.id for claim in CLAIMS.claims if claim.test.get("view") in views and claim.kind == "claim"]
    assert found
    return [name for name in found if name not in NO_NUMBERS]


def table_of(paper, table, rows, metric, models=None):
    """Return {row: {model: published number}} for a table of a paper."""
    models = models or published_models(paper, table)
    numbers = {row: {m: PAPERS[paper].number(table, row, c, metric) for m, c in models.items()} for row in rows}
    return {row: {m: x for m, x in found.items() if not math.isnan(x)} for row, found in numbers.items()}


@pytest.mark.parametrize("name", claims_on("sets"))
def test_claims_on_sets(name):
    claim = BY_ID[name]
    number = (
        2 if "fastsent" in claim.arguments.get("rivals", []) and claim.paper == "siamese_cbow" else TABLE[claim.paper]
    )
    table = table_of(claim.paper, number, NAMES, "pearson")
    if number == 2:
        own = {"siamese_cbow": "Siamese CBOW", "fastsent": "FastSent"}
        table = table_of(claim.paper, number, NAMES, "pearson", own)
    outcome = outcome_of(name, values_of("sets", table) + values_of("sets", table, "official"))
    assert outcome.holds, outcome


@pytest.mark.parametrize(
    ("name", "rivals", "holds", "fails"),
    [
        ("contiguous_batches_suffice", ["quick_thoughts_bow_400_random"], 0.409, 0.411),
        (
            "objective_beats_max_margin",
            ["quick_thoughts_bow_400_margin", "quick_thoughts_bow_400_binary"],
            0.399,
            0.401,
        ),
    ],
)
def test_claims_about_variants_of_quick_thoughts(name, rivals, holds, fails):
    for rival in rivals:
        for of_rival, expected in ((holds, True), (fails, False)):
            scores = {"quick_thoughts_bow_400": 0.4, **dict.fromkeys(rivals, 0.3), rival: of_rival}
            table = dict.fromkeys(NAMES, scores)
            outcome = outcome_of(name, values_of("sets", table) + values_of("sets", table, "official"))
            assert outcome.holds == expected, outcome


def test_daggers_are_differences():
    paper, about = PAPERS["siamese_cbow"], {"paper": "siamese_cbow", "item": "table1", "column": ""}
    cells = [
        Value(**about, row=row, metric="wilcoxon p", system="siamese_cbow", mean=0.0 if dagger else 0.5)
        for row in NAMES
        for dagger in [paper.text(1, row, "Siamese CBOW", "dagger")]
    ]
    about_untrained = {"metric": "wilcoxon p of the untrained", "system": "random"}
    untrained = [Value(**about, row=row, **about_untrained, mean=0.5) for row in NAMES]
    cells.append(Value(**about, row="mean", metric="pearson", system="word2vec_cbow", label="w2v CBOW", mean=0.4))
    cells.append(Value(**about, row="", metric="baseline", text="w2v CBOW"))
    outcome = outcome_of("scbow_differs_from_cbow", cells + untrained)
    assert outcome.holds
    # differences that untrained vectors show too cannot be attributed to training
    different = [replace(value, mean=0.0) for value in untrained]
    assert not outcome_of("scbow_differs_from_cbow", cells + different).holds
    assert "2015 answ-forums, 2015 belief" in outcome.ours


@pytest.mark.parametrize("name", claims_on("errors", "errors_on_tweets", "errors_by_column"))
def test_claims_on_pairs(name):
    number = 2 if BY_ID[name].test["view"] == "errors_on_tweets" else 1
    cells = []
    for column in PAIRS.columns(number):
        for method in PAIRS.rows(number):
            error = PAIRS.number(number, method, column, "split error")
            value = {"paper": "weighted_aggregation", "item": f"table{number}", "row": method, "column": column}
            cells.append(Value(**value, metric="split error", mean=error, published_value=error))
            cells.append(Value(**value, metric="pairs", mean=3_000_000 if number == 1 else 27_290))
    assert outcome_of(name, cells).holds


@pytest.mark.parametrize("name", claims_on("weights"))
def test_claims_on_released_weights(name):
    cells = []
    for loss in ("contrastive", "median"):
        about = {"paper": "weighted_aggregation", "item": "figure3", "row": "ours, seed 1", "column": loss}
        for row in PAIRS.rows("released weights"):
            weight = PAIRS.number("released weights", row, loss, "weight")
            cells.append(Value(**about, metric="weight", x=float(row), mean=weight))
        about["row"] = ""
        cells.append(Value(**about, metric="shape change", mean=0.01))
    assert outcome_of(name, cells).holds


def published_tasks():
    cells = []
    for table, models in (
        (1, published_models("quick_thoughts", 1)),
        (3, {"ensemble": "Ensemble", "kim_cnn": "CNN"}),
        (2, {"mc_umbc": "MC-QT"}),
    ):
        accuracies = table_of(
            "quick_thoughts", table, ("MR", "CR", "SUBJ", "MPQA", "SST", "TREC", "MSRP"), "accuracy", models
        )
        relatedness = table_of("quick_thoughts", table, ["SICK"], "pearson", models)
        cells += values_of("tasks", accuracies | relatedness)
    for column in ("AdaSent", "CNN", "TF-KLD", "DT-LSTM"):
        for task, metric in [*((task, "accuracy") for task in accuracies), ("SICK", "pearson")]:
            number = PAPERS["quick_thoughts"].number(3, task, column, metric)
            cells.append(Value("quick_thoughts", "table3", task, column, metric, published_value=number))
    sizes = {row: QT.number(9, row, "MC-QT", "accuracy") for row in QT.rows(9)}
    cells += [Value("quick_thoughts", "table9", row, "", "accuracy", system="mc", mean=x) for row, x in sizes.items()]
    rivals = {"skip_thought_combine": "combine-skip", "conv_combine": "combine-cnn"}
    dimensions = table_of("quick_thoughts", 1, ["Dim"], "dimension", rivals)["Dim"]
    return cells + [Value("sentrep", "models", x, "", "dimension", system=x, mean=n) for x, n in dimensions.items()]


def test_a_smaller_model_is_compared_with_a_larger_one():
    cells = published_tasks()
    outcome = outcome_of("small_qt_beats_combine_skip", cells)
    assert outcome.ours.endswith("(1,600 dimensions) 84.6, skip_thought_combine (4,800 dimensions) 83.7")
    assert measured(outcome.margin) == pytest.approx(84.57 - 83.75, abs=1e-9)
    assert "(4,800 dimensions) 86.4" in outcome_of("small_qt_beats_combine_skip", cells, share=1).ours
    with pytest.raises(Untestable, match="no mean accuracy of quick_thoughts_mc with at most 1,440 dimensions"):
        outcome_of("small_qt_beats_combine_skip", cells, share=0.3)


@pytest.mark.parametrize("name", claims_on("tasks", "tasks_of_ensembles", "tasks_and_sizes"))
def test_claims_on_tasks(name):
    changes = {}
    if name == "mc_qt_best_on_tasks":  # three systems have no value on SICK
        changes["cases"] = [task for task in BY_ID[name].arguments["cases"] if task != "SICK"]
    if name == "ensemble_beats_single_model":  # the ensemble is published next to the model trained on both corpora
        changes["rivals"] = ["mc_umbc"]
    assert outcome_of(name, published_tasks(), **changes).holds


def test_claims_on_retrieval_and_analogies():
    rows = BY_ID["qt_better_at_retrieval"].arguments["cases"]
    ranks = table_of("quick_thoughts", 4, rows, "median rank")
    assert outcome_of("qt_better_at_retrieval", values_of("median_ranks", ranks)).holds
    relations = table_of("quick_thoughts", 6, QT.rows(6), "retrieval")
    for name in claims_on("relations"):
        assert outcome_of(name, values_of("relations", relations)).holds, name


def test_claims_on_times():
    columns = {"siamese_cbow": "Siamese CBOW (300d)", "word2vec_cbow": "word2vec (300d)"}
    columns["skip_thought_combine"] = "skip-thought (1200d)"
    paper = PAPERS["siamese_cbow"]
    seconds = {model: paper.number(3, row, "1 pair", "seconds") for model, row in columns.items()}
    seconds["random"] = seconds["word2vec_cbow"]  # the paper has no untrained vectors
    for name in claims_on("comparison_times"):
        assert outcome_of(name, values_of("comparison_times", {"1 pair": seconds})).holds
    hours = table_of("quick_thoughts", 1, ["Training time"], "hours")["Training time"]
    cells = values_of("training_speed", {"seconds per million sentences": hours})
    assert outcome_of("qt_order_of_magnitude_faster", cells).holds


def test_claims_on_sizes():
    cells = [
        Value("quick_thoughts", "table9", row, "MC-QT", ours, mean=QT.number(9, row, "MC-QT", published))
        for row in QT.rows(9)
        for ours, published in (("accuracy", "accuracy"), ("measured hours", "hours"))
    ]
    assert outcome_of("qt_size_helps", cells).holds
