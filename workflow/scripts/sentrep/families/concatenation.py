"""Concatenation of the sentence vectors of separately trained models.

combine-skip (Kiros et al. 2015) and combine-QT (Logeswaran and Lee 2018) concatenate a unidirectional and a
bidirectional model. MC-QT (Logeswaran and Lee 2018) concatenates a model with fixed pre-trained word vectors and a
model that trains its word vectors. The sentence vectors are not rescaled before they are concatenated, so they have
equal weight only if the encoder of each model normalises them. All inputs are concatenated, regardless of their names.
"""

from __future__ import annotations

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.concatenation import Concatenation
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.training.run import Run

INPUTS = None  # any names


@dataclass(frozen=True)
class Parameters:
    """Empty settings, because a concatenation has no parameters."""


def train(store: TokenStore, parameters: Parameters, run: Run) -> Concatenation:
    """Return an encoder that concatenates the input models; the token store is not used.

    Raises:
        SentrepError: there are fewer than two inputs.
    """
    if len(run.inputs) < 2:
        raise SentrepError(
            "inputs",
            expected="two or more models to concatenate",
            found=f"{len(run.inputs)} model(s)",
            remedy="add models to the `inputs` of this model",
        )
    return Concatenation({name: load_encoder(path) for name, path in run.inputs.items()})
