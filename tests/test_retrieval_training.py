"""Test the margin loss against loops and finite differences, and training on synthetic images."""

import numpy as np
import pytest
import scipy.sparse as sp
import torch
from hypothesis import given
from hypothesis import strategies as st

from helpers_training import check_gradients
from sentrep.errors import SentrepError
from sentrep.evaluation.retrieval.objective import Scorer, margin_loss
from sentrep.evaluation.retrieval.ranking import total_recall
from sentrep.evaluation.retrieval.settings import Settings
from sentrep.evaluation.retrieval.training import Features, Rows, batch_loss, train_maps

SMALL = Settings(
    dimension=8, contrasts=6, drawn_for="batch", epochs=3, batch_size=20, validate_every=10, fold_images=10
)


def loss_by_loops(images, captions, wrong_images, wrong_captions, margin, use_images, use_captions):
    total = 0.0
    for b in range(len(images)):
        own = sum(images[b] * captions[b])
        for n in range(use_images.shape[1]):
            wrong = wrong_images[n] if wrong_images.ndim == 2 else wrong_images[b][n]
            if use_images[b][n]:
                total += max(0.0, margin - own + sum(wrong * captions[b]))
            wrong = wrong_captions[n] if wrong_captions.ndim == 2 else wrong_captions[b][n]
            if use_captions[b][n]:
                total += max(0.0, margin - own + sum(images[b] * wrong))
    return total / len(images)


@given(st.integers(0, 2**32 - 1), st.booleans())
def test_loss(seed, shared):
    rng = np.random.default_rng(seed)
    b, n, k = rng.integers(1, 5, 3)
    shape = (n, k) if shared else (b, n, k)
    arrays = [rng.normal(size=size) for size in ((b, k), (b, k), shape, shape)]
    masks = [rng.random((b, n)) < 0.7 for _ in range(2)]
    tensors = [torch.from_numpy(array) for array in arrays]
    found = margin_loss(*tensors, 0.5, *map(torch.from_numpy, masks))
    assert float(found) == pytest.approx(loss_by_loops(*arrays, 0.5, *masks), abs=1e-9)
    everything = np.ones((b, n), dtype=bool)
    assert float(margin_loss(*tensors, 0.5)) == pytest.approx(loss_by_loops(*arrays, 0.5, everything, everything))


