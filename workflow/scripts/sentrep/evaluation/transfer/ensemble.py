"""Ensembles: the weighted mean of models' log-probabilities (Logeswaran and Lee 2018, section 4.4.2, Table 3).

The weights are the models' scores on validation items, normalised to sum to one. In a cross-validation each round has
its own weights, from within its training items, so that no test item has a say in them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from sentrep.errors import SentrepError
from sentrep.evaluation.transfer.classification import Predictions


def combine(members: Mapping[str, Predictions], where: str) -> Predictions:
    """Return the predictions of an ensemble.

    Args:
        members: predictions of each model, for the same items in the same rounds.
        where: protocol and task, for errors.

    Raises:
        SentrepError: there is no member, or members were tested on other items.
    """
    if not members:
        raise SentrepError(where, expected="models to combine", found="none", remedy="name some in transfer.ensemble")
    (first_name, first), *others = members.items()
    for name, member in others:
        if not (np.array_equal(first.targets, member.targets) and np.array_equal(first.rounds, member.rounds)):
            raise SentrepError(
                where,
                expected=f"the same test items for {first_name} and {name}",
                found="other ones",
                remedy="score both models again",
            )
    shares = weights([member.validation for member in members.values()])
    stacked = np.stack([member.log_probabilities for member in members.values()])
    mean = (stacked * shares[:, first.rounds, None]).sum(axis=0)
    validation = (shares * np.stack([member.validation for member in members.values()])).sum(axis=0)
    return replace(
        first,
        log_probabilities=mean.astype(np.float32),
        validation=validation,
        chosen=np.full(len(first.chosen), len(members), dtype=np.float64),
    )


def weights(validation: Sequence[np.ndarray]) -> np.ndarray:
    """Return each model's weight per round, (models, rounds), summing to one over models.

    A score below zero, which a correlation may have, counts as zero; where all are zero the weights are equal.
    """
    scores = np.maximum(np.stack(list(validation)).astype(np.float64), 0)
    totals = scores.sum(axis=0)
    return np.divide(scores, totals, out=np.full_like(scores, 1 / len(scores)), where=totals > 0)
