"""Test `only`, which limits a run to a few models and the baselines."""

import pytest

from helpers_project import copy_project, snakemake
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.errors import SentrepError
from sentrep.sources.registry import read_sources

MINE = {"mine": {"family": "siamese_cbow", "label": "mine", "corpus": "books", "seeds": [3]}}


@pytest.mark.parametrize("preset", ["sample", "novels"])
def test_my_model_and_the_baselines_alone(preset):
    plan = make_plan(resolve({"preset": preset, "models": MINE, "only": ["mine"]}))
    everything = make_plan(resolve({"preset": preset, "models": MINE}))
    baselines = {model.id for model in everything.columns if model.baseline}
    assert {"random", "random_idf", "tfidf"} <= baselines
    assert set(plan.trained) == set(plan.models) == {"mine", *baselines}
    assert [model.id for model in plan.transfer.models] == [model.id for model in plan.columns]
    assert {"results/table1.csv", "results/transfer.csv", "results/quick_thoughts/table1.csv"} <= set(plan.targets)
    assert not any("figure" in target or "ablation" in target for target in plan.targets)
    assert not any("wikipedia" in name for name in plan.used_corpora)
    assert not any("wikipedia" in name or "tweet" in name for name in plan.used_sources) or preset == "sample"
    assert set(plan.used_sources) <= set(read_sources())


def test_table_1_alone():
    plan = make_plan(resolve({"models": MINE, "only": ["mine"], "papers": ["siamese_cbow"]}))
    assert "results/table1.csv" in plan.targets
    assert not any("transfer" in target or "quick_thoughts" in target for target in plan.targets)
    assert not any("transfer" in source for source in plan.used_sources)


def test_a_model_of_a_paper_brings_what_it_is_built_on():
    plan = make_plan(resolve({"only": ["quick_thoughts_mc"], "papers": ["cbos"]}))
    assert {"quick_thoughts_mc", "quick_thoughts_bi", "quick_thoughts_mc_frozen", "word2vec_words"} <= set(plan.models)
    assert "cbos" not in plan.models


@pytest.mark.parametrize(
    ("only", "message"),
    [
        (["siamse_cbow"], "config.only: expected a known model, found 'siamse_cbow'; did you mean 'siamese_cbow'?"),
        (
            ["word2vec_cbow"],
            "config.only: expected a known model, found 'word2vec_cbow'; did you mean 'word2vec_cbow'?",
        ),
        ([], "config.only: expected at least 1 entry, found []; correct the value"),
        ("mine", "config.only: expected a list, found 'mine'; write [mine]"),
        (["weights_median"], "config.only: expected models that do not need mined text pairs, found 'weights_median'"),
    ],
)
def test_mistakes(only, message):
    models = {**MINE, "word2vec_cbow": None} if only == ["word2vec_cbow"] else MINE
    with pytest.raises(SentrepError) as caught:
        make_plan(resolve({"models": models, "only": only}))
    assert str(caught.value).startswith(message.partition("; did")[0] if "word2vec" in message else message)


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"papers": []}, "config.papers: expected at least 1 entry, found []; correct the value"),
        ({"papers": "cbos"}, "config.papers: expected a list, found 'cbos'; write [cbos]"),
        ({"models": {"random": {"seeds": 3}}}, "config.models.random.seeds: expected a list, found 3; write [3]"),
        ({"models": []}, "config.models: expected a dictionary, found []; correct the value"),
        ({"mirror": 3}, "config.mirror: expected text, found 3; correct the value"),
    ],
)
def test_wrong_types_say_what_is_expected(overrides, message):
    with pytest.raises(SentrepError) as caught:
        resolve(overrides)
    assert str(caught.value) == message


@pytest.mark.slow
def test_a_whole_run(tmp_path):
    project = copy_project(tmp_path / "project")
    snakemake(project, "--config", "only=[random, tfidf]", "models={random: {seeds: [1]}, random_idf: null}")
    heading, *lines = (project / "results" / "table1.csv").read_text().splitlines()
    assert "random pearson" in heading
    assert "siamese_cbow pearson" not in heading
    assert len(lines) > 20
    assert (project / "results" / "quick_thoughts" / "table1.md").exists()
    assert (project / "results" / "provenance.json").exists()


def test_a_model_that_cannot_be_trained_is_refused():
    """`quick_thoughts_combine` is built on a model that is set to null."""
    with pytest.raises(SentrepError, match=r"^config.only: .* found 'quick_thoughts_combine', which is built"):
        make_plan(resolve({"only": ["quick_thoughts_combine"], "models": {"quick_thoughts_uni": None}}))
    with pytest.raises(SentrepError, match=r"^config.only: .* found 'quick_thought'; did you mean"):
        make_plan(resolve({"only": ["quick_thought"]}))
