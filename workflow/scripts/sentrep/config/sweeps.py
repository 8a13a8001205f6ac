"""Plan models and sweeps: fill in default parameters, resolve inputs, and vary models over the grid of a sweep."""

from __future__ import annotations

import itertools
import json
from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

from sentrep.config.configuration import Configuration
from sentrep.config.models import Model as ModelSettings
from sentrep.config.models import Sweep
from sentrep.config.paths import Paths
from sentrep.config.plan_corpora import part_of_corpus
from sentrep.config.planned import Model, Point
from sentrep.config.targets import SHOWN_SWEEPS, SWEEP_FIGURES
from sentrep.errors import SentrepError
from sentrep.families import check_inputs, deterministic, parse_parameters
from sentrep.sources.registry import own_files

FRACTION = "fraction"  # key in a sweep's grid for the fraction of the corpus to use


def plan_model(name: str, settings: ModelSettings, config: Configuration, paths: Paths) -> Model:
    """Plan a model from its settings.

    Raises:
        SentrepError: the family, a parameter or an input is unknown; a value is invalid; the model is its own input; or
            it has several seeds although its result does not depend on the seed.
    """
    inputs = _inputs(name, config, paths)
    if len(settings.seeds) > 1 and _repeats(settings.family, inputs):
        raise SentrepError(
            f"config.models.{name}.seeds",
            expected="one seed, because the result is the same for every seed",
            found=", ".join(map(str, settings.seeds)),
            remedy="keep one seed, or train the models under `inputs` with all of these seeds",
        )
    return Model(
        id=name,
        family=settings.family,
        label=settings.label,
        corpus=settings.corpus,
        parameters=_parameters(settings.family, settings.parameters, f"config.models.{name}"),
        seeds=tuple(settings.seeds),
        baseline=settings.baseline,
        column=settings.column,
        inputs=inputs,
        reported=tuple(reported.model_dump() for reported in settings.reported),
        device=settings.device or config.device,
    )


def _repeats(family: str, inputs: Mapping[str, str]) -> bool:
    """Return whether the result of a model is the same for every seed."""
    return deterministic(family) and not any("{seed}" in path for path in inputs.values())


def plan_sweep(name: str, models: Mapping[str, Model], config: Configuration, paths: Paths) -> list[Point]:
    """Return the points of a sweep: first the points of the varied models, then the points of the baselines.

    Raises:
        SentrepError: a parameter of the sweep is unknown or has an invalid value; a fraction is out of range; no table
            or figure shows the sweep; or the sweep varies something that its figure cannot show.
    """
    sweep = config.sweeps[name]
    variants = Variants(f"config.sweeps.{name}", models, config, paths)
    points = [point for model in sweep.models for point in _points(model, sweep, variants, sweep.axes)]
    # Untrained models depend on the corpus but not on training parameters.
    corpora = {key: values for key, values in sweep.axes.items() if key == FRACTION}
    untrained = sweep.model_copy(update={"parameters": {}, "variants": {}})
    points += [point for model in sweep.baselines for point in _points(model, untrained, variants, corpora)]
    _check_shown(name, sweep)
    return points


def _check_shown(name: str, sweep: Sweep) -> None:
    """Check that a sweep is shown in a table or figure, and that it varies only what its figure can show."""
    where = f"config.sweeps.{name}"
    if not sweep.title and name not in SHOWN_SWEEPS:
        raise SentrepError(
            where,
            expected=f"a `title`, or the name of a sweep that is shown without a title ({', '.join(SHOWN_SWEEPS)})",
            found="neither",
            remedy="set `title` and `baselines`",
        )
    parameter = next((f["parameter"] for f in SWEEP_FIGURES.values() if f["sweep"] == name), None)
    if parameter is None:
        return
    if list(sweep.axes) != [parameter] and (sweep.axes or parameter != "epochs"):
        raise SentrepError(
            f"{where}.grid",
            expected=f"only the parameter {parameter}, which the figure of this sweep shows",
            found=", ".join(sweep.axes) or "no parameter",
            remedy=f"set only {parameter} here, and vary other parameters in a sweep of your own with a `title`",
        )
    if labels := [label for label, changes in sweep.variants.items() if changes is not None]:
        raise SentrepError(
            f"{where}.variants",
            expected="no variants, because the figure of this sweep cannot show them",
            found=", ".join(labels),
            remedy="define the variants in a sweep of your own with a `title`",
        )


def _points(name: str, sweep: Sweep, variants: Variants, axes: Mapping[str, list[Any]]) -> list[Point]:
    points: list[Point] = []
    variants_of = {k: v for k, v in sweep.variants.items() if v is not None} if sweep.variants else {"": {}}
    for (label, changes), *combination in itertools.product(variants_of.items(), *axes.values()):
        values = dict(zip(axes, combination, strict=True))
        model, *parts = variants.of(name, {**sweep.parameters, **changes, **values})
        values = {key: variants.value(key, value, (model, *parts)) for key, value in values.items()}
        # Further seeds of a model that does not depend on the seed would only repeat its result.
        seeds = tuple(sweep.seeds or model.seeds)[: 1 if _repeats(model.family, model.inputs) else None]
        model, *parts = (replace(each, seeds=seeds) for each in (model, *parts))
        points.append(Point(model, name, values, tuple(parts), label))
    return points


