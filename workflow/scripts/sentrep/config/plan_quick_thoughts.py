"""Plan the evaluations that are specific to the Quick Thoughts paper."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sentrep.config.paths import Paths
from sentrep.config.planned import Corpus, Model, System
from sentrep.config.quick_thoughts import Analogies, NearestSentences, Retrieval, Transfer
from sentrep.config.systems import of_models
from sentrep.sources.published import Published
from sentrep.sources.registry import own_files

PAPER = "quick_thoughts"


@dataclass(frozen=True)
class _Part:
    """Base class of the plans in this module, with the attributes and methods that they share."""

    configured: Mapping[str, Model]
    paper: Published
    paths: Paths

    def first_seeds(self, names: Iterable[str], seeds: int | None) -> list[Model]:
        """Return the named models, each with its first ``seeds`` seeds, or with all its seeds if ``seeds`` is None."""
        return [replace(self.configured[name], seeds=self.configured[name].seeds[:seeds]) for name in names]

    def first_files(self, names: Iterable[str], pattern: str) -> list[str]:
        """Fill in a path pattern for each named model and its first seed, and return the paths."""
        return [pattern.format(model=model.id, seed=model.seeds[0]) for model in self.first_seeds(names, 1)]


@dataclass(frozen=True)
class TransferPlan(_Part):
    """The plan for the transfer tasks: the models to score, and the tasks to score them on."""

    settings: Transfer

    @property
    def models(self) -> list[Model]:
        """Models to score, each with at most the configured number of seeds."""
        columns = [model.id for model in self.configured.values() if model.column]
        names = columns if self.settings.models is None else self.settings.models
        return self.first_seeds(names, self.settings.seeds)

    @property
    def sources_of(self) -> dict[str, list[str]]:
        """Names of the sources of each task, keyed by the name of the task.

        If the user configured files for a task, these files are the only source of the task.
        """
        return {
            name: [own_files(name, "task")] if task.files else task.sources
            for name, task in self.settings.tasks.items()
        }

    @property
    def sources(self) -> set[str]:
        """Names of the sources of all tasks."""
        return {name for names in self.sources_of.values() for name in names}

    @property
    def manifests(self) -> dict[str, list[str]]:
        """Paths of the manifests of each task's sources, keyed by the name of the task."""
        return {
            name: [self.paths.manifest.format(source=source) for source in sources]
            for name, sources in self.sources_of.items()
        }

    @property
    def tasks(self) -> dict[str, dict[str, Any]]:
        """Settings for reading the files of each task, keyed by the name of the task."""
        return {
            name: {
                **task.model_dump(exclude_none=True, exclude_defaults=True, exclude={"files"}),
                "sources": self.sources_of[name],
            }
            for name, task in self.settings.tasks.items()
        }

    @property
    def task_labels(self) -> dict[str, dict[str, str]]:
        """Label and measure of each task, keyed by the name of the task."""
        return {name: {"label": task.label, "measure": task.measure} for name, task in self.settings.tasks.items()}

    @property
    def task_files(self) -> list[str]:
        """Paths of the files that contain the items of the tasks, one file per task."""
        return [self.paths.task.format(task=name) for name in self.settings.tasks]

    @property
    def ensemble_predictions(self) -> list[str]:
        """Paths of the files with the predictions that the ensemble combines: one per member, from its first seed."""
        return self.first_files(self.settings.ensemble, self.paths.predictions)

    @property
    def cnn_vectors(self) -> list[str]:
        """List with the folder of the model whose word vectors initialise the CNN of Kim (2014).

        The list is empty if the CNN is omitted.
        """
        return self.first_files([self.settings.cnn.vectors] if self.settings.cnn else [], self.paths.model)

    @property
    def cnn_settings(self) -> dict[str, Any]:
        """Hyper-parameters of the CNN of Kim (2014), by name; empty if the CNN is omitted."""
        return self.settings.cnn.settings.model_dump() if self.settings.cnn else {}

    @property
    def cnn_tasks(self) -> list[str]:
        """Names of the tasks on which the CNN of Kim (2014) is trained.

        These are the tasks whose measure is ``accuracy``. If the CNN is omitted, the list is empty.
        """
        tasks = self.settings.tasks if self.settings.cnn else {}
        return [name for name, task in tasks.items() if task.measure == "accuracy"]

    @property
    def score_files(self) -> list[str]:
        """Paths of the files with transfer scores: those of all models, the ensemble, and the CNN of Kim (2014)."""
        return [
            *(self.paths.transfer_scores.format(model=m.id, seed=seed) for m in self.models for seed in m.seeds),
            *([self.paths.ensemble] if self.settings.ensemble else []),
            *(self.paths.kim_cnn.format(task=task) for task in self.cnn_tasks),
        ]

    def systems(self, table: int) -> list[System]:
        """Return the systems in a table of transfer scores: results/quick_thoughts/table1, table2 or table3."""
        others = {
            **({"Ensemble": "ensemble"} if self.settings.ensemble else {}),
            **({"CNN": "kim_cnn"} if self.settings.cnn else {}),
        }
        columns = self.paper.columns(table)
        return of_models(self.models, self.paper, PAPER, table, {c: i for c, i in others.items() if c in columns})


