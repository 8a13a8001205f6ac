"""Define the parts of a plan: corpora, models, points of sweeps, and systems in tables."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sentrep.config.corpora import Corpus as CorpusSettings
from sentrep.sources.registry import own_files


@dataclass(frozen=True)
class Corpus:
    """A corpus, with the settings inherited from its base.

    Attributes:
        name: key of the corpus in ``corpora``, followed by the fraction if a sweep uses only a part of the corpus.
        sentences: name of the corpus that provides the sentences: the corpus itself or, if it has a ``base``, the last
            corpus in its chain of bases.
        settings: settings of the corpus, including inherited settings.
        added: other corpora, whose sentences are appended to those of the corpus named in ``sentences``.
    """

    name: str
    sentences: str
    settings: CorpusSettings
    added: tuple[Corpus, ...] = ()

    @property
    def source(self) -> str:
        """Name of the source of the text; "" for a collection of books."""
        if self.settings.collection:
            return ""
        return self.settings.source or own_files(self.sentences, "corpus")

    @property
    def parts(self) -> list[str]:
        """Names of the corpora that provide the sentences, first for this corpus and then for the added corpora."""
        return [self.sentences, *(part for corpus in self.added for part in corpus.parts)]

    @property
    def sources(self) -> list[str]:
        """Names of all sources of the text, including the sources of added corpora."""
        own = self.settings.collection.sources if self.settings.collection else [self.source]
        return [*own, *(source for corpus in self.added for source in corpus.sources)]

    def store_settings(self) -> dict[str, Any]:
        """Return the settings that determine the token store of the corpus."""
        keys = {"tokeniser", "encoding_tokeniser", "minimum_count", "maximum_words", "keep_all_tokens", "fraction"}
        settings = self.settings.model_dump(include=keys)
        return {"tokeniser_name": settings.pop("tokeniser"), **settings}

    def sentence_settings(self) -> dict[str, Any]:
        """Return the settings that determine the sentences of the corpus."""
        keys = {"reader", "punkt_characters", "expected_sentences", "unit", "normalisation"}
        settings = self.settings.model_dump(include=keys)
        return {"reader_name": settings.pop("reader"), **settings}


@dataclass(frozen=True)
class Model:
    """A model to train, once per seed.

    Attributes:
        id: key of the model in ``models``, followed by any parameters that a sweep or variant changes; also the name of
            the model's folder.
        family: name of the family's module.
        label: name of the model in tables.
        corpus: name of the training corpus.
        parameters: all parameters of the family, including defaults.
        seeds: random seeds; the model is trained once with each seed.
        baseline: whether the model is an untrained baseline.
        column: whether the model is shown in the tables of sentence-pair scores.
        inputs: paths of the inputs other than the corpus, keyed by the name of the input; ``{seed}`` in a path stands
            for the seed of this model.
        reported: columns in which papers report values for the model, as dictionaries with the keys "paper", "table"
            and "column".
        device: device on which the model is trained.
    """

    id: str
    family: str
    label: str
    corpus: str
    parameters: dict[str, Any]
    seeds: tuple[int, ...]
    baseline: bool = False
    column: bool = True
    inputs: Mapping[str, str] = field(default_factory=dict[str, str])
    reported: tuple[dict[str, Any], ...] = ()
    device: str = "auto"

    def inputs_of(self, seed: int) -> dict[str, str]:
        """Return the paths of the inputs for one seed, keyed by the name of the input; the corpus is not included."""
        return {name: path.replace("{seed}", str(seed)) for name, path in self.inputs.items()}

    def settings(self) -> dict[str, Any]:
        """Return the family and its parameters.

        Together with the corpus, the inputs and the seed, they determine the model.
        """
        return {"family": self.family, "parameters": self.parameters}


@dataclass(frozen=True)
class Point:
    """A point of a sweep: one combination of parameter values for one model.

    Attributes:
        model: model with the parameter values in ``values``.
        of: name of the configured model that is varied.
        values: values of the parameters in the sweep's grid, by name.
        parts: variants of other models that provide inputs to ``model``, directly or through other variants; empty if
            there are none.
        variant: label of the variant; "" for a baseline, or if the sweep has no variants.
    """

    model: Model
    of: str
    values: dict[str, Any]
    parts: tuple[Model, ...] = ()
    variant: str = ""


@dataclass(frozen=True)
class System:
    """A column or row of a table: a model, the ensemble, Kim's CNN, or a published system that no model reproduces.

    Attributes:
        id: name of the model, "ensemble" or "kim_cnn"; None for a published system that no model reproduces.
        label: name of the system in the table.
        baseline: whether the system is an untrained baseline.
        seeds: seeds of the system; empty for a published system that no model reproduces.
        reported: published column with which the system is compared, as a dictionary with the keys "paper", "table" and
            "column"; None if there is no such column.
    """

    id: str | None
    label: str
    baseline: bool = False
    seeds: tuple[int, ...] = ()
    reported: dict[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return the system as a dictionary that can be passed to a Snakemake rule as a parameter."""
        return {
            "id": self.id,
            "label": self.label,
            "baseline": self.baseline,
            "seeds": list(self.seeds),
            "reported": self.reported,
        }
