"""What a plan consists of: corpora, models, and the points of sweeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from sentrep.config.corpora import Corpus as CorpusSettings
from sentrep.errors import unknown_name


@dataclass(frozen=True)
class Corpus:
    """One corpus, with the settings that it shares with its base filled in.

    Attributes:
        name: key of ``corpora``.
        sentences: name of the corpus whose sentences it uses: its own, or that of its base.
        settings: its settings.
    """

    name: str
    sentences: str
    settings: CorpusSettings

    @property
    def source(self) -> str:
        """Name of the source of its text; "" for a collection."""
        return self.settings.source or ""

    @property
    def sources(self) -> list[str]:
        """Names of all sources of its text."""
        return self.settings.collection.sources if self.settings.collection else [self.source]

    def store_settings(self) -> dict[str, Any]:
        """Return the settings that determine its token store."""
        keys = {"tokeniser", "encoding_tokeniser", "minimum_count", "maximum_words", "keep_all_tokens", "fraction"}
        settings = self.settings.model_dump(include=keys)
        return {"tokeniser_name": settings.pop("tokeniser"), **settings}

    def sentence_settings(self) -> dict[str, Any]:
        """Return the settings that determine its sentences."""
        keys = {"reader", "punkt_characters", "expected_sentences", "unit", "normalisation"}
        settings = self.settings.model_dump(include=keys)
        return {"reader_name": settings.pop("reader"), **settings}


@dataclass(frozen=True)
class Model:
    """One thing to train, for each of its seeds.

    Attributes:
        id: name of its folder: a key of ``models``, or that and what a sweep changes.
        family: name of the family's module.
        label: name in tables.
        corpus: name of the corpus.
        parameters: all of the family's parameters, defaults filled in.
        seeds: one trained model each.
        baseline: whether it is untrained.
        column: shown in the tables of sentence-pair scores.
        inputs: name -> path of what it is built on besides its corpus; ``{seed}`` stands for the model's own seed.
        reported: where papers report it: {"paper", "table", "column"} each.
        device: where it is trained.
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
        """Return the paths of what one seed is built on besides its corpus, by name."""
        return {name: path.replace("{seed}", str(seed)) for name, path in self.inputs.items()}

    def settings(self) -> dict[str, Any]:
        """Return the settings that determine its vectors."""
        return {"family": self.family, "parameters": self.parameters}


@dataclass(frozen=True)
class Point:
    """One combination of a sweep.

    Attributes:
        model: the model trained for it.
        of: name of the model that was varied.
        values: the values that make it.
        parts: what is trained for it besides.
        variant: label of the sweep's variant, if it has several.
    """

    model: Model
    of: str
    values: dict[str, Any]
    parts: tuple[Model, ...] = ()
    variant: str = ""


@dataclass(frozen=True)
class System:
    """A column or line of a table: a model, or a published system that no model fills.

    Attributes:
        id: name of the model; None for a system that is only reported.
        label: name in the table.
        baseline: whether it is untrained.
        seeds: seeds of the model.
        reported: the paper's column, or None: {"paper", "table", "column"}.
    """

    id: str | None
    label: str
    baseline: bool = False
    seeds: tuple[int, ...] = ()
    reported: dict[str, Any] | None = None

    def as_dict(self) -> dict[str, Any]:
        """Return it as a rule's parameter."""
        return {
            "id": self.id,
            "label": self.label,
            "baseline": self.baseline,
            "seeds": list(self.seeds),
            "reported": self.reported,
        }


def plan_corpus(name: str, corpora: Mapping[str, CorpusSettings]) -> Corpus:
    """Return a corpus over its base.

    Raises:
        SentrepError: it is its own base.
    """
    own = corpora[name]
    if own.base is None:
        return Corpus(name, name, own)
    if own.base == name:
        raise unknown_name(f"config.corpora.{name}.base", "corpus", name, [n for n in corpora if n != name])
    base = plan_corpus(own.base, corpora)
    changes = {key: getattr(own, key) for key in own.model_fields_set - {"base"}}
    return Corpus(name, base.sentences, base.settings.model_copy(update=changes))


def plan_corpora(corpora: Mapping[str, CorpusSettings], fractions: Iterable[float]) -> dict[str, Corpus]:
    """Return all corpora, and the given fractions of each.

    Raises:
        SentrepError: a corpus is its own base.
    """
    planned = {name: plan_corpus(name, corpora) for name in corpora}
    parts = {
        part_of_corpus(name, fraction): replace(
            whole, name=part_of_corpus(name, fraction), settings=_with_fraction(whole.settings, fraction)
        )
        for name, whole in planned.items()
        for fraction in fractions
        if fraction != 1
    }
    return planned | parts


def part_of_corpus(name: str, fraction: float) -> str:
    """Return the name of a fraction of a corpus: the corpus' own for 1."""
    return name if fraction == 1 else f"{name}~fraction={fraction:g}"


def _with_fraction(settings: CorpusSettings, fraction: float) -> CorpusSettings:
    return settings.model_copy(update={"fraction": settings.fraction * fraction})
