"""What is retrieved, and by which models: captioned images, nearest sentences, analogies; checked beforehand."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from sentrep.config.plan import Model, Plan
from sentrep.errors import unknown_name
from sentrep.sources.registry import read_sources
from sentrep.tables.reported import Reported


def chosen_models(plan: Plan, section: str, settings: Mapping[str, Any]) -> list[Model]:
    """Return the models that a section of the configuration names, with the seeds that it asks for.

    Args:
        plan: all models.
        section: its name, for errors.
        settings: ``models``, and ``seeds``: at most so many of each model; without it, the first one.

    Raises:
        SentrepError: a model is not known.
    """
    for name in settings["models"]:
        if name not in plan.models:
            raise unknown_name(f"{section}.models", "model", name, plan.models)
    count = settings.get("seeds", 1)
    return [replace(plan.models[name], seeds=plan.models[name].seeds[:count]) for name in settings["models"]]


def paper_queries(paper: Reported) -> list[str]:
    """Return the queries that Quick Thoughts prints in table 5, in its order."""
    return [text for row in paper.rows(5) if (text := paper.text(5, row, "Query", "sentence"))]


def check_retrieval(config: Mapping[str, Any]) -> None:
    """Check that the sources and corpora of these sections are known.

    Raises:
        SentrepError: one is not.
    """
    sources = read_sources()
    named = {"retrieval.source": config["retrieval"]["source"]}
    named |= {f"analogies.questions.{name}": source for name, source in config["analogies"]["questions"].items()}
    for where, source in named.items():
        if source is not None and source not in sources:
            raise unknown_name(where, "source", source, sources)
    for section in ("nearest_sentences", "analogies"):
        corpus = config[section]["corpus"]
        if corpus is not None and corpus not in config["corpora"]:
            raise unknown_name(f"{section}.corpus", "corpus", corpus, config["corpora"])
