"""Test which systems a table compares (models and published columns), and in which order."""

import dataclasses

import pytest

from sentrep.config.models import Model
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.config.systems import check_reported, headline, of_paper, unfilled
from sentrep.errors import SentrepError

# The original models; other models in the presets do not matter for these tests.
FIRST = ["siamese_cbow", "word2vec_skipgram", "word2vec_cbow", "random", "random_idf", "tfidf"]
CONFIG = resolve({"papers": ["siamese_cbow", "quick_thoughts", "cbos"]})
CONFIG = CONFIG.model_copy(update={"models": {name: CONFIG.models[name] for name in FIRST}, "sweeps": {}})
PLAN = make_plan(CONFIG)
PAPERS = PLAN.published


def config_with(changes):
    """Return the default configuration with additional copies of Siamese CBOW in which these keys are changed."""
    siamese = CONFIG.models["siamese_cbow"].model_dump(exclude={"reported"}, exclude_unset=True)
    models = {name: Model.model_validate({**siamese, **change}) for name, change in changes.items()}
    return CONFIG.model_copy(update={"models": {**CONFIG.models, **models}})


def with_models(changes):
    """Return the models of the default configuration and additional models, by name."""
    return list(make_plan(config_with(changes)).models.values())


def shown(models, paper, table):
    return [system.id or f"({system.label})" for system in of_paper(models, PAPERS, paper, table)]


def test_a_paper_s_columns_stand_in_its_order_and_baselines_last():
    word2vec = ["word2vec_skipgram", "word2vec_cbow"]
    baselines = ["random", "random_idf", "tfidf"]
    models = with_models({"skip": {"reported": [{"paper": "cbos", "table": 1, "column": "skip-thought"}]}})
    assert shown(models, "cbos", 1) == [*word2vec, "skip", "siamese_cbow", "(CBOS)", *baselines]
    models = [m for m in models if not m.reported or m.id == "siamese_cbow"]
    assert shown(models, "cbos", 1) == ["(skipgram)", "(CBOW)", "(skip-thought)", "siamese_cbow", "(CBOS)", *baselines]


def test_two_models_may_stand_for_one_column():
    entry = {"paper": "siamese_cbow", "table": 1, "column": "skip-thought"}
    models = with_models({"uni": {"reported": [entry]}, "combined": {"reported": [entry]}})
    assert shown(models, "siamese_cbow", 1)[2:5] == ["uni", "combined", "siamese_cbow"]


def test_the_headline_shows_the_first_entry_that_prints_these_sets():
    accuracy = {"paper": "quick_thoughts", "table": 1, "column": "FastSent"}
    similarity = {"paper": "quick_thoughts", "table": 8, "column": "FastSent"}
    models = with_models({"fastsent": {"reported": [accuracy, similarity]}, "sdae": {"reported": [accuracy]}})
    entries = {system.id: system.reported for system in headline(models, PAPERS)}
    assert entries["fastsent"] == similarity
    assert entries["sdae"] is None
    assert entries["siamese_cbow"]["paper"] == "siamese_cbow"


def test_unfilled_systems():
    models = with_models({"skip": {"reported": [{"paper": "quick_thoughts", "table": 1, "column": "combine-skip"}]}})
    labels = [system.label for system in unfilled(models, PAPERS, {"cbos": [1], "quick_thoughts": [1, 4]})]
    assert labels[:3] == ["skip-thought", "CBOS", "GloVe BoW"]
    assert "combine-skip" not in labels
    assert "Combine-skip" not in labels
    assert labels.count("MC-QT") == 1


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"paper": "cbos", "table": 1, "column": "CBS"}, "column of table 1 of cbos, found 'CBS'; did you mean"),
        ({"paper": "cbos", "table": 2, "column": "CBOS"}, "column of table 2 of cbos, found 'CBOS'; remove 'CBOS'"),
    ],
)
def test_misspelt_columns_are_refused(entry, message):
    check_reported(PLAN.models.values(), PAPERS)
    with pytest.raises(SentrepError, match=r"config\.models\.another\.reported: expected a known .*" + message):
        make_plan(config_with({"another": {"reported": [entry]}}))


def test_misspelt_papers_are_refused():
    entry = {"paper": "cbows", "table": 1, "column": "CBOS"}
    with pytest.raises(SentrepError, match="found 'cbows'; did you mean 'cbos'"):
        resolve({"models": {"siamese_cbow": {"reported": [entry]}}})


def test_systems_of_transfer_tables():
    column = {"paper": "quick_thoughts", "table": 1, "column": "uni-QT"}
    nowhere = {name: {"reported": []} for name in resolve({}).models}
    plan = make_plan(resolve({"models": {**nowhere, "siamese_cbow": {"reported": [column]}}}))
    settings = plan.config.transfer.model_copy(update={"models": None, "seeds": 2})
    transfer = dataclasses.replace(plan.transfer, settings=settings)
    assert [m.id for m in transfer.models] == [m.id for m in plan.columns]
    assert max(len(m.seeds) for m in transfer.models) == 2
    found = transfer.systems(1)
    published = [s for s in found if s.reported]
    assert [s.reported["column"] for s in published if s.id != "kim_cnn"] == PAPERS["quick_thoughts"].columns(1)
    assert [s.id for s in published if s.id] == ["siamese_cbow"]
    baselines = sum(m.baseline for m in transfer.models)
    assert baselines == 5  # three averaging baselines and two networks
    others = len(transfer.models) - 1 - baselines
    assert [s.baseline for s in found[len(published) :]] == [False] * others + [True] * baselines
    third = transfer.systems(3)
    assert [s.id for s in third if s.reported][:1] == ["ensemble"]
    assert {s.id for s in third if s.reported} == {"ensemble", "kim_cnn", None}
    named = dataclasses.replace(
        plan.transfer, settings=settings.model_copy(update={"models": ["tfidf"], "seeds": None})
    )
    assert [m.id for m in named.models] == ["tfidf"]


def test_first_seeds():
    plan = make_plan(resolve({"preset": "novels"}))
    settings = plan.config.retrieval.model_copy(update={"models": ["siamese_cbow"], "seeds": 3})
    assert dataclasses.replace(plan.retrieval, settings=settings).models[0].seeds == (1, 2, 3)
    settings = settings.model_copy(update={"seeds": 1})
    assert dataclasses.replace(plan.retrieval, settings=settings).models[0].seeds == (1,)
