"""Test the configuration of retrieval, nearest sentences and analogies."""

import pytest

from conftest import ROOT
from sentrep.config.plan import make_plan
from sentrep.config.resolve import resolve
from sentrep.errors import SentrepError
from sentrep.evaluation.analogies.questions import read_questions
from sentrep.sources.published import read_published
from sentrep.sources.registry import local_files, read_sources


@pytest.mark.parametrize("preset", ["sample", "novels", "paper"])
def test_presets(preset):
    plan = make_plan(resolve({"preset": preset}))
    for part in (plan.retrieval, plan.nearest, plan.analogies):
        assert all(model.seeds for model in part.models)


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
        (
            "retrieval",
            {"settings": {"scoring": "dot"}},
            "config.retrieval.settings.scoring: expected one of inner_product, cosine, released, found",
        ),
        (
            "analogies",
            {"mining": {"maximum_words": 1}},
            "config.analogies.mining.maximum_words: expected at least 2, found 1",
        ),
        ("nearest_sentences", {"pool": 0}, "config.nearest_sentences.pool: expected at least 1, found 0"),
    ],
)
def test_mistakes(section, change, message):
    with pytest.raises(SentrepError) as caught:
        resolve({"preset": "sample", section: change})
    assert message in str(caught.value)


def test_word_analogies_of_the_sample():
    """Both question sets are available without a download and contain all relations of the paper."""
    questions = []
    for name, source in resolve({"preset": "sample"}).analogies.questions.items():
        files = local_files(source, None)
        questions += read_questions([(path.name, path.read_bytes()) for path in files], name)
    paper = read_published(ROOT / "workflow" / "reported" / "quick_thoughts.csv")
    assert set(paper.rows(6)) <= {question.relation for question in questions}
    source = read_sources()["msr_analogies_sample"]
    assert "hand-written" in source.version
    assert source.stands_in_for == "Microsoft's word analogies"
