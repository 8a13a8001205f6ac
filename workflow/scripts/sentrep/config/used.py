"""Which corpora and sources a configuration needs, and which files the user named for a source."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sentrep.config.plan import Plan

OWN_PAIRS = "own_pairs"  # source of the user's own sentence pairs


def used_corpora(config: Mapping[str, Any], plan: Plan) -> dict[str, Any]:
    """Return the corpora that a model is trained on."""
    used = {model.corpus for model in plan.trained.values()}
    return {name: corpus for name, corpus in config["corpora"].items() if name in used}


def used_sources(config: Mapping[str, Any], plan: Plan) -> set[str]:
    """Return the sources of the corpora, of what models are built on and of everything they are evaluated on.

    Args:
        config: resolved; sections of papers that are not replicated are None.
        plan: of this configuration.
    """
    sources = {corpus["source"] for corpus in used_corpora(config, plan).values()}
    sources |= set(config["evaluation"]["sources"].values())
    sources |= {OWN_PAIRS} if config["evaluation"]["own"] else set()
    built_on = {path for model in plan.trained.values() for path in model.inputs.values()}
    sources |= {Path(path).stem for path in built_on if path.endswith(".json")}
    if config["aggregation"]:
        sources |= {pairs["source"] for pairs in config["pairs"].values() if pairs.get("source")}
    if config["transfer"]:
        sources |= {name for task in config["transfer"]["tasks"].values() for name in task["sources"]}
    corpora = []
    if config["analogies"]:
        sources |= {source for source in config["analogies"]["questions"].values() if source}
        corpora.append(config["analogies"]["corpus"])
    if config["nearest_sentences"]:
        corpora.append(config["nearest_sentences"]["corpus"])
    sources |= {config["corpora"][name]["source"] for name in corpora if name}
    retrieval = config["retrieval"]
    return sources | ({retrieval["source"]} if retrieval and retrieval["source"] and retrieval["models"] else set())


def source_patterns(config: Mapping[str, Any], source: str) -> list[str] | None:
    """Return the files that the user named for a source, or None."""
    users = [c for name, c in config["corpora"].items() if c["source"] == source and c["sentences"] == name]
    if config["transfer"]:
        users += [task for task in config["transfer"]["tasks"].values() if source in task["sources"]]
    if config["retrieval"] and config["retrieval"]["source"] == source:
        users.append(config["retrieval"])
    if source == OWN_PAIRS:
        users.append({"files": config["evaluation"]["own"]})
    return [pattern for user in users for pattern in user.get("files") or []] or None
