"""Test the plan of the columns in the tables of weighted aggregation, and of their variants."""

import pytest

from helpers_planning import error_of
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve


def test_a_variant_of_a_column_changes_vectors_weights_and_options():
    variant = {"embeddings": {"epochs": 3}, "learnt": {"train_distance": "squared"}, "options": {"top": "third"}}
    models = {"word2vec_wikipedia": {"seeds": [1, 2]}, "weights_contrastive_20": {"seeds": [1, 2]}}
    aggregation = {"variants": {"as released": None, "v": variant}, "variant_columns": ["wikipedia_20"]}
    plan = make_plan(resolve({"models": models, "aggregation": aggregation}))
    configured, varied = plan.aggregation.variant_columns
    assert (configured.variant, varied.variant) == ("", "v")
    assert varied.embeddings.id == "word2vec_wikipedia~epochs=3"
    ids = [model.id for model in varied.learnt.values()]
    assert ids[0] == "weights_contrastive_20~train_distance=squared~embeddings.epochs=3"
    assert plan.model_inputs(ids[1], 2)["embeddings"] == "results/sample/models/word2vec_wikipedia~epochs=3/seed2"
    assert (varied.options.top, configured.options.top) == ("third", "30%")
    assert plan.trained["word2vec_wikipedia~epochs=3"].seeds == (1, 2)
    files = plan.aggregation.column_files([varied], "metrics")
    assert files == [f"results/sample/aggregation/{varied.name}/seed{seed}/metrics.csv" for seed in (1, 2)]
    assert varied not in plan.aggregation.table_columns(1)


def test_models_of_a_column_that_have_different_seeds_are_refused():
    message = error_of({"models": {"weights_median": {"seeds": [1, 2, 3]}, "weights_contrastive_20": {"seeds": [1]}}})
    assert "config.aggregation.columns.wikipedia_" in message
    assert "learnt: expected models with the same seeds, found weights_" in message
    assert "weights_median (seeds: 1, 2, 3)" in message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"variants": {"v": {"options": {"topp": 1}}}},
            "aggregation.variants.v.options: expected a known key, found 'topp'",
        ),
        ({"variants": {"v": {"learnt": {"losss": 1}}}}, "config.aggregation.variants.v.parameters"),
        ({"variant_columns": ["wiki"]}, "expected `variant_columns` to name only entries of `columns` (wiki"),
        ({"figure2": "wiki"}, "expected `figure2` to name only entries of `columns` (wiki"),
    ],
)
def test_a_variant_that_is_none_is_refused(changes, message):
    assert message in error_of({"aggregation": changes})