class Variants:
    """A factory for variants, which are copies of the configured models with changed parameters or inputs.

    Args:
        where: section of the configuration that defines the variants, for error messages.
        models: the configured models, by name.
        config: the configuration of the run.
        paths: paths of the files that the run writes.
    """

    def __init__(self, where: str, models: Mapping[str, Model], config: Configuration, paths: Paths) -> None:
        self._where = where
        self._models = models
        self._config = config
        self._paths = paths

    def of(self, name: str, changes: Mapping[str, Any]) -> list[Model]:
        """Return a variant of a model, followed by the variants of other models that provide its inputs, if any.

        ``changes`` apply to the model itself or, if it has no parameters of its own (for example, a concatenation), to
        the models that provide its inputs. If a configured model has the same settings as the variant, the configured
        model is returned instead.
        """
        base = self._models[name]
        if changes and not base.parameters and any(part.model for part in self._config.models[name].inputs.values()):
            return self._rebuilt(base, changes)
        corpus = self._corpus(base, changes)
        given = {**self._config.models[name].parameters, **changes}
        given.pop(FRACTION, None)
        parameters = _parameters(base.family, given, self._where)
        for model in (base, *self._models.values()):
            same = (model.family, model.corpus, model.parameters) == (base.family, corpus, parameters)
            if same and (model.inputs, model.device) == (base.inputs, base.device):
                return [model]
        differing = {key: value for key, value in parameters.items() if value != base.parameters[key]}
        if corpus != base.corpus:
            differing[FRACTION] = changes[FRACTION]
        return [replace(base, id=f"{name}{_suffix(differing)}", corpus=corpus, parameters=parameters, reported=())]

    def on_other_vectors(self, model: Model, changes: Mapping[str, Any]) -> list[Model]:
        """Return a variant of a model with changed embeddings, followed by the model that provides these embeddings.

        Args:
            model: model with an ``embeddings`` input.
            changes: changed parameters of the model that provides the embeddings. If nothing is changed, or if the
                embeddings do not come from a model, only ``model`` is returned.
        """
        name = self._config.models[model.id.split("~")[0]].inputs["embeddings"].model
        if not changes or name is None:
            return [model]
        vectors = self.of(name, changes)[0]
        paired = set(model.seeds) <= set(vectors.seeds)
        folder = self._paths.model.format(model=vectors.id, seed="{seed}" if paired else vectors.seeds[0])
        suffix = _suffix({f"embeddings.{key}": value for key, value in changes.items()})
        inputs = {**model.inputs, "embeddings": folder}
        return [replace(model, id=f"{model.id}{suffix}", inputs=inputs, reported=()), vectors]

    def value(self, key: str, given: Any, models: tuple[Model, ...]) -> Any:
        """Return the value of a parameter, converted to the type that the model's family declares.

        Args:
            key: name of the parameter.
            given: value in the configuration; it is returned unchanged if none of the models has the parameter.
            models: models that :meth:`of` returned for this value. The first of them that has the parameter provides
                the converted value.
        """
        return next((model.parameters[key] for model in models if key in model.parameters), given)

    def _rebuilt(self, base: Model, changes: Mapping[str, Any]) -> list[Model]:
        """Return a variant of ``base`` whose inputs come from variants of other models, followed by these variants.

        If ``changes`` affect none of the models that provide inputs to ``base``, only ``base`` is returned.
        """
        inputs, parts = dict(base.inputs), list[Model]()
        typed = dict(changes)
        for key, part_of in self._config.models[base.id].inputs.items():
            if part_of.model:
                part, *below = self.of(part_of.model, changes)
                typed |= {name: self.value(name, value, (part, *below)) for name, value in changes.items()}
                if part.id != part_of.model:
                    inputs[key] = self._paths.model.format(model=part.id, seed="{seed}")
                    parts += [part, *below]
        if not parts:
            return [base]
        corpus = self._corpus(base, changes)
        return [replace(base, id=f"{base.id}{_suffix(typed)}", corpus=corpus, inputs=inputs, reported=()), *parts]

    def _corpus(self, base: Model, changes: Mapping[str, Any]) -> str:
        fraction = changes.get(FRACTION, 1)
        if isinstance(fraction, bool) or not isinstance(fraction, int | float) or not 0 < fraction <= 1:
            raise SentrepError(
                f"{self._where}.{FRACTION}",
                expected="fractions above 0 and at most 1",
                found=repr(fraction),
                remedy="correct the value",
            )
        return part_of_corpus(base.corpus, fraction)


def _suffix(values: Mapping[str, Any]) -> str:
    return "".join(f"~{key}={json.dumps(values[key])}".replace('"', "") for key in sorted(values))


def _parameters(family: str, values: Mapping[str, Any], where: str) -> dict[str, Any]:
    return asdict(parse_parameters(family, values, f"{where}.parameters"))


def _inputs(name: str, config: Configuration, paths: Paths) -> dict[str, str]:
    """Return the path of each input of a model, keyed by the name of the input.

    An input is another model, a set of mined pairs, or the manifest of a source or of the user's files. The path of an
    input model contains the wildcard ``{seed}`` if the input model is trained with all seeds of the model ``name``;
    otherwise, the path contains the first seed of the input model.
    """
    found: dict[str, str] = {}
    settings = config.models[name]
    check_inputs(settings.family, settings.inputs, f"config.models.{name}.inputs")
    for key, part in settings.inputs.items():
        if part.model == name:
            raise SentrepError(
                f"config.models.{name}.inputs.{key}",
                expected="another model",
                found=f"'{name}' itself",
                remedy="name another model",
            )
        if part.model:
            theirs = config.models[part.model].seeds
            paired = set(settings.seeds) <= set(theirs)
            found[key] = paths.model.format(model=part.model, seed="{seed}" if paired else theirs[0])
        elif part.pairs:
            found[key] = paths.pairs.format(pairs=part.pairs)
        else:
            found[key] = paths.manifest.format(source=part.source or own_files(name, key))
    return found
