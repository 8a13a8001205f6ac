"""Test the configuration and the plan of a run."""

import subprocess
import sys

import pytest

from helpers_planning import error_of
from sentrep.config.plan import make_plan
from sentrep.config.resolve import PRESETS, merge, resolve
from sentrep.errors import SentrepError
from sentrep.families import FAMILIES, check_inputs, family
from sentrep.io.project import WORKFLOW
from sentrep.sources.registry import read_sources

ALL_PRESETS = [path.stem for path in PRESETS.glob("*.yaml") if path.stem != "base"]


@pytest.mark.parametrize("preset", ALL_PRESETS)
def test_every_preset_is_valid(preset):
    config = resolve({"preset": preset})
    plan = make_plan(config)
    assert {"siamese_cbow", "word2vec_cbow", "random", "random_idf", "tfidf"} <= set(plan.models)
    sources = read_sources()
    assert set(plan.used_sources) <= set(sources)
    assert all(name in sources for name in config.evaluation.sources.values())


@pytest.mark.parametrize(
    ("overrides", "message"),
    [
        ({"preset": "nvels"}, "did you mean 'novels'"),
        ({"modles": {}}, "did you mean 'models'"),
        ({"models": {"siamese_cbow": {"paramters": {}}}}, "models.siamese_cbow: expected a known key.*'parameters'"),
        ({"models": {"siamese_cbow": {"parameters": {"negatves": 3}}}}, "did you mean 'negatives'"),
        ({"models": {"siamese_cbow": {"parameters": {"negatives": "many"}}}}, "negatives: expected a whole number"),
        ({"models": {"siamese_cbow": {"parameters": {"negatives": 0}}}}, "negatives: expected at least 1"),
        ({"models": {"siamese_cbow": {"parameters": {"optimiser": "adam"}}}}, "expected one of sgd, adadelta"),
        ({"models": {"siamese_cbow": {"family": "siamese"}}}, "did you mean 'siamese_cbow'"),
        ({"models": {"siamese_cbow": {"corpus": "book"}}}, "did you mean 'books'"),
        ({"models": {"siamese_cbow": {"seeds": []}}}, "models.siamese_cbow.seeds"),
        ({"sweeps": {"negatives": {"models": ["siamese"]}}}, "did you mean 'siamese_cbow'"),
        ({"sweeps": {"negatives": {"grid": {"negatve": [1]}}}}, "did you mean 'negatives'"),
        ({"pairs": {"twitter": {"settings": {"url_token": "kep"}}}}, "did you mean 'keep'"),
        ({"pairs": {"twitter": {"settings": {"cleaning": "papers"}}}}, "did you mean 'paper'"),
        ({"sweeps": {"negatives": {"title": "Negatives"}}}, "expected an untrained model in `baselines`"),
        ({"corpora": {"mine": {"base": "boks"}}}, "did you mean 'books'"),
        ({"corpora": {"mine": {"base": "mine"}}}, "found the cycle mine -> mine; correct `base` or `added`"),
        (
            {"corpora": {"mine": {"base": "books", "added": ["mine"]}}},
            "found the cycle mine -> mine; correct `base` or `added`",
        ),
        (
            {"corpora": {"mine": {"base": "other"}, "other": {"base": "mine"}}},
            "expected a corpus that does not depend on itself, found the cycle mine -> other -> mine",
        ),
        ({"corpora": {"mine": {"source": "books", "added": ["wikipedia"]}}}, "set `base` to a corpus"),
        (
            {"corpora": {"mine": {"tokeniser": "kenter"}}},
            "expected exactly one of `source`, `files`, `collection` and `base`, or both `source` and `files`, "
            "found none",
        ),
        ({"corpora": {"books": {"reader": "book"}}}, "corpora.books.reader"),
        ({"device": "gpu"}, "config.device"),
        ({"evaluation": {"timed_models": ["w2v"]}}, "known model"),
        ({"models": {"siamese_cbow": {"base": "cboss"}}}, "models.siamese_cbow.base: .*did you mean 'cbos'"),
        (
            {"models": {"siamese_cbow": {"base": "siamese_cbow"}}},
            "siamese_cbow.base: .* -> siamese_cbow",
        ),
        ({"models": {"mine": {"family": "cbos"}}}, "config.models.mine: expected the key `corpus`, found no such key"),
        (
            {"models": {"siamese_cbow": {"inputs": {"a": {}}}}},
            "inputs.a: expected exactly one of `model`, `pairs`, `source` and `files`",
        ),
        (
            {"models": {"quick_thoughts_uni": {"inputs": {"expanson": {"model": "word2vec_words"}}}}},
            "models.quick_thoughts_uni.inputs: expected a known input of quick_thoughts, found 'expanson'; did you "
            "mean 'expansion'",
        ),
        (
            {"models": {"siamese_cbow": {"inputs": {"vectors": {"model": "word2vec_cbow"}}}}},
            "siamese_cbow.inputs: expected no inputs, because the family siamese_cbow reads none, found 'vectors'",
        ),
        (
            {"models": {"weights_median_20": {"inputs": {"pairs": None}}}},
            "weights_median_20.inputs: expected the input `pairs`, which the family weighted_aggregation requires, "
            "found `embeddings`; set `pairs` under",
        ),
        ({"evaluation": {"sources": {2016: "sts_2015"}}}, "evaluation.sources.2016: expected at most 2015"),
        (
            {"retrieval": {"files": ["images"]}},
            "config.retrieval: expected a `source` of the `files`, found no `source`",
        ),
        ({"pairs": {"twitter": {"settings": {"cip": 1}}}}, "pairs.twitter.settings: .*did you mean 'cap'"),
        (
            {"papers": ["cbos", "cbos"]},
            "config.papers: expected distinct entries, found 'cbos' twice; remove the duplicate",
        ),
    ],
)
def test_mistakes_are_named(overrides, message):
    import re

    assert re.search(message, error_of(overrides))


