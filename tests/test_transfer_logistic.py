"""Compare the solver for many logistic regressions with liblinear and with a general minimiser."""

import numpy as np
import pytest
import scipy.optimize
import scipy.sparse as sp
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression

from sentrep.evaluation.transfer.logistic import Design, prepare, solve
from sentrep.evaluation.transfer.principal_axes import DeviceMatrix


def problem(n, d, seed=0, scale=1.0, positive=0.5):
    dice = np.random.default_rng(seed)
    features = scale * dice.standard_normal((n, d)) * np.linspace(1, 0.01, d)
    signal = features @ dice.standard_normal(d) + dice.standard_normal(n)
    return features, np.where(signal > np.quantile(signal, 1 - positive), 1, -1)


def coefficients(features, decisions):
    """Return the weights and the intercept that give these decision values."""
    with_one = np.hstack([features, np.ones((len(features), 1))])
    found, _residual, *_ = np.linalg.lstsq(with_one, decisions, rcond=None)
    return found


def liblinear(features, signs, c):
    return LogisticRegression(C=c, solver="liblinear", tol=1e-10, max_iter=10000).fit(features, signs)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize("c", [0.25, 1.0, 256.0])
def test_coefficients_are_liblinears(c, sparse):
    features, signs = problem(300, 20)
    design = prepare(sp.csr_array(features) if sparse else features)
    weights = solve(design, signs[:, None], c, tolerance=1e-9)
    expected = liblinear(features, signs, c)
    found = coefficients(features, (design.rows @ weights)[:, 0])
    np.testing.assert_allclose(found[:-1], expected.coef_[0], atol=2e-5)
    assert found[-1] == pytest.approx(expected.intercept_[0], abs=2e-5)


def test_more_features_than_rows():
    """The rotation into the space spanned by the rows loses no information."""
    features, signs = problem(40, 100)
    design = prepare(features)
    assert design.rows.shape == (40, 40)
    decisions = (design.rows @ solve(design, signs[:, None], 4.0, tolerance=1e-9))[:, 0]
    np.testing.assert_allclose(decisions, liblinear(features, signs, 4.0).decision_function(features), atol=2e-5)


@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "d"), [(300, 20), (40, 100)])
def test_products_on_a_device_give_liblinears_decision_values(n, d, dtype):
    """The class for GPUs works on any torch device, so it is tested on the CPU."""
    features, signs = problem(n, d)
    prepared = prepare(features, dtype)
    tolerance = 1e-10 if dtype == np.float64 else 1e-4
    rows = np.hstack([features, np.ones((n, 1))])
    np.testing.assert_allclose(prepared.rows @ prepared.rows.T, rows @ rows.T, atol=tolerance)
    products = prepared.rows.T @ prepared.rows
    np.testing.assert_allclose(products - np.diag(prepared.curvature), 0, atol=tolerance * prepared.curvature.max())
    design = Design(DeviceMatrix(torch.from_numpy(prepared.rows)), prepared.curvature)
    assert design.rows.dtype == design.curvature.dtype == dtype
    table = np.repeat(signs[:, None], 2, axis=1)
    decisions = design.rows @ solve(design, table, np.array([1.0, 4.0]), tolerance=1e-9)
    for column, c in enumerate([1.0, 4.0]):
        expected = liblinear(features, signs, c).decision_function(features)
        np.testing.assert_allclose(decisions[:, column], expected, atol=2e-5 if dtype == np.float64 else 2e-3)


@pytest.mark.gpu
@pytest.mark.skipif(not torch.cuda.is_available(), reason="no CUDA device")
@pytest.mark.parametrize("dtype", [np.float32, np.float64])
@pytest.mark.parametrize(("n", "d"), [(300, 20), (40, 100)])
def test_a_gpu_gives_liblinears_decision_values(n, d, dtype):
    features, signs = problem(n, d)
    design = prepare(features, dtype, "cuda")
    assert design.rows.values.is_cuda
    decisions = (design.rows @ solve(design, signs[:, None], 4.0, tolerance=1e-9))[:, 0]
    expected = liblinear(features, signs, 4.0).decision_function(features)
    np.testing.assert_allclose(decisions, expected, atol=2e-5 if dtype == np.float64 else 2e-3)


