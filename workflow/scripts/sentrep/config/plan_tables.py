"""Determine which systems each table compares."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sentrep.config.evaluation import Evaluation, Tables
from sentrep.config.planned import Model, System
from sentrep.config.systems import headline, of_paper, unfilled
from sentrep.sources.published import Published


@dataclass(frozen=True)
class TablesPlan:
    """The plan of the tables: the models in each table, and the published systems that no model reproduces."""

    settings: Tables
    evaluation: Evaluation
    models: Mapping[str, Model]
    columns: Sequence[Model]
    published: Mapping[str, Published]
    papers: Sequence[str]

    def systems(self, paper: str, table: int | None = None) -> list[System]:
        """Return the systems in one table of a paper or, if ``table`` is None, in any of its tables.

        Models that are not shown as columns are omitted; see :func:`~sentrep.config.systems.of_paper`.
        """
        return of_paper(self.columns, self.published, paper, table)

    @property
    def all_systems(self) -> list[System]:
        """All models as systems, including models that are not columns of the tables of sentence-pair scores."""
        return headline(self.models.values(), self.published)

    @property
    def model_rows(self) -> list[dict[str, Any]]:
        """Rows of the table of models: all models, each with the papers that report values for it."""
        return [
            {**s.as_dict(), "papers": list(dict.fromkeys(r["paper"] for r in self.models[s.id or ""].reported))}
            for s in self.all_systems
        ]

    @property
    def trained_systems(self) -> list[System]:
        """Systems whose training times are compared: the systems in table 1 of the Quick Thoughts paper."""
        systems = of_paper(self.models.values(), self.published, "quick_thoughts", 1)
        return [system for system in systems if system.reported]

    @property
    def encoding_systems(self) -> list[System]:
        """Systems whose encoding times are measured for table 3 of the Siamese CBOW paper."""
        systems = headline(self.columns, self.published)
        return [system for system in systems if system.id in self.evaluation.timed_models]

    @property
    def unfilled_systems(self) -> list[System]:
        """Published systems that no model reproduces."""
        return unfilled(self.models.values(), self.published, self.settings.systems)

    @cached_property
    def sts(self) -> dict[str, dict[str, Any]]:
        """Systems and settings of each table of sentence-pair scores, keyed by the table's name in ``tables.yaml``."""
        tables: dict[str, dict[str, Any]] = {
            f"{paper}/table{table.number}": {
                "models": [system.as_dict() for system in self.systems(paper, table.number)],
                **self._daggers(table.baseline, table.daggers),
                "means": ["year", "mean"] if table.year_means else ["mean"],
                "title": table.title,
            }
            for paper, table in self.settings.sts.items()
        }
        models = [system.as_dict() for system in headline(self.columns, self.published)]
        tables["sentrep/table1"] = {"models": models, **self._daggers("word2vec_cbow", ["siamese_cbow"])}
        if "quick_thoughts" in self.papers:
            models = [system.as_dict() for system in self.systems("quick_thoughts", 8)]
            only = {"years": [2014], "protocols": ["paper"], "means": ["overall"]}
            tables["quick_thoughts/table8"] = {"models": models, **only}
        return tables

    def _daggers(self, baseline: str | None, models: Iterable[str]) -> dict[str, Any]:
        """Return the settings ``baseline`` and ``daggers`` of a table, restricted to configured models."""
        found = [name for name in models if {name, baseline} <= set(self.models)]
        return {"baseline": baseline if found else None, "daggers": found}
