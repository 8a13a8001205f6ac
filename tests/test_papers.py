"""Test that choosing papers leaves out everything that only other papers need."""

import re

import pytest

from sentrep.config.models import Model
from sentrep.config.papers import SECTIONS, kept_sections
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.errors import SentrepError

ALL = resolve({})
PAPERS = ALL.papers


def reported_in(model: Model) -> set[str]:
    return {entry.paper for entry in model.reported}


def test_all_papers_by_default():
    assert set(PAPERS) == {"siamese_cbow", "weighted_aggregation", "quick_thoughts", "cbos"}
    assert set(SECTIONS) <= set(kept_sections(ALL))


@pytest.mark.parametrize("preset", ["sample", "novels", "novels_gpu", "paper"])
@pytest.mark.parametrize("paper", PAPERS)
def test_a_paper_keeps_all_it_prints_and_can_be_planned(preset, paper):
    everything = resolve({"preset": preset, "papers": PAPERS})
    config = resolve({"preset": preset, "papers": [paper]})
    printed = {name for name, model in everything.models.items() if paper in reported_in(model)}
    baselines = {name for name, model in everything.models.items() if model.baseline and model.paper in (None, paper)}
    assert printed | baselines <= set(config.models)
    assert {sweep.paper for sweep in config.sweeps.values()} <= {paper}
    assert set(SECTIONS) & set(kept_sections(config)) == {s for s, owner in SECTIONS.items() if owner == paper}
    assert set(config.tables.sts) <= {paper}
    make_plan(config)  # raises an error if a model, sweep or list refers to something that was left out


def test_the_papers_together_are_everything():
    kept = {name for paper in PAPERS for name in resolve({"papers": [paper]}).models}
    assert kept == set(ALL.models)


def test_what_only_others_use_goes():
    models = resolve({"papers": ["cbos"]}).models
    assert "cbos" in models
    assert not {"fastsent", "sdae", "quick_thoughts_uni", "word2vec_wikipedia", "weights_median"} & set(models)
    # the published skip-thought column is a concatenation of two models
    assert {"skip_thought_uni", "skip_thought_bi"} <= set(models)


@pytest.mark.parametrize(
    ("overrides", "needed"),
    [
        ({}, True),
        ({"sweeps": {"domain": None}}, False),  # the example in docs/running.md
        ({"sweeps": {"domain": None}, "evaluation": {"timed_models": ["siamese_cbow_wikipedia"]}}, True),
        ({"sweeps": {"domain": None}, "models": {"siamese_cbow_wikipedia": {"column": True}}}, True),
    ],
)
def test_without_a_sweep_its_models_and_their_text_are_not_needed(overrides, needed):
    plan = make_plan(resolve({"preset": "novels", "papers": ["siamese_cbow", "cbos"], **overrides}))
    assert ("wikipedia_files" in plan.used_sources) == needed
    assert ("siamese_cbow_wikipedia" in plan.models) == needed
    assert "books" in plan.used_sources


def test_the_preset_for_a_gpu_needs_no_text_for_models_that_it_leaves_out():
    plan = make_plan(resolve({"preset": "novels_gpu"}))
    assert not {"siamese_cbow_both", "random_both"} & set(plan.models)
    assert "books_and_wikipedia" not in plan.used_corpora


def test_a_model_of_ones_own_stays():
    own = {"family": "random_vectors", "label": "mine", "corpus": "books", "seeds": [1]}
    assert "mine" in resolve({"papers": ["cbos"], "models": {"mine": own}}).models


def test_vectors_that_only_a_section_names_stay():
    assert "word2vec_skipgram" in resolve({"papers": ["weighted_aggregation"]}).models


def test_a_model_left_out_by_hand_takes_its_lines_along():
    config = resolve({"models": {"siamese_cbow": None, "cbos": None}})
    assert "siamese_cbow" not in config.evaluation.timed_models
    assert "progress" not in config.sweeps
    assert "cbos_context" not in config.sweeps
    assert config.sweeps["corpus_size"].models == [
        "siamese_cbow_released",
        "word2vec_cbow",
    ]
    assert "siamese_cbow" in ALL.evaluation.timed_models  # other configurations are not changed


@pytest.mark.parametrize(
    ("papers", "message"),
    [
        (["cboss"], "quick_thoughts, cbos, found 'cboss'; did you mean 'cbos'?"),
        ([], "config.papers: expected at least 1 entry, found []"),
        ("cbos", "config.papers: expected a list, found 'cbos'"),
    ],
)
def test_mistakes(papers, message):
    with pytest.raises(SentrepError, match=re.escape(message)):
        resolve({"papers": papers})