def test_folds_and_values_of_c_are_separate_problems():
    features, signs = problem(200, 10)
    table = np.repeat(signs[:, None], 6, axis=1)
    for fold in range(6):
        table[fold::6, fold] = 0
    cs = np.array([1.0, 1.0, 4.0, 4.0, 64.0, 64.0])
    design = prepare(features)
    decisions = design.rows @ solve(design, table, cs, tolerance=1e-9)
    for fold, c in enumerate(cs):
        trained = table[:, fold] != 0
        expected = liblinear(features[trained], signs[trained], c)
        np.testing.assert_allclose(decisions[:, fold], expected.decision_function(features), atol=5e-5)


def test_the_default_tolerance_is_enough():
    """All predictions equal those of the exact solution, which is not the case with liblinear's default tolerance."""
    features, signs = problem(2000, 50, seed=3)
    design = prepare(features)
    decisions = (design.rows @ solve(design, signs[:, None], 32.0))[:, 0]
    expected = liblinear(features, signs, 32.0).decision_function(features)
    np.testing.assert_allclose(decisions, expected, atol=2e-3)
    assert ((decisions > 0) == (expected > 0)).all()


@pytest.mark.parametrize(("scale", "positive"), [(0.01, 0.5), (30.0, 0.5), (1.0, 0.02)])
def test_odd_scales_and_rare_classes(scale, positive):
    features, signs = problem(400, 15, scale=scale, positive=positive)
    for dtype, tolerance in ((np.float64, 1e-4), (np.float32, 5e-3)):
        design = prepare(features, dtype)
        assert design.rows.dtype == dtype
        decisions = (design.rows @ solve(design, signs[:, None], 16.0, tolerance=1e-8))[:, 0]
        expected = liblinear(features, signs, 16.0).decision_function(features)
        np.testing.assert_allclose(decisions, expected, atol=tolerance * max(1, np.abs(expected).max()))


def test_separable_data_and_warm_starts():
    features, _ = problem(60, 5)
    signs = np.where(features[:, 0] > 0, 1, -1)[:, None]
    design = prepare(features)
    cold = solve(design, signs, 256.0, tolerance=1e-9)
    warm = solve(design, signs, 256.0, start=solve(design, signs, 1.0), tolerance=1e-9)
    np.testing.assert_allclose(design.rows @ cold, design.rows @ warm, atol=1e-5)
    expected = liblinear(features, signs[:, 0], 256.0).decision_function(features)
    np.testing.assert_allclose((design.rows @ cold)[:, 0], expected, rtol=1e-4, atol=1e-3)


def test_one_class_and_no_rows():
    """A problem without training rows has no weights, and a problem with a single class also ends."""
    features, _signs = problem(20, 3)
    table = np.stack([np.zeros(20), np.ones(20)], axis=1).astype(np.int8)
    weights = solve(prepare(features), table, 1.0)
    assert not weights[:, 0].any()
    assert np.isfinite(weights).all()


def test_steps_that_do_not_suffice_are_reported(caplog):
    features, signs = problem(300, 20)
    solve(prepare(features), signs[:, None], 256.0, tolerance=1e-12, most_steps=2)
    assert "converged within 2 steps" in caplog.text


def test_empty_rows_and_unused_columns():
    features = np.zeros((6, 4))
    features[:3, 1] = [1, 2, 3]
    signs = np.array([1, -1, 1, -1, 1, -1])
    sparse, dense = prepare(sp.csr_array(features)), prepare(features)
    assert sparse.rows.shape == (6, 2)
    found = [design.rows @ solve(design, signs[:, None], 2.0, tolerance=1e-10) for design in (sparse, dense)]
    np.testing.assert_allclose(found[0], found[1], atol=1e-7)


@settings(max_examples=25)
@given(st.integers(4, 30), st.integers(1, 8), st.sampled_from([0.25, 4.0, 256.0]), st.integers(0, 10**6))
def test_the_minimum_is_a_minimum(n, d, c, seed):
    """A general minimiser does not find a lower value of the objective."""
    dice = np.random.default_rng(seed)
    rows, signs = dice.standard_normal((n, d)), dice.choice([-1, 0, 1], n)
    design = Design(rows, (rows**2).sum(axis=0))

    def objective(weights):
        return weights @ weights / 2 + c * np.logaddexp(0, -signs * (rows @ weights))[signs != 0].sum()

    found = objective(solve(design, signs[:, None], c, tolerance=1e-9)[:, 0])
    best = scipy.optimize.minimize(objective, np.zeros(d), method="BFGS").fun
    assert found <= best + 1e-6 * max(1, abs(best))
