"""Test the transformer for scikit-learn."""

import pickle
import warnings

import numpy as np
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.utils import estimator_checks

import sentrep
from sentrep.errors import SentrepError

ANIMALS = ["the cat sat on the mat", "the dog sat on the cat", "a cat and a dog"] * 8
WORDS = ["one two three four", "two four one", "three one two two"] * 8
SENTENCES, CLASSES = [*ANIMALS, *WORDS], [0] * 24 + [1] * 24
CHECKS = [
    *("check_estimator_tags_renamed", "check_valid_tag_types", "check_estimator_repr", "check_mixin_order"),
    *("check_no_attributes_set_in_init", "check_do_not_raise_errors_in_init_or_set_params", "check_set_params"),
    *("check_parameters_default_constructible", "check_get_params_invariance"),
]
SMALL = {"parameters": {"dimension": 8}, "minimum_count": 1, "threads": 1}


@pytest.fixture(scope="module")
def fitted():
    return sentrep.SentenceVectors("random_vectors", **SMALL).fit(SENTENCES)


def test_check_estimator():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scikit-learn warns that checks with numeric arrays are skipped
        results = estimator_checks.check_estimator(sentrep.SentenceVectors(), on_fail=None)
    assert {result["status"] for result in results} == {"passed"}


@pytest.mark.parametrize("name", CHECKS)
def test_checks_that_need_no_array(name):
    """``check_estimator`` skips these checks for text input, although they do not depend on the input."""
    getattr(estimator_checks, name)("SentenceVectors", sentrep.SentenceVectors())


def test_vectors_are_those_of_the_library(fitted):
    vectors = fitted.transform(SENTENCES[:5])
    assert vectors.shape == (5, 8) == (5, fitted.n_features_out_)
    np.testing.assert_array_equal(vectors, fitted.model_.encode(SENTENCES[:5]))
    assert list(fitted.get_feature_names_out())[:2] == ["random_vectors0", "random_vectors1"]
    again = clone(fitted).fit(SENTENCES)
    np.testing.assert_array_equal(again.transform(SENTENCES[:5]), vectors)


def test_it_works_in_a_pipeline_and_can_be_pickled(fitted):
    pipeline = make_pipeline(sentrep.SentenceVectors("random_vectors", **SMALL), LogisticRegression())
    assert pipeline.fit(SENTENCES, CLASSES).score(SENTENCES, CLASSES) > 0.7
    copy = pickle.loads(pickle.dumps(fitted))
    np.testing.assert_array_equal(copy.transform(SENTENCES), fitted.transform(SENTENCES))
    assert hasattr(fitted, "model_")


def test_a_trained_model_is_loaded(fitted, tmp_path):
    fitted.model_.save(tmp_path / "model")
    loaded = sentrep.SentenceVectors(model=tmp_path / "model").fit([])
    np.testing.assert_array_equal(loaded.transform(SENTENCES), fitted.transform(SENTENCES))
    # the name of the model's family and not of the default family
    assert loaded.get_feature_names_out()[0] == "random_vectors0"


@pytest.mark.parametrize(
    ("wrong", "found"),
    [("a b", "a single string"), (["a", 3], "an item of type int"), ([["a"]], "an item of type list")],
)
def test_what_is_no_list_of_strings_is_refused(fitted, wrong, found):
    for ask in (fitted.transform, sentrep.SentenceVectors().fit):
        with pytest.raises(SentrepError, match=f"^X: expected a list of strings, found {found};"):
            ask(wrong)


def test_it_must_be_fitted_first():
    with pytest.raises(NotFittedError):
        sentrep.SentenceVectors().transform(["a"])
