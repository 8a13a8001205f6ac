"""Train or load a model, encode and compare sentences with it, and save or export it."""

from __future__ import annotations

import logging
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from sentrep.api import defaults
from sentrep.api.stores import cache_folder, open_store
from sentrep.api.training import train_model
from sentrep.corpora.store import TokenStore
from sentrep.encoders.base import Encoder, Vectors
from sentrep.encoders.export import export_encoder
from sentrep.encoders.registry import MODEL, load_encoder
from sentrep.errors import SentrepError
from sentrep.families import cpu_only, parse_parameters
from sentrep.io.folders import output_folder
from sentrep.runtime.devices import resolve_device

log = logging.getLogger("sentrep")


class Model:
    """A trained model, which converts sentences to vectors.

    Args:
        encoder: the model's inference interface.

    Attributes:
        encoder: the model's inference interface.
        meta: contents of the model's ``meta.json``: family, parameters, seed, corpus, versions and warnings.
    """

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.meta: dict[str, Any] = encoder.meta

    def __repr__(self) -> str:
        return f"Model({self.meta.get('family', type(self.encoder).__name__)}, {self.dimension} dimensions)"

    @property
    def dimension(self) -> int:
        """Number of components of a sentence vector."""
        return self.encoder.dimension

    def encode(self, sentences: str | Sequence[str]) -> Vectors:
        """Return the vectors of one or more sentences.

        Args:
            sentences: n sentences, or a single sentence.

        Returns:
            (n, dimension) floats, or (dimension,) floats for a single sentence. Some models, such as tf-idf, return a
            sparse array. Models that omit unknown words return a zero vector for a sentence without known words.
        """
        return self.encoder.encode(sentences)

    def similarity(self, first: str | Sequence[str], second: str | Sequence[str]) -> float | npt.NDArray[np.float64]:
        """Return the cosine similarity between each sentence in ``first`` and its counterpart in ``second``.

        Args:
            first: n sentences, or a single sentence.
            second: n sentences, or a single sentence.

        Returns:
            (n,) float64 from -1 to 1, or a float for two strings. As in :func:`sentrep.evaluate`, the similarity is 1
            if the two vectors are equal, even if both are zero vectors, and 0 if only one of the two is a zero vector.

        Raises:
            SentrepError: the numbers of sentences differ.
        """
        from sentrep.evaluation.sts.scoring import row_cosines  # imports pandas

        sides = [[side] if isinstance(side, str) else list(side) for side in (first, second)]
        if len(sides[0]) != len(sides[1]):
            raise SentrepError(
                "similarity",
                expected="as many sentences in `first` as in `second`",
                found=f"{len(sides[0])} and {len(sides[1])} sentences",
                remedy="pass lists of the same length",
            )
        cosines = row_cosines(*map(self.encoder.encode, sides))
        return float(cosines[0]) if isinstance(first, str) and isinstance(second, str) else cosines

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the model folder atomically.

        Args:
            path: folder to write, which must be new or empty unless an existing model is overwritten.
            overwrite: whether to replace an existing model.

        Raises:
            SentrepError: the folder cannot be used for output.
        """
        with output_folder(path, MODEL, overwrite=overwrite) as folder:
            self.encoder.save(folder)

    def export(self, path: str | Path, format: str) -> None:
        """Write the model in a format that other tools can read.

        Args:
            path: folder to write, which must be new or empty.
            format: "word2vec" (binary), "word2vec-text", "sentence-transformers" or "safetensors".

        Raises:
            SentrepError: the format is unknown or cannot represent the model, or the folder cannot be used for output.
        """
        export_encoder(self.encoder, format, path)


def load(path: str | Path) -> Model:
    """Load a model from its folder.

    Raises:
        SentrepError: the path is not a model folder, or a file in the folder is missing or damaged.
    """
    return Model(load_encoder(path))


def train(
    text: str | Path | Sequence[str | Path],
    output: str | Path | None = None,
    *,
    family: str = defaults.FAMILY,
    seed: int = 1,
    threads: int | None = None,
    device: str = "auto",
    inputs: Mapping[str, str | Path] | None = None,
    preprocessing: Mapping[str, Any] | None = None,
    cache: str | Path | None = None,
    overwrite: bool = False,
    checkpoints: str | Path | None = None,
    checkpoint_minutes: float = 5.0,
    **parameters: Any,
) -> Model:
    """Train a model on a text.

    The default values of ``parameters`` usually follow the paper that introduced the family. For short texts and for
    training on a CPU, some of these defaults are replaced by more suitable values, which are logged with the reasons.

    Args:
        text: files, folders or archives of plain text, "-" for standard input, or a token store.
        output: folder for the model; if None, the model is kept in memory only.
        family: name of the model family, which is the name of a module in :mod:`sentrep.families`.
        seed: seed of the random number generators.
        threads: number of processor cores. By default, families whose results do not depend on this number use all
            cores, up to eight, and other families use one core.
        device: "auto", "cpu" or "cuda".
        inputs: mapping from the names of the family's additional inputs, such as ``embeddings``, to the paths of models
            or data.
        preprocessing: mapping from fields of :class:`sentrep.api.stores.Preprocessing` to values, such as
            ``{"format": "lines"}``; the other fields have the family's default values.
        cache: cache folder for token stores; by default, :func:`sentrep.api.stores.cache_folder`.
        overwrite: whether to replace an existing model in ``output``.
        checkpoints: folder of checkpoints. By default, the folder ``checkpoints`` in the cache folder is used if the
            token store is also in the cache folder; otherwise, no checkpoints are written.
        checkpoint_minutes: number of minutes between two checkpoints.
        parameters: parameters of the family, such as ``epochs=5``.

    Returns:
        The trained model. ``meta["warnings"]``, if present, lists signs that training was not effective.

    Raises:
        SentrepError: the text cannot be read or is too short, an argument is invalid, ``output`` cannot be used, CUDA
            is requested but not available, or training failed or was interrupted.
    """
    on_cpu = cpu_only(family)
    if threads is None:
        threads = defaults.threads(family)
    if threads < 1:
        raise SentrepError(
            "threads", expected="1 or more", found=str(threads), remedy="omit `threads` to use the default"
        )
    paths = [text] if isinstance(text, (str, Path)) else text
    if output is not None:
        MODEL.check(output, overwrite=overwrite, apart=paths)
        if inside := next(
            (path for path in paths if Path(output).resolve().is_relative_to(Path(path).resolve())), None
        ):
            raise SentrepError(
                output,
                expected="an output folder outside the folder of the text",
                found=f"a folder inside {inside}, whose files would be read as text the next time",
                remedy="choose another folder",
            )
    parse_parameters(family, parameters, family)  # reports invalid parameters before the text is read
    settings = replace(defaults.preprocessing(family), **(preprocessing or {}))
    with open_store(paths, settings, cache=cache, processes=threads) as store, tempfile.TemporaryDirectory() as folder:
        on = "cpu" if on_cpu else resolve_device(device)
        chosen = {}
        for default in defaults.parameters(family, TokenStore.open(store), on):
            if default.name not in parameters and not _excluded(default.name, parameters):
                chosen[default.name] = default.value
                log.info("using %s=%s (%s)", *default)
        root = Path(cache) if cache else cache_folder()
        if checkpoints is None and root in store.parents:
            checkpoints = root / "checkpoints"
        encoder = train_model(
            store,
            output if output is not None else Path(folder) / "model",
            family_name=family,
            parameters={**chosen, **parameters},
            seed=seed,
            threads=threads,
            device=device,
            inputs=inputs,
            checkpoints=checkpoints,
            checkpoint_minutes=checkpoint_minutes,
            overwrite=overwrite,
        )
    return Model(encoder)


def _excluded(name: str, given: Mapping[str, Any]) -> bool:
    """Return whether the given parameters conflict with a default value for the parameter ``name``."""
    rates = {"learning_rate", "learning_rate_total"}
    return (name in rates and bool(rates & given.keys())) or (
        name == "learning_rate_total" and given.get("optimiser", "sgd") != "sgd"
    )
