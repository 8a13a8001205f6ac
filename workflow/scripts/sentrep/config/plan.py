"""The plan: every model to train, where sweeps share models with tables, and what each figure is drawn from."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Any

from sentrep.errors import unknown_name
from sentrep.families import parse_parameters
from sentrep.sources.registry import read_sources


@dataclass(frozen=True)
class Model:
    """One thing to train, for each of its seeds.

    Attributes:
        id: name of its folder: a key of `models`, or that and what a sweep changes.
        family: name of the family's module.
        label: name in tables.
        corpus: name of the corpus.
        parameters: all of the family's parameters, defaults filled in.
        seeds: one trained model each.
        floor: an untrained comparison.
        column: shown in the tables of sentence-pair scores.
        inputs: name -> folder under results/<preset>/ of what it is built on besides its corpus.
        reported: where papers print it: {"paper", "table", "column"} each.
        device: where it is trained.
    """

    id: str
    family: str
    label: str
    corpus: str
    parameters: dict[str, Any]
    seeds: tuple[int, ...]
    floor: bool = False
    column: bool = True
    inputs: dict[str, str] = field(default_factory=dict)
    reported: tuple[dict[str, Any], ...] = ()
    device: str = "auto"


@dataclass(frozen=True)
class Point:
    """One combination of a sweep: the model trained for it, the values that make it, what is built for it besides."""

    model: Model
    of: str
    values: dict[str, Any]
    parts: tuple[Model, ...] = ()


@dataclass(frozen=True)
class Plan:
    """Everything to train: ``models`` are the columns of table 1, ``sweeps`` the points of each figure.

    ``trained`` holds each distinct model once, with the seeds that anything asks for.
    """

    models: dict[str, Model]
    sweeps: dict[str, list[Point]]
    trained: dict[str, Model]


def make_plan(config: Mapping[str, Any]) -> Plan:
    """Read a resolved configuration (:func:`sentrep.config.resolve.resolve`).

    Raises:
        SentrepError: a model names an unknown family, corpus or parameter; a sweep an unknown model.
    """
    models = {name: _model(name, entry, config) for name, entry in config["models"].items()}
    sweeps = {name: _points(name, entry, models, config) for name, entry in config["sweeps"].items()}
    trained = dict(models)
    for point in itertools.chain.from_iterable(sweeps.values()):
        for model in (*point.parts, point.model):
            before = trained.get(model.id, model)
            trained[model.id] = replace(before, seeds=tuple(sorted({*before.seeds, *model.seeds})))
    evaluation = config["evaluation"]
    for key, names in {
        "timed_models": evaluation["timed_models"],
        "neighbours": evaluation["neighbours"]["models"],
    }.items():
        for name in names:
            if name not in models:
                raise unknown_name(f"evaluation.{key}", "model", name, models)
    return Plan(models, sweeps, trained)


def _model(name: str, entry: Mapping[str, Any], config: Mapping[str, Any]) -> Model:
    corpora = config["corpora"]
    if entry["corpus"] not in corpora:
        raise unknown_name(f"models.{name}.corpus", "corpus", entry["corpus"], corpora)
    parameters = parse_parameters(entry["family"], entry.get("parameters") or {}, f"models.{name}.parameters")
    return Model(
        id=name,
        family=entry["family"],
        label=entry["label"],
        corpus=entry["corpus"],
        parameters=asdict(parameters),
        seeds=tuple(entry["seeds"]),
        floor=entry.get("floor", False),
        column=entry.get("column", True),
        inputs=_inputs(name, entry.get("inputs") or {}, config),
        reported=tuple(entry.get("reported") or ()),
        device=entry.get("device", config["device"]),
    )


def _inputs(name: str, inputs: Mapping[str, Mapping[str, str]], config: Mapping[str, Any]) -> dict[str, str]:
    """Return the path of each input: another model's first seed, mined pairs, or the manifest of a source."""
    folders: dict[str, str] = {}
    for key, reference in inputs.items():
        (kind, other), *_ = reference.items()
        known = {"model": config["models"], "pairs": config["pairs"], "source": read_sources()}[kind]
        if other not in known or (kind, other) == ("model", name):
            raise unknown_name(f"models.{name}.inputs.{key}", kind, other, [n for n in known if n != name])
        if kind == "model":
            folders[key] = f"models/{other}/seed{config['models'][other]['seeds'][0]}"
        else:
            folders[key] = f"pairs/{other}" if kind == "pairs" else f"sources/{other}.json"
    return folders


def _points(
    sweep: str, entry: Mapping[str, Any], models: Mapping[str, Model], config: Mapping[str, Any]
) -> list[Point]:
    points = []
    grid = entry["grid"]
    for name in [*entry["models"], *entry.get("floors", [])]:
        if name not in config["models"]:
            raise unknown_name(f"sweeps.{sweep}.models", "model", name, config["models"])
        is_floor = name not in entry["models"]
        # A floor is not trained, so only the corpus makes a difference to it.
        axes = {key: values for key, values in grid.items() if key == "corpus" or not is_floor}
        for combination in itertools.product(*axes.values()):
            values = dict(zip(axes, combination, strict=True))
            common = {} if is_floor else entry.get("parameters") or {}
            model, *parts = _variant(name, {**common, **values}, models, config, f"sweeps.{sweep}")
            seeds = tuple(entry.get("seeds", model.seeds))
            points.append(Point(replace(model, seeds=seeds), name, values, tuple(parts)))
    return points


def _variant(
    name: str, changes: Mapping[str, Any], models: Mapping[str, Model], config: Mapping[str, Any], where: str
) -> list[Model]:
    """Return the model ``name`` with some parameters changed; the model itself if that changes nothing.

    A model without parameters, a concatenation, passes them on to what it is built on; the changed models follow it.
    """
    base = models[name]
    if changes and not base.parameters and base.inputs:
        return _rebuilt(base, changes, models, config, where)
    corpus = changes.get("corpus", base.corpus)
    if corpus not in config["corpora"]:
        raise unknown_name(f"{where}.grid.corpus", "corpus", corpus, config["corpora"])
    given = {**(config["models"][name].get("parameters") or {}), **changes}
    given.pop("corpus", None)
    parameters = asdict(parse_parameters(base.family, given, where))
    if (corpus, parameters) == (base.corpus, base.parameters):
        return [base]
    differing = {key: value for key, value in parameters.items() if value != base.parameters[key]}
    if corpus != base.corpus:
        differing["corpus"] = corpus
    suffix = "".join(f"~{key}={differing[key]}" for key in sorted(differing))
    return [replace(base, id=f"{name}{suffix}", corpus=corpus, parameters=parameters, reported=())]


def _rebuilt(
    base: Model, changes: Mapping[str, Any], models: Mapping[str, Model], config: Mapping[str, Any], where: str
) -> list[Model]:
    """Return a model built on changed models, and these; the model itself if none of them changes."""
    inputs, parts = dict(base.inputs), []
    for key, reference in config["models"][base.id]["inputs"].items():
        if "model" in reference:
            part, *below = _variant(reference["model"], changes, models, config, where)
            seed = part.seeds[0]
            if part.id != reference["model"]:
                inputs[key] = f"models/{part.id}/seed{seed}"
                parts += [replace(part, seeds=(seed,)), *below]
    if not parts:
        return [base]
    suffix = "".join(f"~{key}={changes[key]}" for key in sorted(changes))
    corpus = changes.get("corpus", base.corpus)
    return [replace(base, id=f"{base.id}{suffix}", corpus=corpus, inputs=inputs, reported=()), *parts]
