"""Concatenation of the sentence vectors of separately trained models.

combine-skip (Kiros et al. 2015) and combine-QT (Logeswaran and Lee 2018) concatenate the vectors of a unidirectional
and a bidirectional model. MC-QT (Logeswaran and Lee 2018) concatenates the vectors of a model with fixed pre-trained
word vectors and those of a model with trained word vectors. The sentence vectors are not rescaled before they are
concatenated. Some evaluations scale each part of a concatenated vector to length one (see
:attr:`sentrep.encoders.base.Encoder.part_widths`); in the others, models whose vectors have larger norms have more
weight. All inputs are concatenated, regardless of their names.
"""

from __future__ import annotations

from pydantic.dataclasses import dataclass

from sentrep.corpora.store import TokenStore
from sentrep.encoders.concatenation import Concatenation
from sentrep.encoders.registry import load_encoder
from sentrep.errors import SentrepError
from sentrep.training.run import Run

DETERMINISTIC = True
INPUTS = None  # inputs may have any names


@dataclass(frozen=True)
class Parameters:
    """An empty class, because a concatenation has no settings."""


def train(store: TokenStore, parameters: Parameters, run: Run) -> Concatenation:
    """Return an encoder that concatenates the sentence vectors of the input models; the token store is not used.

    Raises:
        SentrepError: there are fewer than two inputs.
    """
    if len(run.inputs) < 2:
        raise SentrepError(
            "inputs",
            expected="two or more models to concatenate",
            found=f"{len(run.inputs)}",
            remedy="add models to the `inputs` of this model",
        )
    return Concatenation({name: load_encoder(path) for name, path in run.inputs.items()})
