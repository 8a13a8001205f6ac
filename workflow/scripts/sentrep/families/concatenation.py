"""Concatenation of the sentence vectors of separately trained models.

combine-skip (Kiros et al. 2015) and combine-QT (Logeswaran and Lee 2018) concatenate a unidirectional and a
bidirectional model; MC-QT concatenates a model with fixed pre-trained word vectors and one that trains its own. Parts
are not rescaled: to have equal weight, they must be normalised by their own encoders. All inputs of the model are
parts, under any names.
"""

from __future__ import annotations

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.concatenation import Concatenation
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.training.run import Run


@dataclass(frozen=True)
class Parameters:
    """Concatenation has no parameters."""


def train(store: TokenStore, parameters: Parameters, run: Run) -> Concatenation:
    """Concatenate the inputs; the token store is not used.

    Raises:
        SentrepError: there are fewer than two inputs.
    """
    if len(run.inputs) < 2:
        raise SentrepError(
            "inputs",
            expected="two or more models",
            found=f"{len(run.inputs)}",
            remedy="add the models to concatenate",
        )
    return Concatenation({name: load_encoder(path) for name, path in run.inputs.items()})
