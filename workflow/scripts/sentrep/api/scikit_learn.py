"""Provide a scikit-learn transformer that converts sentences to vectors."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Literal, Self, cast

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from sentrep.api import defaults
from sentrep.api.model import load, train
from sentrep.encoders.base import Vectors
from sentrep.errors import SentrepError


class SentenceVectors(TransformerMixin, BaseEstimator):
    """Scikit-learn transformer that trains a model on sentences, or loads a model, and converts sentences to vectors.

    Args:
        family: name of the model family, which is the name of a module in :mod:`sentrep.families`.
        parameters: parameters of the family; omitted parameters have the defaults of :func:`sentrep.train`.
        model: folder of a trained model, which ``fit`` loads instead of training a model.
        minimum_count: minimum number of occurrences of a word; rarer words are not in the vocabulary. If None, the
            default of :class:`sentrep.api.stores.Preprocessing` is used.
        seed: seed of the random number generators.
        threads: number of processor cores; if None, the default of :func:`sentrep.train` is used.

    Attributes:
        model_: the trained or loaded :class:`sentrep.Model`, available after ``fit``.
        n_features_out_: number of components of a sentence vector, available after ``fit``.
    """

    def __init__(
        self,
        family: str = defaults.FAMILY,
        *,
        parameters: Mapping[str, Any] | None = None,
        model: str | Path | None = None,
        minimum_count: int | None = None,
        seed: int = 1,
        threads: int | None = None,
    ) -> None:
        self.family = family
        self.parameters = parameters
        self.model = model
        self.minimum_count = minimum_count
        self.seed = seed
        self.threads = threads

    def fit(self, X: Iterable[str], y: Any = None) -> Self:  # noqa: ARG002 - scikit-learn passes y
        """Train a model on sentences, or load the trained model if ``model`` is set.

        Args:
            X: sentences of a text, in their original order. If ``model`` is set, they are checked but not used.
            y: ignored.

        Raises:
            SentrepError: ``X`` is a single string, contains something other than strings or has too few words, a
                parameter is invalid, or ``model`` cannot be loaded.
        """
        sentences = _sentences(X)
        if self.model is not None:
            self.model_ = load(self.model)
        else:
            with tempfile.TemporaryDirectory() as folder:
                path = Path(folder) / "sentences.txt"
                path.write_text("".join(f"{' '.join(s.split())}\n" for s in sentences), encoding="utf-8")
                self.model_ = train(
                    path,
                    family=self.family,
                    seed=self.seed,
                    threads=self.threads,
                    preprocessing={"format": "lines", "minimum_count": self.minimum_count},
                    cache=Path(folder) / "cache",
                    **(self.parameters or {}),
                )
        self.n_features_out_ = self.model_.dimension
        return self

    def transform(self, X: Iterable[str]) -> Vectors:
        """Return the vectors of n sentences, (n, n_features_out_) floats.

        Some models, such as tf-idf, return a sparse array.

        Raises:
            NotFittedError: ``fit`` has not been called.
            SentrepError: ``X`` is a single string or contains something other than strings.
        """
        check_is_fitted(self)
        return self.model_.encode(_sentences(X))

    def get_feature_names_out(self, input_features: Any = None) -> npt.NDArray[np.object_]:  # noqa: ARG002
        """Return a name for each component of a sentence vector, (n_features_out_,) strings.

        Raises:
            NotFittedError: ``fit`` has not been called.
        """
        check_is_fitted(self)
        family = self.model_.meta.get("family", self.family)
        names = [f"{family}{number}" for number in range(self.n_features_out_)]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Any:
        """Declare that the input is text rather than an array of numbers."""
        tags = super().__sklearn_tags__()
        tags.input_tags.string = True
        tags.input_tags.two_d_array = False
        return tags

    def __getstate__(self) -> dict[str, Any]:
        """Return the state that is pickled; it contains the files of the model instead of the model itself."""
        state = {**cast("dict[str, Any]", super().__getstate__())}
        if model := state.pop("model_", None):
            with tempfile.TemporaryDirectory() as folder:
                model.save(Path(folder) / "model")
                root = Path(folder) / "model"
                files = {p.relative_to(root).as_posix(): p.read_bytes() for p in root.rglob("*") if p.is_file()}
            state["_files"] = files
        return state

    def __setstate__(self, state: Mapping[str, Any]) -> None:
        """Restore the state that :meth:`__getstate__` returned."""
        state = dict(state)
        files: Mapping[str, bytes] | None = state.pop("_files", None)
        super().__setstate__(state)
        if files is not None:
            with tempfile.TemporaryDirectory() as folder:
                for name, content in files.items():
                    path: Path = Path(folder) / name
                    path.parent.mkdir(parents=True, exist_ok=True)
                    path.write_bytes(content)
                self.model_ = load(folder)


def _sentences(X: Iterable[str]) -> list[str]:
    """Check that the input consists of strings, and return it as a list.

    Raises:
        SentrepError: ``X`` is a single string or contains something other than strings.
    """
    kind: Literal["a single string", ""] = "a single string" if isinstance(X, str) else ""
    sentences = [] if kind else list(X)
    wrong = kind or next((f"an item of type {type(s).__name__}" for s in sentences if not isinstance(s, str)), "")
    if wrong:
        raise SentrepError("X", expected="a list of strings", found=wrong, remedy="pass one string per sentence")
    return sentences