def test_command_line_strings_get_their_type():
    config = resolve({"models": {"siamese_cbow": {"seeds": ["7"], "parameters": {"negatives": "5", "sigma": "0.02"}}}})
    model = make_plan(config).models["siamese_cbow"]
    assert (model.seeds, model.parameters["negatives"], model.parameters["sigma"]) == ((7,), 5, 0.02)
    assert resolve({"preset": "novels", "corpora": {"books": {"files": ["1"]}}}).corpora["books"].files == ["1"]
    sweep = {
        "paper": "siamese_cbow",
        "title": "Negatives",
        "models": ["siamese_cbow"],
        "baselines": ["random"],
        "grid": {"negatives": ["2", "3"]},
    }
    points = make_plan(resolve({"sweeps": {"mine": sweep, "size": "null"}})).sweeps["mine"]
    assert [(p.model.id, p.values) for p in points[:2]] == [
        ("siamese_cbow", {"negatives": 2}),
        ("siamese_cbow~negatives=3", {"negatives": 3}),
    ]
    assert not resolve({"models": {"siamese_cbow": {"column": "false"}}}).models["siamese_cbow"].column


def test_null_leaves_a_model_out():
    plan = make_plan(resolve({"models": {"tfidf": None}, "sweeps": {"corpus_size": None}}))
    assert "tfidf" not in plan.models
    assert "corpus_size" not in plan.sweeps


def test_merge_replaces_lists_and_merges_dictionaries():
    assert merge({"a": {"b": [1, 2], "c": 3}}, {"a": {"b": [4]}}) == {"a": {"b": [4], "c": 3}}


def test_a_sweep_shares_the_model_that_it_does_not_change():
    plan = make_plan(resolve({}))
    negatives = {point.values["negatives"]: point.model.id for point in plan.sweeps["negatives"]}
    assert negatives[2] == "siamese_cbow"
    assert negatives[5] == "siamese_cbow~negatives=5"
    sizes = {(p.of, *p.values.values()): p.model for p in plan.sweeps["corpus_size"]}
    assert sizes["word2vec_cbow", 1, 5].id == "word2vec_cbow"
    assert sizes["word2vec_cbow", 0.25, 5].id == "word2vec_cbow~fraction=0.25"
    assert plan.trained["word2vec_cbow"].seeds == (1,)
    assert [p.values for p in plan.sweeps["corpus_size"] if p.of == "random"] == [
        {"fraction": fraction} for fraction in (0.0625, 0.25, 1)
    ]


