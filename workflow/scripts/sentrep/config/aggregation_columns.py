"""Plan the columns of the weighted aggregation tables and the variants of columns, with the models that each uses."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from pydantic import ValidationError

from sentrep.aggregation.options import Options
from sentrep.config.configuration import Configuration
from sentrep.config.paths import Paths
from sentrep.config.planned import Model
from sentrep.config.sweeps import Variants
from sentrep.config.weighted_aggregation import Column, Variant
from sentrep.errors import SentrepError
from sentrep.runtime.validation_errors import one_line


@dataclass(frozen=True)
class PlannedColumn:
    """A column of the weighted aggregation tables, or a variant of a column with other parameters or options.

    Attributes:
        name: name of the column's folder. This is the key of the column in ``aggregation.columns`` or, for a variant,
            this key followed by ``_variant<n>``.
        settings: configuration of the column, from ``aggregation.columns``.
        variant: label of the variant; "" for the column itself.
        options: evaluation options of the column or variant.
        embeddings: model whose word vectors are aggregated.
        learnt: mapping from the name of a table row to the model with trained weights whose results the row shows.
        parts: word-vector models with changed parameters, which provide the embeddings of the models in ``learnt``;
            empty if the parameters of the word-vector models are unchanged.
    """

    name: str
    settings: Column
    variant: str
    options: Options
    embeddings: Model
    learnt: Mapping[str, Model]
    parts: tuple[Model, ...] = ()

    @property
    def models(self) -> list[Model]:
        """All models that the column uses."""
        return [self.embeddings, *self.learnt.values(), *self.parts]

    @property
    def seeds(self) -> list[int]:
        """Seeds with which the column is evaluated.

        These are the seeds of the models in ``learnt``, which all have the same seeds. If ``learnt`` is empty, the
        seeds of ``embeddings`` are used.
        """
        return list(next(iter(self.learnt.values()), self.embeddings).seeds)

    def inputs(self, seed: int, paths: Paths) -> dict[str, str]:
        """Return the names and paths of the inputs of the Snakemake rule that evaluates the column with one seed.

        The inputs are the text pairs, the word vectors and the trained weights. If a model was not trained with
        ``seed``, the first of its training seeds is used instead.
        """
        models = {"embeddings": self.embeddings, **{f"learnt_{i}": m for i, m in enumerate(self.learnt.values())}}
        found = {
            name: paths.model.format(model=model.id, seed=seed if seed in model.seeds else model.seeds[0])
            for name, model in models.items()
        }
        return {"pairs": paths.pairs.format(pairs=self.settings.pairs), **found}

    def as_dict(self) -> dict[str, Any]:
        """Return the name, labels and seeds of the column as a dictionary that can be passed to a Snakemake rule."""
        about = {"name": self.name, "variant": self.variant, "seeds": self.seeds}
        return {**about, "label": self.settings.label, "reported": self.settings.reported}


def plan_columns(models: Mapping[str, Model], config: Configuration, paths: Paths) -> dict[str, PlannedColumn]:
    """Plan all columns and their variants, and return a mapping from names to planned columns.

    Raises:
        SentrepError: the models that provide the trained weights of a column have different seeds; or a variant
            contains an unknown parameter or option, or an invalid value.
    """
    settings = config.aggregation
    planned: dict[str, PlannedColumn] = {}
    for name, column in settings.columns.items():
        learnt = {label: models[model] for model, label in column.learnt.items()}
        if len({frozenset(model.seeds) for model in learnt.values()}) > 1:
            raise SentrepError(
                f"config.aggregation.columns.{name}.learnt",
                expected="models with the same seeds",
                found="; ".join(f"{model.id} (seeds: {', '.join(map(str, model.seeds))})" for model in learnt.values()),
                remedy="set the same `seeds` in all of these models",
            )
        planned[name] = PlannedColumn(name, column, "", settings.options, models[column.embeddings], learnt)
    chosen = {label: variant for label, variant in settings.variants.items() if variant}
    for number, (label, variant) in enumerate(chosen.items(), 1):
        where = f"config.aggregation.variants.{label}"
        variants = Variants(where, models, config, paths)
        options = _options(settings.options, variant, where)
        for name in settings.variant_columns:
            column, learnt, parts = settings.columns[name], dict[str, Model](), list[Model]()
            for model, row in column.learnt.items():
                learnt[row], *built_on = variants.on_other_vectors(
                    variants.of(model, variant.learnt)[0], variant.embeddings
                )
                parts += built_on
            embeddings = variants.of(column.embeddings, variant.embeddings)[0]
            variant_name = f"{name}_variant{number}"
            planned[variant_name] = PlannedColumn(
                variant_name, column, label, options, embeddings, learnt, tuple(parts)
            )
    return planned


def _options(options: Options, variant: Variant, where: str) -> Options:
    try:
        return Options(**{**options.model_dump(), **variant.options})
    except ValidationError as error:
        raise one_line(error, Options, f"{where}.options.") from None
