"""Concatenation of other models' sentence vectors, each trained on its own.

combine-skip (Kiros et al. 2015) and combine-QT (Logeswaran and Lee 2018) are a uni- and a bidirectional model side by
side, MC-QT is a model with fixed pre-trained word vectors beside one with its own. Parts are taken as they are:
those that should weigh the same must be normalised by their own encoders. The parts are the model's inputs, whatever
their names.
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
    """There is nothing to set."""


def train(store: TokenStore, parameters: Parameters, run: Run) -> Concatenation:
    """Put the inputs together; the store is not read.

    Raises:
        SentrepError: there are fewer than two inputs.
    """
    if len(run.inputs) < 2:
        raise SentrepError(
            "inputs",
            expected="two models or more",
            found=f"{len(run.inputs)}",
            remedy="name the models to put together",
        )
    return Concatenation({name: load_encoder(path) for name, path in run.inputs.items()})