def test_a_corpus_with_a_base_shares_its_sentences():
    corpora = make_plan(resolve({})).corpora
    assert corpora["books_stemmed"].sentences == "books"
    assert corpora["books_stemmed"].settings.punkt_characters == corpora["books"].settings.punkt_characters
    assert "found `reader`;" in error_of({"corpora": {"books_stemmed": {"reader": "books"}}})


def test_pools_and_analogies_read_all_parts_of_a_corpus():
    added = {"base": "books", "added": ["wikipedia_sentences"]}
    both = {"corpus": "both", "models": ["siamese_cbow"]}
    plan = make_plan(
        resolve({"preset": "novels", "corpora": {"both": added}, "analogies": both, "nearest_sentences": both})
    )
    folders = ["results/novels/sentences/books", "results/novels/sentences/wikipedia_sentences"]
    assert plan.analogies.sentences == plan.nearest.sentences == folders
    assert {"books", "wikipedia_files"} == plan.nearest.sources
    assert {"books", "wikipedia_files"} < plan.analogies.sources


def test_a_fraction_of_a_corpus_shares_its_sentences():
    corpora = make_plan(resolve({"corpora": {"half": {"base": "books", "fraction": 0.5}}})).corpora
    assert corpora["books~fraction=0.25"].sentences == "books"
    assert corpora["books~fraction=0.25"].settings.fraction == 0.25
    assert corpora["half~fraction=0.25"].settings.fraction == 0.125
    assert corpora["books"].settings.fraction == 1


@pytest.mark.parametrize("fraction", [0, -1, 1.5, "half", True])
def test_a_fraction_that_is_none_is_refused(fraction):
    message = error_of({"sweeps": {"corpus_size": {"grid": {"fraction": [fraction]}}}})
    assert "sweeps.corpus_size.fraction: expected fractions above 0" in message


def test_a_model_that_is_left_out_is_asked_for_nowhere():
    config = resolve({"models": {"word2vec_cbow": None, "quick_thoughts_mc": None, "cbos": None}})
    assert "cbos_context" not in config.sweeps
    lists = [config.evaluation.timed_models, config.transfer.ensemble, config.retrieval.models]
    assert lists[0] == ["siamese_cbow", "random"]
    assert all("quick_thoughts_mc" not in names and "word2vec_cbow" not in names for names in lists)
    assert "word2vec_cbow_idf" not in config.models  # it depends on word2vec_cbow
    make_plan(config)
    with pytest.raises(SentrepError, match="did you mean 'word2vec_cbow'"):
        make_plan(resolve({"evaluation": {"timed_models": ["word2vec_cbo"]}}))


def test_models_that_go_with_a_removed_model_are_named(caplog):
    resolve({"models": {"word2vec_cbow": None, "word2vec_cbow_idf": None}})
    assert not caplog.messages
    resolve({"models": {"word2vec_cbow": None}})
    assert caplog.messages == [
        "config.models: leaving out these models, which are built on models that are set to null: word2vec_cbow_idf"
    ]


def test_an_ensemble_without_one_of_its_members_is_left_out(caplog):
    plan = make_plan(resolve({"models": {"quick_thoughts_uni": None}}))
    assert plan.config.transfer.ensemble == []
    assert plan.paths.ensemble not in plan.transfer.score_files
    assert "Ensemble" not in [system.label for system in plan.transfer.systems(3) if system.id]
    assert any(
        message.startswith(
            "config.transfer.ensemble: leaving out the ensemble, because these members are set to null or built "
            "on a model that is set to null: quick_thoughts_uni;"
        )
        for message in caplog.messages
    )
    caplog.clear()
    both = ["quick_thoughts_bi", "quick_thoughts_mc"]
    models = {"quick_thoughts_uni": None, "quick_thoughts_combine": None}
    config = resolve({"models": models, "transfer": {"ensemble": both}})
    assert config.transfer.ensemble == both
    resolve({"models": {"quick_thoughts_uni": None}, "papers": ["cbos"]})
    assert not [message for message in caplog.messages if "ensemble" in message]


