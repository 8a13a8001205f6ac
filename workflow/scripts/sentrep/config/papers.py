"""Restrict a configuration to the selected papers or models."""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import Any

from sentrep.config.configuration import Configuration
from sentrep.config.models import Model
from sentrep.config.references import Found, references, without_models
from sentrep.errors import SentrepError, unknown_name

log = logging.getLogger("sentrep")

# Sections of the configuration that only one paper uses.
SECTIONS = {
    "pairs": "weighted_aggregation",
    "aggregation": "weighted_aggregation",
    "transfer": "quick_thoughts",
    "retrieval": "quick_thoughts",
    "nearest_sentences": "quick_thoughts",
    "analogies": "quick_thoughts",
}


def only_papers(config: Configuration, missing: set[str]) -> Configuration:
    """Restrict a configuration to the papers in ``papers`` or, if ``only`` is set, to the models that ``only`` names.

    Without ``only``, a model is kept if it belongs to a selected paper (by ``paper`` or ``reported``), if it belongs to
    no paper, or if a sweep or evaluation of a selected paper uses it. A model that belongs to a paper only by ``paper``
    must also be a column of the tables of sentence-pair scores, or a sweep or evaluation must use it; without a sweep,
    models that are trained only for this sweep are therefore not trained. With ``only``, the named models and the
    baselines of results/table1 are kept, regardless of the paper that they belong to. In both cases, the models on
    which a kept model is built are kept as well.

    All other models are removed, and so are models that are set to null, the models built on them, and an ensemble with
    such members. The sweeps and tables of other papers (with ``only``, all sweeps), references to removed models, and
    sweeps without remaining models or variants are removed as well.

    Args:
        config: a complete, valid configuration.
        missing: names of models that the configuration sets to null.

    Returns:
        The restricted configuration.

    Raises:
        SentrepError: ``only`` names an unknown model, or one of the models to keep needs mined text pairs.
    """
    if config.only is not None:
        config = _without_comparisons(config)
    papers: set[str] = set(config.papers)
    sweeps = {name: sweep for name, sweep in config.sweeps.items() if sweep.paper in papers}
    tables = config.tables.model_copy(
        update={
            "sts": {paper: table for paper, table in config.tables.sts.items() if paper in papers},
            "systems": {paper: numbers for paper, numbers in config.tables.systems.items() if paper in papers},
        }
    )
    config = config.model_copy(update={"sweeps": sweeps, "tables": tables})
    if config.only is None:
        named = _named(config, (*SECTIONS, "sweeps"))
        listed = _named(config, ("evaluation", "tables"))
        wanted = {
            name for name, model in config.models.items() if name in named or _belongs(model, papers, name in listed)
        }
    else:
        wanted = {name for name, model in config.models.items() if model.baseline and model.column}
        wanted |= set(config.only)
    removed, missing = missing, _with_dependents(missing, config.models)
    if also := sorted((wanted & missing) - removed):
        log.warning("config.models: leaving out %s too, because the models they need are set to null", ", ".join(also))
    config = _without_partial_ensemble(config, missing)
    wanted = _with_inputs(wanted - missing, config.models)
    if config.only is not None:
        _check_only(config.only, wanted, config.models)
    gone = missing | (set(config.models) - wanted)
    kept = {name: _without(config, name, gone) for name in (*SECTIONS, "evaluation", "tables", "sweeps")}
    kept["sweeps"] = {name: sweep for name, sweep in kept["sweeps"].items() if sweep.models and not sweep.is_empty}
    kept["models"] = {name: model for name, model in config.models.items() if name in wanted}
    return config.model_copy(update=kept)


def _without_comparisons(config: Configuration) -> Configuration:
    """Remove all comparisons with models that ``only`` does not name.

    The removed parts are the sweeps, the weighted aggregation paper, and some evaluations of the Quick Thoughts paper.
    """
    alone = {"models": []}
    transfer = {"models": None, "ensemble": [], "cnn": None}
    return config.model_copy(
        update={
            "papers": [paper for paper in config.papers if paper != "weighted_aggregation"] or ["siamese_cbow"],
            "sweeps": {},
            "transfer": config.transfer.model_copy(update=transfer),
            **{n: getattr(config, n).model_copy(update=alone) for n in ("retrieval", "nearest_sentences", "analogies")},
        }
    )


