"""Test the plan of sweeps: every sweep must be shown, and a figure must show all that its sweep varies."""

import pytest

from helpers_planning import error_of
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.config.targets import OF_SWEEP, SHOWN_SWEEPS
from sentrep.errors import SentrepError

MINE = {"paper": "siamese_cbow", "models": ["siamese_cbow"], "baselines": ["random"], "seeds": [1]}


def plan_of(**sweeps):
    return make_plan(resolve({"sweeps": sweeps}))


@pytest.mark.parametrize(
    ("sweeps", "message"),
    [
        (
            {"mine": {**MINE, "grid": {"negatives": [1]}}},
            "config.sweeps.mine: expected a `title`, or the name of a sweep",
        ),
        ({"corpus_size": {"title": ""}}, "config.sweeps.corpus_size: expected a `title`"),
        (
            {"mine": {**MINE, "paper": None, "title": "Mine"}},
            "config.sweeps.mine.paper: expected",
        ),
        ({"mine": {"title": "Mine", "models": ["siamese_cbow"], "baselines": ["random"]}}, "the key `paper`, found no"),
        (
            {"negatives": {"grid": {"negatives": [1], "epochs": [1, 5]}}},
            "config.sweeps.negatives.grid: expected only the parameter negatives, which the figure of this sweep "
            "shows, found negatives, epochs; set only negatives here, and vary other parameters in a sweep of your own",
        ),
        ({"negatives": {"grid": {"negatives": None, "epochs": [1]}}}, "only the parameter negatives, .* found epochs;"),
        ({"negatives": {"grid": {"negatives": None}}}, "only the parameter negatives, .* found no parameter;"),
        ({"progress": {"grid": {"negatives": [1, 2]}}}, "only the parameter epochs, .* found negatives;"),
        ({"dimensions": {"variants": {"v": {"epochs": 1}}}}, "config.sweeps.dimensions.variants: expected no variants"),
    ],
)
def test_mistakes(sweeps, message):
    with pytest.raises(SentrepError, match=message):
        plan_of(**sweeps)


def test_sweeps_that_need_no_title_are_those_of_the_presets():
    presets = set().union(*(resolve({"preset": name}).sweeps for name in ("sample", "novels")))
    assert set(SHOWN_SWEEPS) <= presets | {"negatives_released", "dimensions_released"}
    assert set(SHOWN_SWEEPS) - set(OF_SWEEP) == {"representation_size"}


def test_a_sweep_without_variants_left_is_left_out():
    variants = {"one": None, "other": None}
    sweep = {**MINE, "title": "Mine", "grid": {"negatives": [2, 5]}}
    assert "mine" not in plan_of(mine={**sweep, "variants": variants}).sweeps
    plan = plan_of(mine={**sweep, "variants": {**variants, "other": {}}})
    assert [point.variant for point in plan.sweeps["mine"]] == ["other", "other", ""]


def test_a_parameter_that_no_part_of_a_model_has_is_refused():
    model = {
        "family": "sentence_transformer",
        "label": "st",
        "corpus": "books",
        "seeds": [1],
        "inputs": {"model": {"files": ["st"]}},
    }
    sweep = {**MINE, "title": "Mine", "models": ["st"], "grid": {"nonsense": [1, 2]}}
    with pytest.raises(
        SentrepError, match=r"parameters: expected a known parameter of sentence_transformer, found 'nons"
    ):
        make_plan(resolve({"models": {"st": model}, "sweeps": {"mine": sweep}}))


def test_a_fraction_does_not_change_the_inputs_of_a_model():
    sweep = {**MINE, "title": "Mine", "models": ["quick_thoughts_bow"], "baselines": ["untrained_bow"]}
    plan = plan_of(mine={**sweep, "grid": {"fraction": [0.25]}})
    point = plan.sweeps["mine"][0]
    assert point.model.corpus == "books_words~fraction=0.25"
    assert point.model.inputs == plan.models["quick_thoughts_bow"].inputs


def test_a_concatenation_passes_a_sweep_on_to_its_parts():
    grid = {"sweeps": {"representation_size": {"grid": {"units": [8, 32]}}}}
    plan = make_plan(resolve(grid))
    small, base = plan.sweeps["representation_size"]
    assert base.model.id == "quick_thoughts_mc"  # both component models have 32 units in this preset
    assert small.model.id == "quick_thoughts_mc~units=8"
    assert small.model.inputs == {
        "frozen": "results/sample/models/quick_thoughts_mc_frozen~units=8/seed{seed}",
        "trained": "results/sample/models/quick_thoughts_bi~units=8/seed{seed}",
    }
    for part in ("quick_thoughts_mc_frozen", "quick_thoughts_bi"):
        assert plan.trained[f"{part}~units=8"].parameters["units"] == 8
        assert plan.trained[f"{part}~units=8"].inputs == plan.trained[part].inputs
    assert "units" in error_of({"sweeps": {"representation_size": {"grid": {"unitss": [8]}}}})


def test_each_seed_of_a_concatenation_in_a_sweep_has_its_own_parts():
    grid = {"sweeps": {"representation_size": {"grid": {"units": [8]}, "seeds": [1, 2]}}}
    plan = make_plan(resolve(grid))
    for part in ("quick_thoughts_mc", "quick_thoughts_mc_frozen", "quick_thoughts_bi"):
        assert plan.trained[f"{part}~units=8"].seeds == (1, 2)
    paths = plan.model_inputs("quick_thoughts_mc~units=8", 2)
    assert sorted(path for path in paths.values() if "~units" in str(path)) == [
        "results/sample/models/quick_thoughts_bi~units=8/seed2",
        "results/sample/models/quick_thoughts_mc_frozen~units=8/seed2",
    ]


def test_equal_models_are_not_counted_as_several_seeds():
    models = {"quick_thoughts_uni": {"seeds": [1]}, "quick_thoughts_bi": {"seeds": [1]}}
    error = error_of({"models": {**models, "quick_thoughts_combine": {"seeds": [1, 2]}}})
    assert "config.models.quick_thoughts_combine.seeds: expected one seed" in error
    one_varies = {**models, "quick_thoughts_bi": {"seeds": [1, 2]}}
    plan = make_plan(resolve({"models": {**one_varies, "quick_thoughts_combine": {"seeds": [1, 2]}}}))
    assert plan.trained["quick_thoughts_combine"].seeds == (1, 2)
    assert "found 1, 2" in error_of({"models": {"tfidf": {"seeds": [1, 2]}}})


def test_a_model_that_does_not_depend_on_the_seed_has_one_seed_in_a_sweep():
    plan = plan_of(mine={**MINE, "title": "Mine", "baselines": ["random", "tfidf"], "seeds": [1, 2]})
    seeds = {point.model.id: point.model.seeds for point in plan.sweeps["mine"]}
    assert seeds == {"siamese_cbow": (1, 2), "random": (1, 2), "tfidf": (1,)}