def test_a_model_shares_the_settings_of_its_base():
    config = resolve({"models": {"weights_contrastive_20": {"parameters": {"kappa": 80.0}}}})
    based = config.models["weights_median_twitter"]
    assert based.parameters["kappa"] == 80.0
    assert (based.parameters["loss"], based.parameters["maximum_words"]) == ("median", 35)
    assert based.inputs["pairs"].pairs == "twitter"
    assert based.label == "learned weights, median loss, tweets"
    assert "expansion" not in config.models["untrained_gru"].inputs  # null removes an input of the base model
    left = resolve({"models": {"weights_contrastive_20": None}})
    assert "weights_contrastive_20" not in left.models
    assert left.models["weights_median"].parameters == resolve({}).models["weights_median"].parameters


def test_the_values_of_each_item_are_collected_once():
    plan = make_plan(resolve({}))
    shown = plan.items
    assert "sentrep/table1" in shown  # table 1, which is also shown in the dot figure
    assert len(shown) == len(set(shown))


def test_words_that_equal_a_model_s_name_stay():
    config = resolve({"evaluation": {"neighbours": {"words": ["cbos", "random"]}}, "models": {"cbos": None}})
    assert config.evaluation.neighbours.words == ["cbos", "random"]


def test_a_title_makes_a_section_of_any_paper_s_ablations():
    sweep = {"title": "Context", "baselines": ["random"], "grid": {"context": [1, 2]}}
    sweeps = {"cbos_context": sweep, "released_code": None, "properties": None, "corpus_size": None, "budget": None}
    with pytest.raises(SentrepError, match=r"expected a baseline .* books_stemmed.* only .* books \(random\);"):
        _ = make_plan(resolve({"sweeps": sweeps})).targets
    sweep["baselines"] = ["random_stemmed"]
    models = {"random_stemmed": {"base": "random", "label": "untrained, stemmed", "corpus": "books_stemmed"}}
    plan = make_plan(resolve({"sweeps": sweeps, "models": models}))
    assert list(plan.ablations) == ["cbos"]
    assert "results/cbos/ablation.csv" in plan.targets
    assert "results/siamese_cbow/ablation.csv" not in plan.targets
    found = [(s["section"], s["label"], s["id"], s["baseline"]) for s in plan.ablations["cbos"].systems]
    assert found[:2] == [
        ("Context", "CBOS, context 1", "cbos", "random_stemmed"),
        ("Context", "CBOS, context 2", "cbos~context=2", "random_stemmed"),
    ]


def test_a_plan_imports_nothing_that_takes_long():
    """Planning loads every family, but neither pandas nor a library for training."""
    script = "import sys, sentrep.config.plan\nfrom sentrep.families import family\n"
    script += f"for name in {FAMILIES!r}: family(name)\n"
    script += "sys.exit(' '.join({'pandas', 'scipy', 'torch', 'gensim', 'nltk', 'numba'} & set(sys.modules)) or 0)"
    environment = {"PYTHONPATH": str(WORKFLOW / "scripts")}
    subprocess.run([sys.executable, "-c", script], env=environment, check=True)


def test_no_neighbours_are_listed_without_models():
    plan = make_plan(resolve({"evaluation": {"neighbours": {"models": []}}}))
    assert "results/neighbours.csv" not in plan.targets
    assert "siamese_cbow/neighbours" not in plan.items
    assert "results/neighbours.csv" in make_plan(resolve({})).targets


@pytest.mark.parametrize("entry", [{}, {"base": "quick_thoughts_bi", "family": "quick_thoughts"}])
def test_an_input_that_is_set_to_null_is_removed(entry):
    models = {"quick_thoughts_uni": {**entry, "inputs": {"expansion": None}}}
    assert resolve({"models": models}).models["quick_thoughts_uni"].inputs == {}
    assert "expansion" in resolve({}).models["quick_thoughts_uni"].inputs


@pytest.mark.parametrize("name", [name for name in FAMILIES if getattr(family(name), "INPUTS", ())])
def test_each_required_input_must_be_given(name):
    required = family(name).INPUTS
    check_inputs(name, required, "inputs")
    for missing in required:
        with pytest.raises(SentrepError, match=f"expected the input `{missing}`, which the family {name} requires"):
            check_inputs(name, [given for given in required if given != missing], "inputs")