def _without_partial_ensemble(config: Configuration, missing: set[str]) -> Configuration:
    """Leave out the ensemble of the Quick Thoughts paper if one of its members is missing, and warn about it."""
    gone = [name for name in config.transfer.ensemble if name in missing]
    if not gone:
        return config
    if SECTIONS["transfer"] in config.papers:
        log.warning(
            "config.transfer.ensemble: leaving out the ensemble, because %s is set to null or needs a model that is; "
            "to combine the other members, list them under `ensemble`",
            ", ".join(gone),
        )
    return config.model_copy(update={"transfer": config.transfer.model_copy(update={"ensemble": []})})


def _check_only(only: Iterable[str], wanted: set[str], models: Mapping[str, Model]) -> None:
    """Check that the models named under ``only`` exist, and that no model that is kept needs mined text pairs.

    Raises:
        SentrepError: a name is unknown or belongs to a model set to null, or a model that is kept needs mined text
            pairs.
    """
    for name in only:
        if name not in wanted:
            raise unknown_name("config.only", "model", name, models)
    for name in sorted(wanted):
        if any(part.pairs for part in models[name].inputs.values()):
            raise SentrepError(
                "config.only",
                expected="models that do not need mined text pairs",
                found=f"'{name}', which needs such pairs",
                remedy="remove `only` and set `papers` to [weighted_aggregation]",
            )


def kept_sections(config: Configuration) -> list[str]:
    """Return the top-level keys of the configuration, without the sections that only unselected papers use."""
    return [name for name in type(config).model_fields if SECTIONS.get(name, config.papers[0]) in config.papers]


def kept_references(config: Configuration) -> Iterator[Found]:
    """Yield every reference to a named entry in the configuration sections that the selected papers use."""
    return _found(config, kept_sections(config))


def _found(config: Configuration, names: Iterable[str]) -> Iterator[Found]:
    hints = {name: type(config).model_fields[name].rebuild_annotation() for name in names}
    kept = kept_sections(config)
    return chain.from_iterable(
        references(getattr(config, name), hint, f"config.{name}") for name, hint in hints.items() if name in kept
    )


def _named(config: Configuration, sections: Iterable[str]) -> set[str]:
    """Return the names of the models to which sections of the configuration refer."""
    return {found.name for found in _found(config, sections) if found.kind == "model"}


def _without(config: Configuration, section: str, gone: set[str]) -> Any:
    return without_models(getattr(config, section), type(config).model_fields[section].rebuild_annotation(), gone)


def _belongs(model: Model, papers: set[str], listed: bool) -> bool:
    """Return whether a model belongs to one of the papers or, like baselines and users' models, to no paper.

    Args:
        model: the model.
        papers: the selected papers.
        listed: whether an evaluation or table names the model.
    """
    if model.paper and not (model.column or model.reported or listed):
        return False  # it exists for a sweep, or for an evaluation that does not use it
    owners = {reported.paper for reported in model.reported} | ({model.paper} if model.paper else set())
    return not owners or bool(owners & papers)


def _with_dependents(names: set[str], models: Mapping[str, Model]) -> set[str]:
    """Return the given models and all models built on them, directly or indirectly."""
    built = {name for name, model in models.items() if {part.model for part in model.inputs.values()} & names}
    return names if built <= names else _with_dependents(names | built, models)


def _with_inputs(names: Iterable[str], models: Mapping[str, Model]) -> set[str]:
    """Return the given models and all models that they are built on, directly or indirectly."""
    found: set[str] = set()
    queue = [name for name in names if name in models]
    while queue:
        found.add(name := queue.pop())
        parts = (part.model for part in models[name].inputs.values())
        queue += [part for part in parts if part and part in models and part not in found]
    return found
