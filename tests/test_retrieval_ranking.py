"""Compare ranks and recalls of image-caption retrieval with sorting."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sentrep.errors import SentrepError
from sentrep.evaluation.retrieval.ranking import (
    annotation_ranks,
    folds,
    measures,
    over_folds,
    search_ranks,
    total_recall,
)


def ranks_by_sorting(scores, per_image):
    """Return the ranks in both directions, computed by sorting all scores."""
    images, captions = len(scores), len(scores[0])
    annotation = []
    for i in range(images):
        order = sorted(range(captions), key=lambda c: (-scores[i][c], c))
        annotation.append(min(order.index(c) for c in range(i * per_image, (i + 1) * per_image)))
    search = []
    for c in range(captions):
        order = sorted(range(images), key=lambda i: (-scores[i][c], i))
        search.append(order.index(c // per_image))
    return annotation, search


# there are few distinct values, so that ties are common
tables = st.tuples(st.integers(1, 6), st.integers(1, 3)).flatmap(
    lambda size: st.tuples(
        st.lists(
            st.lists(st.integers(-2, 2), min_size=size[0] * size[1], max_size=size[0] * size[1]),
            min_size=size[0],
            max_size=size[0],
        ),
        st.just(size[1]),
    )
)


@given(tables)
def test_ranks(table):
    scores, per_image = table
    annotation, search = ranks_by_sorting(scores, per_image)
    np.testing.assert_array_equal(annotation_ranks(np.array(scores, dtype=float)), annotation)
    np.testing.assert_array_equal(search_ranks(np.array(scores, dtype=float)), search)


def test_an_encoder_that_knows_nothing_gains_nothing():
    """Equal scores are ranked by index, so the mean rank is the middle rank and not the first."""
    ranks = search_ranks(np.zeros((100, 500)))
    assert ranks.mean() == 49.5
    assert annotation_ranks(np.zeros((100, 500))).tolist() == list(range(0, 500, 5))


@pytest.mark.parametrize(
    ("ranks", "expected"),
    [
        ([0, 0, 0, 0], {"r@1": 100, "r@5": 100, "r@10": 100, "median rank": 1}),
        ([0, 4, 5, 10], {"r@1": 25, "r@5": 50, "r@10": 75, "median rank": 5}),  # the median of 4.5 is rounded down
        ([2, 9, 30], {"r@1": 0, "r@5": 100 / 3, "r@10": 200 / 3, "median rank": 10}),
    ],
)
def test_measures(ranks, expected):
    assert measures(np.array(ranks)) == pytest.approx(expected)


def test_folds_are_averaged():
    scores = {0: np.eye(3), 3: np.eye(3)[::-1]}
    found = over_folds(8, 3, lambda fold: scores[fold.start], "test").set_index(["direction", "metric"])
    assert folds(8, 3, "test") == [slice(0, 3), slice(3, 6)]
    # in the second fold, only the middle image ranks its own caption first
    assert found.loc[("search", "r@1"), "value"] == pytest.approx((100 + 100 / 3) / 2)
    assert found.loc[("search", "r@1"), "fold_sd"] == pytest.approx(200 / 3 / 2**0.5)
    assert set(found["folds"]) == {2}
    # the ranks of the second fold are 1, 0, 2 and 2, 0, 1, so r@1 is a third and r@5 and r@10 are 100%
    assert total_recall(found.reset_index()) == pytest.approx(2 * ((100 + 100 / 3) / 2 + 100 + 100))


def test_too_few_images():
    with pytest.raises(
        SentrepError, match=r"test images: expected at least 1000 images \(one fold\), found 999 images; use"
    ):
        over_folds(999, 1000, lambda _fold: np.eye(1000), "test images")
