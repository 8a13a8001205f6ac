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

# Maps each section of the configuration that only one paper uses to the name of this paper.
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

    Without ``only``, these models are kept:

    - models that have neither ``paper`` nor ``reported`` and therefore belong to no paper;
    - models that belong to a selected paper, because ``paper`` or ``reported`` names this paper. If a model has no
      ``reported``, it must also be a column of the tables of sentence-pair scores, or be named in the section
      ``evaluation`` or ``tables``;
    - models that are named in a sweep of a selected paper or in a section for a selected paper (:data:`SECTIONS`).

    With ``only``, the models that it names and the baselines that results/table1 shows are kept, whatever paper they
    belong to. In both cases, the models on which a kept model is built are kept as well.

    All other models are removed. Models that are set to null and models built on them are always removed; if one of
    these is a member of the ensemble, the ensemble is removed. The following parts are also removed: the sweeps and
    tables of papers that are not selected (with ``only``, all sweeps), references to removed models, and sweeps without
    remaining models or variants.

    Args:
        config: a complete, valid configuration.
        missing: names of models that the configuration sets to null.

    Returns:
        The restricted configuration.

    Raises:
        SentrepError: ``only`` names a model that is unknown or removed; or ``only`` is set and a kept model needs mined
            text pairs.
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
        log.warning(
            "config.models: leaving out these models, which are built on models that are set to null: %s",
            ", ".join(also),
        )
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
    """Remove the parts of a configuration that a run with ``only`` omits.

    These parts are the sweeps, the weighted aggregation paper and, from the Quick Thoughts paper, the ensemble, the CNN
    of Kim (2014), the retrieval task, the nearest sentences and the analogies. If the weighted aggregation paper is the
    only selected paper, the Siamese CBOW paper is selected instead.
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
    """Remove the ensemble of the Quick Thoughts paper if any of its members is missing.

    If the run replicates this paper, the removal is logged as a warning.
    """
    gone = [name for name in config.transfer.ensemble if name in missing]
    if not gone:
        return config
    if SECTIONS["transfer"] in config.papers:
        log.warning(
            "config.transfer.ensemble: leaving out the ensemble, because these members are set to null or built on a "
            "model that is set to null: %s; to combine the other members, list them under `ensemble`",
            ", ".join(gone),
        )
    return config.model_copy(update={"transfer": config.transfer.model_copy(update={"ensemble": []})})


def _check_only(only: Iterable[str], wanted: set[str], models: Mapping[str, Model]) -> None:
    """Check that the models named in ``only`` are kept, and that no kept model needs mined text pairs.

    Raises:
        SentrepError: a model in ``only`` is unknown or removed, or a kept model needs mined text pairs.
    """
    for name in only:
        if name in wanted:
            continue
        if name in models:
            raise SentrepError(
                "config.only",
                expected="models that can be trained",
                found=f"'{name}', which is built on a model that is set to null",
                remedy=f"name another model, or restore the model that '{name}' needs",
            )
        raise unknown_name("config.only", "model", name, models)
    for name in sorted(wanted):
        if any(part.pairs for part in models[name].inputs.values()):
            raise SentrepError(
                "config.only",
                expected="models that do not need mined text pairs",
                found=f"'{name}', which needs such pairs",
                remedy="name other models, or remove `only` and set `papers` to [weighted_aggregation]",
            )


def kept_sections(config: Configuration) -> list[str]:
    """Return the top-level keys of the configuration, except those that only unselected papers use."""
    return [name for name in type(config).model_fields if SECTIONS.get(name, config.papers[0]) in config.papers]


def kept_references(config: Configuration) -> Iterator[Found]:
    """Yield the references to models, corpora, pairs and sources in the sections that the selected papers use."""
    return _found(config, kept_sections(config))


def _found(config: Configuration, names: Iterable[str]) -> Iterator[Found]:
    hints = {name: type(config).model_fields[name].rebuild_annotation() for name in names}
    kept = kept_sections(config)
    return chain.from_iterable(
        references(getattr(config, name), hint, f"config.{name}") for name, hint in hints.items() if name in kept
    )


def _named(config: Configuration, sections: Iterable[str]) -> set[str]:
    """Return the names of the models to which the given sections of the configuration refer."""
    return {found.name for found in _found(config, sections) if found.kind == "model"}


def _without(config: Configuration, section: str, gone: set[str]) -> Any:
    return without_models(getattr(config, section), type(config).model_fields[section].rebuild_annotation(), gone)


def _belongs(model: Model, papers: set[str], listed: bool) -> bool:
    """Return whether to keep a model that is named neither in a sweep nor in a section for a single paper.

    To be kept, the model must belong to a selected paper or to no paper. A model that has a ``paper`` but no
    ``reported`` must also be a column of the tables of sentence-pair scores, unless ``listed`` is true.

    Args:
        model: the model.
        papers: the selected papers.
        listed: whether the section ``evaluation`` or ``tables`` names the model.
    """
    if model.paper and not (model.column or model.reported or listed):
        return False  # the model exists only for sweeps or evaluations
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
