"""Test the remedies that error messages suggest for unknown names."""

import pytest

from sentrep.errors import nearest


@pytest.mark.parametrize(
    ("known", "remedy"),
    [
        (["epochs", "dimension"], "did you mean 'epochs'?"),
        (["window", "negatives"], "use one of window, negatives"),
        ([], "remove 'epoch'"),
    ],
)
def test_remedy_for_an_unknown_name(known, remedy):
    assert nearest("epoch", known) == remedy