@pytest.mark.parametrize("scoring", ["inner_product", "cosine", "released"])
def test_gradient_of_the_maps(scoring):
    """Compare the gradient with central differences in float64; no term of the loss is near its kink."""

    class Loss(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.scorer = Scorer(4, 5, 3, scoring, seed=1)

        def forward(self, image, caption, wrong_images, wrong_captions):
            images, captions = self.scorer.project_images, self.scorer.project_sentences
            return margin_loss(images(image), captions(caption), images(wrong_images), captions(wrong_captions), 0.4)

    rng = np.random.default_rng(3)
    inputs = (torch.from_numpy(rng.normal(size=(n, d))) for n, d in ((3, 4), (3, 5), (2, 4), (2, 5)))
    check_gradients(Loss().double(), *inputs)


def test_scoring_functions():
    images, sentences = torch.randn(6, 4), torch.randn(6, 5)
    for scoring, unit_in_training, unit_in_evaluation in (
        ("inner_product", (False, False), (False, False)),
        ("cosine", (True, True), (True, True)),
        ("released", (False, True), (True, True)),
    ):
        scorer = Scorer(4, 5, 3, scoring, seed=1)
        for training, expected in ((True, unit_in_training), (False, unit_in_evaluation)):
            scorer.train(training)
            projected = scorer.project_images(images), scorer.project_sentences(sentences)
            found = tuple(torch.allclose(p.norm(dim=1), torch.ones(6), atol=1e-5) for p in projected)
            assert found == expected, scoring


def test_initial_weights_are_those_of_the_released_code():
    scorer = Scorer(600, 150, 40, "inner_product", seed=1)
    for layer, inputs in ((scorer.images, 600), (scorer.sentences, 150)):
        bound = (2 / inputs) ** 0.5
        assert 0.99 * bound < layer.weight.abs().max() <= bound
        # the variance of a uniform distribution
        assert float(layer.weight.detach().var()) == pytest.approx(bound**2 / 3, rel=0.05)
        assert not layer.bias.any()


def synthetic(images, seed=0, dimension=12, per_image=3, noise=0.3):
    """Return captions and images that are two noisy views of the same points."""
    rng = np.random.default_rng(seed)
    maps = np.random.default_rng(99).normal(size=(2, 6, dimension))
    points = rng.normal(size=(images, 6))
    left = points @ maps[0] + noise * rng.normal(size=(images, dimension))
    right = np.repeat(points, per_image, axis=0) @ maps[1]
    right += noise * rng.normal(size=right.shape)
    return Features(left.astype(np.float32), right.astype(np.float32))


@pytest.fixture(scope="module")
def splits():
    return synthetic(120, 0), synthetic(20, 1), synthetic(20, 2)


@pytest.mark.parametrize("drawn_for", ["batch", "pair"])
def test_it_learns(splits, drawn_for):
    few = train_maps(
        *splits, Settings(**{**vars(SMALL), "drawn_for": drawn_for, "epochs": 1, "learning_rate": 1e-9}), seed=1
    )
    many = train_maps(
        *splits, Settings(**{**vars(SMALL), "drawn_for": drawn_for, "epochs": 20, "learning_rate": 1e-2}), seed=1
    )
    # random order would give recalls of 10%, 50% and 100% for 10 images, and higher ones for the best of three captions
    assert total_recall(few.measured) < 400
    assert total_recall(many.measured) > 550
    assert many.history["loss"].iloc[-1] < many.history["loss"].iloc[0] / 3


def test_the_same_seed_gives_the_same_bits(splits):
    first, again, other = (train_maps(*splits, SMALL, seed=seed) for seed in (1, 1, 2))
    assert first.measured.equals(again.measured)
    assert first.history.equals(again.history)
    assert not first.history.equals(other.history)


def test_the_best_validation_is_kept(splits):
    """The results are those of a training run that ends after the epoch with the best validation."""
    changes = {**vars(SMALL), "learning_rate": 1e-2, "validate_every": 18}  # an epoch has 18 steps
    outcome = train_maps(*splits, Settings(**{**changes, "epochs": 12}), seed=1)
    best = int(outcome.history["validation"].idxmax())
    assert best < len(outcome.history) - 1 == 11
    assert outcome.best_step == outcome.history["step"][best] == 18 * (best + 1)
    ended = train_maps(*splits, Settings(**{**changes, "epochs": best + 1}), seed=1)
    assert outcome.measured.equals(ended.measured)


def test_sparse_vectors_are_those_they_stand_for(splits):
    rng = np.random.default_rng(4)
    thin = [Features(s.images, np.where(rng.random(s.captions.shape) < 0.5, s.captions, 0)) for s in splits]
    sparse = [Features(s.images, sp.csr_array(s.captions)) for s in thin]
    assert train_maps(*thin, SMALL, seed=1).measured.equals(train_maps(*sparse, SMALL, seed=1).measured)


def test_lengths_of_image_features_do_not_matter(splits):
    longer = (Features(4 * s.images, s.captions) for s in splits)
    assert train_maps(*splits, SMALL, seed=1).history.equals(train_maps(*longer, SMALL, seed=1).history)


def test_rows_of_length_one():
    matrix = np.array([[3, 4], [0, 0], [0, 2]], dtype=np.float32)
    expected = [[0, 1], [0, 0], [0.6, 0.8]]
    for each in (matrix, sp.csr_array(matrix)):
        np.testing.assert_allclose(Rows(each, "cpu", unit=True).take(np.array([2, 1, 0])), expected, atol=1e-7)


@pytest.mark.parametrize("drawn_for", ["batch", "pair"])
@pytest.mark.parametrize("own_as_contrast", [False, True])
def test_a_pairs_own_image_is_no_contrast(drawn_for, own_as_contrast):
    """With one image and one caption, every draw is the pair itself: it is excluded, or its loss equals the margin."""
    settings = Settings(**{**vars(SMALL), "drawn_for": drawn_for, "own_as_contrast": own_as_contrast})
    one = synthetic(1, per_image=1)
    scorer = Scorer(12, 12, 8, "inner_product", seed=1)
    rows = Rows(one.images, "cpu"), Rows(one.captions, "cpu")
    loss = batch_loss(scorer, *rows, np.array([0]), settings, np.random.default_rng(1))
    assert float(loss.detach()) == pytest.approx(2 * 6 * 0.2 if own_as_contrast else 0.0, abs=1e-4)


def test_a_loss_that_is_not_finite(splits):
    train, dev, test = splits
    broken = Features(train.images * np.float32(np.inf), train.captions)
    with pytest.raises(
        SentrepError, match=r"retrieval: expected a finite loss, found a loss of nan at step [0-9]+; set a smaller"
    ):
        train_maps(broken, dev, test, SMALL, seed=1)
