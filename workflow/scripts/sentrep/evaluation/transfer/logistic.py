"""Train logistic regression for many problems at once, such as all folds and classes of a cross-validation.

A problem consists of training rows x with signs s (+1 or -1) and an inverse regularisation strength C. Its weights w
minimise ``|w|^2 / 2 + C sum log(1 + exp(-s w.x))``. This is the objective of liblinear, the library that Kiros et al.
(2015) and SentEval use. Every row ends with a constant 1, whose weight is penalised like the other weights. All
problems share the features, so one optimisation step for all of them needs only two matrix products.

The method is preconditioned nonlinear conjugate gradients with a Newton line search. The line search needs only the
products of the rows with the search direction. Dense features are first rotated onto their principal axes. The rotation
does not change the predictions, but makes the Hessian nearly diagonal. With the diagonal of the Hessian as the
preconditioner, about five steps are enough, whereas conjugate gradients without a preconditioner need hundreds of
steps.

This module does not use scikit-learn, because scikit-learn trains classifiers one by one, and a nested cross-validation
under the protocol ``kiros`` trains 910 classifiers for a task with two classes. The CPU times of this module and
of single-threaded scikit-learn were measured on the real tasks under this protocol. The following table shows
scikit-learn's time divided by this module's time:

====================  ============================  ==============================
features              lbfgs, warm starts over C     liblinear
====================  ============================  ==============================
dense, 300 columns    1.8 (SST, 5 classes) to 14    73 (MSRP) to 570 (MR)
tf-idf                0.4 (SST, 5 classes) to 2.0   0.7 (SST, 5 classes) to 3.5
====================  ============================  ==============================

Six tasks were measured with dense features, and eight tasks with tf-idf features; each cell shows the lowest and the
highest ratio. The dense features are averages of random word vectors with a decaying spectrum. The times of both
scikit-learn solvers were extrapolated from the first folds. With the C that this module chooses, liblinear predicts the
same classes as this module for the items of the test split or, if a task has no test split, of the first outer fold.
The only exception is SST with five classes and tf-idf features, where 0.05% of the predictions differ. In 13 of the
measurements, lbfgs ran long enough to choose a C. In 7 of these 13, lbfgs with its default tolerance did not choose the
same C as this module. The ``transfer`` part of ``make bench`` compares the speed of the solvers on synthetic features.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import TYPE_CHECKING, cast

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

if TYPE_CHECKING:
    from sentrep.evaluation.transfer.principal_axes import DeviceMatrix

log = logging.getLogger("sentrep")

Matrix = npt.NDArray[np.floating]
_DOUBLE_BELOW = 1_000_000  # matrices with fewer elements, including zeros, are processed in double precision
# The principal axes are estimated from at least this number of rows or, if that is more, from at least three rows per
# column. If there are fewer rows, all of them are used.
_ROWS_FOR_AXES = 20_000
_RENEW = 20  # number of steps after which the preconditioner is recomputed
_WORTH_DROPPING = 0.1  # finished problems are removed when they make up at least this share of the remaining problems
_PATIENCE = 100  # after more steps without progress, the gradient is assumed to consist of rounding errors only
# Rounding error of the gradient, relative to the norm of the gradient at zero weights.
_ROUNDING = {np.dtype(np.float32): 1e-6, np.dtype(np.float64): 1e-13}


@dataclass(frozen=True)
class Design:
    """A matrix of features that has been prepared for :func:`solve`.

    Attributes:
        rows: (n, r) features, to which a constant column was appended. Dense features, including this column, are
            rotated onto their principal axes; sparse features are not rotated. Dense features can be on a GPU.
        curvature: (r,) sum of squares of each column.
    """

    rows: Matrix | sp.csr_array | DeviceMatrix
    curvature: Matrix


def prepare(features: Matrix | sp.csr_array, dtype: type[np.floating] | None = None, device: str = "cpu") -> Design:
    """Append a constant column to features, rotate dense features, and drop empty columns of sparse features.

    Args:
        features: (n, d) floats, dense or sparse.
        dtype: precision of the computation; by default float64 if the matrix with the constant column has fewer than a
            million elements, and float32 otherwise.
        device: torch device on which dense features are rotated and multiplied. Sparse features stay on the CPU.
    """
    n, d = cast(tuple[int, int], features.shape)
    dtype = dtype or (np.float64 if n * (d + 1) < _DOUBLE_BELOW else np.float32)
    if isinstance(features, sp.csr_array):
        used = np.flatnonzero(np.bincount(features.indices[features.data != 0], minlength=d))
        columns = [features[:, used], np.ones((n, 1))]
        rows = sp.csr_array(sp.hstack(columns, format="csr"), dtype=dtype)
        return Design(rows, np.asarray(rows.multiply(rows).sum(axis=0)).ravel())
    rows = np.ones((n, d + 1), dtype=dtype)
    rows[:, :d] = features
    # torch takes seconds to import, and sparse features do not need it.
    from sentrep.evaluation.transfer.principal_axes import DeviceMatrix, rotate_columns, span_rows

    step = max(1, n // max(_ROWS_FOR_AXES, 3 * (d + 1)))
    rotated, curvature = span_rows(rows, device) if n < d + 1 else rotate_columns(rows, step, device)
    return Design(rotated.numpy() if device == "cpu" else DeviceMatrix(rotated), curvature.numpy(force=True))


def solve(
    design: Design,
    signs: npt.NDArray[np.integer],
    c: float | Matrix,
    start: Matrix | None = None,
    tolerance: float = 1e-5,
    most_steps: int = 1000,
) -> Matrix:
    """Train the logistic regression of every problem, and return the weights.

    A problem is finished when the norm of its gradient is at most ``tolerance * min(positive, negative) / rows`` times
    the norm at zero weights, as in liblinear, or when the gradient consists only of rounding errors. ``positive`` and
    ``negative`` are the numbers of training rows with the respective sign, and ``rows`` is their sum.

    Args:
        design: n rows of r features, prepared by :func:`prepare`.
        signs: (n, P), +1 or -1 for the training rows of each of P problems, and 0 for other rows.
        c: C of each problem, (P,), or one value for all problems.
        start: (r, P) initial weights, for example the weights for a neighbouring value of C; zeros by default.
        tolerance: relative tolerance of the gradient; the default of scikit-learn is 1e-4.
        most_steps: maximum number of steps. If a problem is not finished after these steps, a warning is logged.

    Returns:
        (r, P) weights; the decision values are ``design.rows @ weights``.
    """
    state = _State(design, signs, c, start, tolerance)
    for step in range(most_steps):
        if not state.drop_finished():
            return state.weights
        state.advance(renew=step % _RENEW == 0)
    if state.drop_finished():
        state.weights[:, state.active] = state.w
        log.warning("not all classifiers (%d in total) converged within %d steps", signs.shape[1], most_steps)
    return state.weights


class _State:
    """The state of the optimisation, from which finished problems are removed.

    The last axis of each array has one entry for each remaining problem. The exceptions are ``rows`` and ``curvature``,
    which all problems share, and ``weights``, which also has columns for the removed problems.
    """

    def __init__(
        self,
        design: Design,
        signs: npt.NDArray[np.integer],
        c: float | Matrix,
        start: Matrix | None,
        tolerance: float,
    ) -> None:
        self.rows, self.curvature = design.rows, design.curvature
        dtype = self.rows.dtype
        self.active = np.arange(signs.shape[1])
        self.weights = np.zeros((len(self.curvature), signs.shape[1]), dtype=dtype)
        self.w = self.weights.copy() if start is None else start.astype(dtype)
        self.signs = signs.astype(dtype)
        self.c = np.broadcast_to(np.asarray(c, dtype=dtype), self.active.shape).copy()
        positive, negative = (signs > 0).sum(axis=0), (signs < 0).sum(axis=0)
        at_zero = self.c / 2 * np.linalg.norm(self.rows.T @ self.signs, axis=0)
        wanted = tolerance * np.minimum(positive, negative) / np.maximum(positive + negative, 1)
        self.enough = np.maximum(wanted, _ROUNDING[dtype]) * at_zero
        self.margins = self.signs * (self.rows @ self.w)
        self.misses = _logistic(self.margins)
        self.gradient = self._gradient()
        self.best = np.full(self.active.shape, np.inf)
        self.waited = np.zeros(self.active.shape, dtype=np.int64)
        self.direction = np.zeros_like(self.w)
        self.scale = self.step = np.ones_like(self.w)
        self.slope = np.ones(self.active.shape, dtype=dtype)

    def _gradient(self) -> Matrix:
        return self.w - self.c * (self.rows.T @ (self.signs * self.misses))

    def drop_finished(self) -> bool:
        """Remove finished problems if there are enough of them, and return whether any problems are left.

        The weights of the removed problems are stored in ``weights``.
        """
        norms = np.linalg.norm(self.gradient, axis=0)
        better = norms < 0.9 * self.best
        self.best = np.where(better, norms, self.best)
        self.waited = np.where(better, 0, self.waited + 1)
        finished = (norms <= self.enough) | (self.waited > _PATIENCE)
        # Removing problems copies all arrays, so problems are removed only when enough of them are finished.
        if finished.mean() >= _WORTH_DROPPING or finished.all():
            self.weights[:, self.active[finished]] = self.w[:, finished]
            for name, value in list(vars(self).items()):
                if name not in ("rows", "curvature", "weights"):
                    setattr(self, name, value[..., ~finished])
        return len(self.active) > 0

    def advance(self, renew: bool) -> None:
        """Take one step of the conjugate gradient method for each remaining problem.

        If ``renew`` is true, first recompute the preconditioner, and restart the method.
        """
        if renew:
            trained = self.signs != 0
            weight = (self.misses * (1 - self.misses) * trained).mean(axis=0)
            self.scale = 1 / (1 + np.multiply.outer(self.curvature, self.c * weight))
            self.step = self.scale * self.gradient
            self.direction = -self.step
            self.slope = _dot(self.step, self.gradient)
        self._move()
        before, self.gradient = self.gradient, self._gradient()
        self.step = self.scale * self.gradient
        turned = np.maximum(0, _dot(self.step, self.gradient - before) / np.maximum(self.slope, _TINY))
        self.direction = turned * self.direction - self.step
        uphill = _dot(self.direction, self.gradient) >= 0
        self.direction[:, uphill] = -self.step[:, uphill]
        self.slope = _dot(self.step, self.gradient)

    def _move(self) -> None:
        """Move the weights along the search direction, close to the minimum of the objective in this direction.

        A Newton step is taken, and is halved until it overshoots the minimum only slightly, if at all. A second Newton
        step follows.
        """
        products = self.signs * (self.rows @ self.direction)
        linear, square = _dot(self.w, self.direction), _dot(self.direction, self.direction)

        def derivatives(length: Matrix, misses: Matrix) -> tuple[Matrix, Matrix]:
            first = linear + length * square - self.c * _dot(products, misses)
            return first, square + self.c * _dot(products * products, misses * (1 - misses))

        first, second = derivatives(np.zeros_like(self.c), self.misses)
        length = -first / np.maximum(second, _TINY)
        while True:
            slope, second = derivatives(length, _logistic(self.margins + length * products))
            far = slope > -first / 2
            if not far.any() or not (length[far] > _TINY).any():
                break
            length = np.where(far, length / 2, length)
        length = length - slope / np.maximum(second, _TINY)
        self.w = self.w + length * self.direction
        self.margins = self.margins + length * products
        self.misses = _logistic(self.margins)


_TINY = np.float32(1e-30)


def _logistic(margins: Matrix) -> Matrix:
    """Return the probability of the wrong sign for each margin, 1 / (1 + exp(margin))."""
    with np.errstate(over="ignore"):
        return 1 / (1 + np.exp(margins))


def _dot(a: Matrix, b: Matrix) -> Matrix:
    """Return the inner product of each column of ``a`` with the corresponding column of ``b``."""
    return np.einsum("ij,ij->j", a, b)
