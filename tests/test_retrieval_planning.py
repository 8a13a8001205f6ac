"""What the configuration says of retrieval, nearest sentences and analogies."""

from dataclasses import fields

import pytest

from conftest import ROOT
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.config.retrieval import check_retrieval, chosen_models
from sentrep.errors import SentrepError
from sentrep.evaluation.analogies.questions import read_questions
from sentrep.evaluation.retrieval.learning import Settings
from sentrep.sources.registry import local_files, read_sources
from sentrep.tables.reported import read_reported


@pytest.mark.parametrize("preset", ["sample", "novels", "paper"])
def test_presets(preset):
    config = resolve({"preset": preset})
    plan = make_plan(config)
    check_retrieval(config)
    for section in ("retrieval", "nearest_sentences", "analogies"):
        chosen_models(plan, section, config[section])
    # the configuration gives every setting, under its own name
    assert set(config["retrieval"]["settings"]) == {field.name for field in fields(Settings)}


def test_settings_of_the_paper_are_the_defaults():
    assert Settings(**resolve({"preset": "paper"})["retrieval"]["settings"]) == Settings()


@pytest.mark.parametrize(
    ("section", "change", "message"),
    [
        (
            "retrieval",
            {"models": ["siamese_cbwo"]},
            "retrieval.models: expected a known model, found 'siamese_cbwo'; did",
        ),
        (
            "retrieval",
            {"source": "cocoa"},
            "retrieval.source: expected a known source, found 'cocoa'; did you mean 'coco'",
        ),
        ("analogies", {"questions": {"Google": "google_words"}}, "analogies.questions.Google: expected a known source"),
        ("analogies", {"corpus": "yelp"}, "analogies.corpus: expected a known corpus, found 'yelp'"),
        ("nearest_sentences", {"corpus": "bookz"}, "found 'bookz'; did you mean 'books'?"),
        ("retrieval", {"settings": {"scoring": "dot"}}, "config.retrieval.settings.scoring: expected Scoring function"),
        (
            "analogies",
            {"mining": {"match": "bag"}},
            "config.analogies.mining.match: expected The other words are the same",
        ),
        ("nearest_sentences", {"pool": 0}, "config.nearest_sentences.pool: expected Sentences drawn from it, found 0"),
    ],
)
def test_mistakes(section, change, message):
    with pytest.raises(SentrepError) as caught:
        config = resolve({"preset": "sample", section: change})
        check_retrieval(config)
        chosen_models(make_plan(config), section, config[section])
    assert message in str(caught.value)


def test_first_seeds():
    plan = make_plan(resolve({"preset": "novels"}))
    (three,) = chosen_models(plan, "x", {"models": ["siamese_cbow"], "seeds": 3})
    (one,) = chosen_models(plan, "x", {"models": ["siamese_cbow"]})
    assert (three.seeds, one.seeds) == ((1, 2, 3), (1,))


def test_word_analogies_of_the_sample():
    """Both sets are at hand without a download, and have all relations that the paper prints."""
    questions = []
    for name, source in resolve({"preset": "sample"})["analogies"]["questions"].items():
        files = local_files(source, None)
        questions += read_questions([(path.name, path.read_bytes()) for path in files], name)
    paper = read_reported(ROOT / "workflow" / "reported" / "quick_thoughts.csv")
    assert set(paper.rows(6)) <= {question.relation for question in questions}
    assert "not its data" in read_sources()["msr_analogies_sample"].stands_in_for