@dataclass(frozen=True)
class RetrievalPlan(_Part):
    """The plan for the retrieval of images and captions: the models to score, and the source of the images."""

    settings: Retrieval

    @property
    def models(self) -> list[Model]:
        """Models to score, each with at most the configured number of seeds."""
        return self.first_seeds(self.settings.models, self.settings.seeds)

    @property
    def sources(self) -> set[str]:
        """Set that contains the name of the image source; empty if the images are synthetic or no model is scored."""
        return {self.settings.source} if self.settings.source and self.settings.models else set()

    @property
    def images(self) -> str:
        """Path of the manifest of the captioned images or, if they are synthetic, of the folder that contains them."""
        source = self.settings.source
        return self.paths.manifest.format(source=source) if source else self.paths.sample_images

    def systems(self) -> list[System]:
        """Return the systems in results/quick_thoughts/table4."""
        return of_models(self.models, self.paper, PAPER, 4)


@dataclass(frozen=True)
class NearestPlan(_Part):
    """The plan for finding the sentences nearest to given queries: the models to compare, and the pool to search."""

    settings: NearestSentences
    corpus: Corpus

    @property
    def models(self) -> list[Model]:
        """Models to compare, each with only its first seed."""
        return self.first_seeds(self.settings.models, 1)

    def pool_settings(self) -> dict[str, Any]:
        """Return the settings for drawing the pool of sentences to search; the queries are excluded from the pool."""
        return _pool_settings(self.settings, self.queries)

    def systems(self) -> list[System]:
        """Return the systems in results/quick_thoughts/table5."""
        return [System(model.id, model.label, model.baseline, model.seeds) for model in self.models]

    @property
    def sources(self) -> set[str]:
        """Names of the sources of the corpus from which the search pool is drawn."""
        return set(self.corpus.sources)

    @property
    def sentences(self) -> list[str]:
        """Folders that contain the sentences from which the search pool is drawn."""
        return self.paths.parts(self.corpus)

    @property
    def queries(self) -> list[str]:
        """The configured queries or, by default, the queries in table 5 of the Quick Thoughts paper."""
        published = (self.paper.text(5, row, "Query", "sentence") for row in self.paper.rows(5))
        return self.settings.queries or [text for text in published if text]


@dataclass(frozen=True)
class AnalogiesPlan(_Part):
    """The plan for analogies between sentences: the models to score, and the data from which analogies are mined."""

    settings: Analogies
    corpus: Corpus | None

    @property
    def models(self) -> list[Model]:
        """Models to score, each with at most the configured number of seeds."""
        return self.first_seeds(self.settings.models, self.settings.seeds)

    @property
    def questions(self) -> dict[str, str]:
        """Name of the source of each configured set of word analogies, keyed by the name of the set."""
        return {name: source for name, source in self.settings.questions.items() if source}

    @property
    def manifests(self) -> list[str]:
        """Path of the manifest of each source of word analogies."""
        return [self.paths.manifest.format(source=source) for source in self.questions.values()]

    @property
    def sources(self) -> set[str]:
        """Names of the sources of the word analogies and of the corpus, if a corpus is configured."""
        return {*self.questions.values(), *(self.corpus.sources if self.corpus else [])}

    @property
    def sentences(self) -> list[str]:
        """Paths of the sentences from which analogies are mined: corpus folders or a file of synthetic reviews."""
        return self.paths.parts(self.corpus) if self.corpus else [self.paths.sample_reviews]

    @property
    def relations(self) -> list[str]:
        """The configured relations or, by default, the relations in table 6 of the Quick Thoughts paper."""
        return self.settings.relations or self.paper.rows(6)

    def systems(self) -> list[System]:
        """Return the systems in results/quick_thoughts/table6 and table7."""
        return of_models(self.models, self.paper, PAPER, 6)

    def pool_settings(self) -> dict[str, Any]:
        """Return the settings for drawing the pool of sentences that are added to the candidate answers."""
        return _pool_settings(self.settings, [])


def _pool_settings(settings: NearestSentences | Analogies, leave_out: list[str]) -> dict[str, Any]:
    return {"corpus": settings.corpus, "size": settings.pool, "seed": settings.seed, "leave_out": leave_out}
