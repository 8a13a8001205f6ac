"""Read the data of an evaluation, open the models that it compares, and build the baselines for the comparison."""

from __future__ import annotations

import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sentrep.api.model import Model
from sentrep.api.opening import open_encoder
from sentrep.api.stores import Preprocessing, open_store
from sentrep.api.training import train_model
from sentrep.encoders.base import Encoder
from sentrep.encoders.foreign import FunctionEncoder
from sentrep.sources.archives import SourceFiles
from sentrep.sources.mirror import find
from sentrep.sources.registry import source

AnyModel = str | Path | Model | Encoder | Callable[[list[str]], Any]
BASELINES: dict[str, tuple[str, dict[str, Any]]] = {
    "untrained": ("random_vectors", {}),
    "untrained x idf": ("random_vectors", {"idf": True}),
    "tf-idf": ("tfidf", {}),
}
"""Mapping from the name of each baseline to its family and parameters, which are the same as in the workflow."""


def named_models(models: AnyModel | Sequence[AnyModel] | Mapping[str, AnyModel]) -> dict[str, AnyModel]:
    """Return a mapping from unique names to models.

    If ``models`` is a mapping, its keys are the names. Otherwise, a model given as a path is named after the last part
    of the path, preceded by as many parent folders as are needed to make the name unique. A model given as a function
    is named after the function, and any other model after its family. A number is appended to a name that is still not
    unique.
    """
    if isinstance(models, Mapping):
        return dict(models)
    several = list(models) if isinstance(models, Sequence) and not isinstance(models, str) else [models]
    named: dict[str, AnyModel] = {}
    for model in several:
        parts = Path(model).resolve().parts if isinstance(model, (str, Path)) else (_kind(model),)
        names = ["/".join(parts[-length:]) for length in range(1, len(parts) + 1)]
        name = next((name for name in names if name not in named), f"{names[-1]} {len(named) + 1}")
        named[name] = model
    return named


def _kind(model: AnyModel) -> str:
    if isinstance(model, (Model, Encoder)):
        return str(model.meta.get("family", "model"))
    return getattr(model, "__name__", "function")


def _encoder(name: str, model: AnyModel, texts: Sequence[str], tokeniser: str, device: str) -> Encoder:
    """Return the encoder of a model that is given as a path, a :class:`Model`, an :class:`Encoder` or a function.

    Args:
        name: name of the model, for error messages.
        model: path, :class:`Model`, :class:`Encoder`, or function from a list of sentences to an array.
        texts: sentences to be encoded. From a file of word vectors, only the vectors of words in these sentences are
            loaded.
        tokeniser: name of the tokeniser for sentences that are encoded with a file of word vectors.
        device: torch device for a model that is given as a path.

    Raises:
        SentrepError: the model at a path cannot be opened; see :func:`sentrep.api.opening.open_encoder`.
    """
    if isinstance(model, (str, Path)):
        return open_encoder(model, sentences=texts, tokeniser_name=tokeniser, device=device)
    if isinstance(model, Model):
        return model.encoder
    return model if isinstance(model, Encoder) else FunctionEncoder(model, name)


def score_each(
    models: Mapping[str, AnyModel],
    texts: Sequence[str],
    score: Callable[[str, Encoder], None],
    *,
    corpus: str | Path | Sequence[str | Path] | None,
    baselines: bool,
    tokeniser: str,
    device: str,
    cache: str | Path | None,
) -> list[str]:
    """Open each model, build the baselines, and call a function with the name and the encoder of each.

    Only one model is in memory at a time. A baseline with the same name as a model is renamed.

    Args:
        models: models, keyed by name.
        texts: sentences to be encoded.
        score: function that scores an encoder.
        corpus: text or token store from which the baselines are built; if None, they are built from ``texts``.
        baselines: whether to build the baselines.
        tokeniser: name of the tokeniser for the baselines and for files of word vectors.
        device: torch device for models that are given as paths.
        cache: cache folder for the token store of ``corpus``; if None, the default cache folder is used.

    Returns:
        Warnings from the training of the models, and remarks on the baselines.

    Raises:
        SentrepError: a model or ``corpus`` cannot be read.
    """
    notes: list[str] = []

    def use(name: str, encoder: Encoder) -> None:
        score(name, encoder)
        notes.extend(f"{name}: {warning}" for warning in encoder.meta.get("warnings", ()))

    for name, model in models.items():
        use(name, _encoder(name, model, texts, tokeniser, device))
    if baselines:
        for name, encoder in _baselines(texts, corpus, tokeniser, cache, notes):
            use(name if name not in models else f"{name} (baseline)", encoder)
    return notes


def read_files(row: str, mirror: str | Path | None, cache: Path) -> list[tuple[str, bytes]]:
    """Return the names and contents of the files of a source, which are downloaded unless the mirror has them.

    Args:
        row: name of the source.
        mirror: mirror folder, or None.
        cache: folder of the cache, whose subfolder ``downloads`` contains downloaded files.

    Raises:
        SentrepError: a file cannot be found, downloaded or read.
    """
    manifest = find(source(row), mirror, cache / "downloads")
    files = SourceFiles.of([Path(entry["path"]) for entry in manifest["files"]])
    with files.guard():
        return [(name, stream.read()) for name, stream in files]


def _baselines(
    texts: Sequence[str],
    corpus: str | Path | Sequence[str | Path] | None,
    tokeniser: str,
    cache: str | Path | None,
    notes: list[str],
) -> Iterator[tuple[str, Encoder]]:
    """Build the baselines from ``corpus``, and yield the name and the encoder of each baseline.

    Args:
        texts: evaluated sentences, which serve as the corpus if ``corpus`` is None.
        corpus: text or token store that provides the vocabulary and document frequencies.
        tokeniser: name of the tokeniser with which the baselines split text into words. If ``corpus`` is a token store,
            the tokeniser of the store is used instead.
        cache: cache folder for the token store of ``corpus``; if None, the default cache folder is used.
        notes: list to which a note is appended if the evaluated sentences serve as the corpus.
    """
    preprocessing = Preprocessing(tokeniser=tokeniser)
    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        if corpus is None:
            notes.append("the baselines take their vocabulary and document frequencies from the evaluated sentences")
            text = folder / "evaluated.txt"
            text.write_text("".join(f"{' '.join(sentence.split())}\n" for sentence in texts), encoding="utf-8")
            preprocessing, cache = replace(preprocessing, format="lines", minimum_count=1), folder / "cache"
            corpus = text
        paths = [corpus] if isinstance(corpus, (str, Path)) else corpus
        with open_store(paths, preprocessing, cache=cache) as store:
            for name, (family, parameters) in BASELINES.items():
                yield name, train_model(store, folder / name, family_name=family, parameters=parameters, seed=1)
