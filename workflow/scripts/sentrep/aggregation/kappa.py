"""Compare values of kappa, a parameter of the median loss (De Boom et al., 2016, section 5.2), by cross-validation."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pandas as pd
import torch

from sentrep.aggregation.learning import QuadraticPairs, learn
from sentrep.aggregation.metrics import Scale, best_split, class_errors, wrong
from sentrep.aggregation.parameters import Parameters

log = logging.getLogger("sentrep")


def cross_validate_kappa(
    pairs: QuadraticPairs, parameters: Parameters, grid: Sequence[float], folds: int, seed: int
) -> pd.DataFrame:
    """Compare values of kappa by cross-validation on the training pairs.

    In each fold, the split point is fitted on the pairs used for training, and the split error is measured on the
    held-out pairs. If kappa is large, this error hardly depends on kappa, so chance determines which value has the
    smallest error. The table therefore also marks a plateau: all values of kappa whose error exceeds the smallest error
    by at most one standard error of the difference.

    Args:
        pairs: training pairs.
        parameters: settings of training; the loss is set to "median", and kappa to each value in ``grid`` in turn.
        grid: values of kappa to compare.
        folds: number of folds into which the training pairs are divided.
        seed: seed for the assignment of pairs to folds, and for training.

    Returns:
        A table with one row for each value of kappa and the columns kappa, error (mean over folds), error_sd (standard
        deviation over folds), behind (difference from the smallest mean error), behind_se (standard error of this
        difference), plateau (whether kappa is on the plateau) and least (whether kappa has the smallest mean error).
    """
    generator = np.random.default_rng([seed, 2])
    part_of = [torch.from_numpy(generator.permutation(len(kind)) % folds) for kind in (pairs.related, pairs.others)]
    errors = np.empty((len(grid), folds))
    for fold in range(folds):
        kept, held = [], []
        for kind, part in zip((pairs.related, pairs.others), part_of, strict=True):
            inside = (part == fold).to(kind.device)
            kept.append(kind[~inside])
            held.append(kind[inside])
        for row, kappa in enumerate(grid):
            chosen = replace(parameters, loss="median", kappa=float(kappa))
            learnt = learn(pairs, chosen, seed, chosen=(kept[0], kept[1]))
            errors[row, fold] = _held_out_error(pairs, learnt.weights, kept, held)
            log.info(
                "cross-validation fold %d of %d, kappa %g: error %.2f%%",
                fold + 1,
                folds,
                kappa,
                100 * errors[row, fold],
            )
    return describe(grid, errors)


def describe(grid: Sequence[float], errors: np.ndarray) -> pd.DataFrame:
    """Build the table that :func:`cross_validate_kappa` returns, given the errors in all folds.

    Args:
        grid: values of kappa, one for each row of ``errors``.
        errors: (len(grid), folds) errors on held-out pairs.
    """
    mean = errors.mean(axis=1)
    least = int(np.argmin(mean))
    gaps = errors - errors[least]
    standard_error = gaps.std(axis=1, ddof=1) / np.sqrt(errors.shape[1])
    behind = gaps.mean(axis=1)
    columns = {
        "kappa": list(grid),
        "error": mean,
        "error_sd": errors.std(axis=1, ddof=1),
        "behind": behind,
        "behind_se": standard_error,
        "plateau": behind <= standard_error,
        "least": np.arange(len(grid)) == least,
    }
    return pd.DataFrame(columns)


def _held_out_error(
    pairs: QuadraticPairs, weights: np.ndarray, kept: Sequence[torch.Tensor], held: Sequence[torch.Tensor]
) -> float:
    """Return the split error on held-out pairs, with the scale and the split point fitted on the training pairs.

    Args:
        pairs: all pairs of the cross-validation.
        weights: (m,) trained weights.
        kept: indices of the related and of the non-related pairs used for training.
        held: indices of the related and of the non-related held-out pairs.
    """
    similarities, related = [], []
    for kinds in (kept, held):
        values = [-pairs.distances(weights, kind).double().cpu().numpy() for kind in kinds]
        similarities.append(np.concatenate(values))
        related.append(np.arange(len(similarities[-1])) < len(values[0]))
    scale = Scale.of(similarities[0])
    split, _ = best_split(scale(similarities[0]), related[0])
    return float(np.mean(class_errors(wrong(scale(similarities[1]), related[1], split), related[1])))
