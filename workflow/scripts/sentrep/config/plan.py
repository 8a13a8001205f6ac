"""Plan a run: derive from the configuration everything that the workflow's rules need."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from sentrep.config.aggregation_columns import PlannedColumn, plan_columns
from sentrep.config.configuration import Configuration
from sentrep.config.papers import kept_sections
from sentrep.config.paths import Paths
from sentrep.config.plan_ablation import AblationPlan
from sentrep.config.plan_aggregation import AggregationPlan
from sentrep.config.plan_corpora import check_uses, plan_corpora
from sentrep.config.plan_quick_thoughts import AnalogiesPlan, NearestPlan, RetrievalPlan, TransferPlan
from sentrep.config.plan_sources import OWN_PAIRS, SourcesPlan, configured_files
from sentrep.config.plan_tables import TablesPlan
from sentrep.config.planned import Corpus, Model, Point, System
from sentrep.config.sweeps import FRACTION, plan_model, plan_sweep
from sentrep.config.systems import check_reported
from sentrep.config.targets import items, targets, targets_of_models
from sentrep.io.project import WORKFLOW
from sentrep.sources.published import Published, read_all
from sentrep.sources.registry import local_files, own_files

PUBLISHED = tuple(sorted((WORKFLOW / "reported").glob("*.csv")))
CLAIMS = WORKFLOW / "reported" / "claims.yaml"


@dataclass(frozen=True)
class Plan:
    """The plan of a run: its corpora, models, sweeps, tables and figures, and the files that they depend on.

    Attributes:
        config: the configuration from which the plan is derived.
        paths: paths of the files that the run writes.
        corpora: all corpora, by name, including the fractions of corpora on which sweeps train models.
        files: files, folders and glob patterns that the user configured, by name of the source.
        models: the configured models, by name.
        sweeps: points of each sweep, by name of the sweep; a point is a model with one combination of parameter values.
        trained: all distinct models to train, by id, including the models of sweeps and variants. The seeds of
            each model are all the seeds with which the run trains it.
        published: the published values of each paper, by name of the paper.
        aggregation_columns: columns of the weighted aggregation tables and their variants, by name; empty if the
            weighted aggregation paper is not selected.
    """

    config: Configuration
    paths: Paths
    corpora: Mapping[str, Corpus]
    files: Mapping[str, list[str]]
    models: Mapping[str, Model]
    sweeps: Mapping[str, list[Point]]
    trained: Mapping[str, Model]
    published: Mapping[str, Published]
    aggregation_columns: Mapping[str, PlannedColumn]

    @property
    def columns(self) -> list[Model]:
        """Models that are columns of the tables of sentence-pair scores."""
        return [model for model in self.models.values() if model.column]

    @property
    def reported_columns(self) -> list[Model]:
        """Models that are columns of the tables of sentence-pair scores and for which papers report values."""
        return [model for model in self.columns if model.reported]

    # Corpora and sources

    @cached_property
    def used_corpora(self) -> dict[str, Corpus]:
        """Corpora on which at least one model is trained."""
        used = {model.corpus for model in self.trained.values()}
        return {name: corpus for name, corpus in self.corpora.items() if name in used}

    @property
    def book_corpus(self) -> str | None:
        """Name of the first corpus that is a collection of books on which models are trained, or None."""
        return next((corpus.sentences for corpus in self.used_corpora.values() if corpus.settings.collection), None)

    @cached_property
    def used_sources(self) -> list[str]:
        """Sorted names of the sources for which the run writes manifests."""
        sources = {source for corpus in self.used_corpora.values() for source in corpus.sources}
        sources |= set(self.config.evaluation.sources.values())
        sources |= {OWN_PAIRS} if self.config.evaluation.own else set()
        inputs = [(n, key, part) for n in self.models for key, part in self.config.models[n].inputs.items()]
        sources |= {own_files(n, key) if part.files else part.source or "" for n, key, part in inputs} - {""}
        if self.has("weighted_aggregation"):
            sources |= self.aggregation.sources
        if self.has("quick_thoughts"):
            others = () if self.config.only else (self.retrieval, self.nearest, self.analogies)
            sources = sources.union(self.transfer.sources, *(part.sources for part in others))
        return sorted(sources)

    def source_files(self, name: str) -> list[str] | None:
        """Return the user's files, folders and glob patterns for a source, or None if the user configured none."""
        return self.files.get(name)

    @cached_property
    def sources(self) -> SourcesPlan:
        """The plan that locates the files of the data sources and identifies their content by digests."""
        return SourcesPlan(self.config.mirror, self.paths, self.used_sources, self.source_files)

    def manifest(self, corpus: str) -> str:
        """Return the path of the manifest that describes the source or collection from which a corpus is read."""
        planned = self.corpora[corpus]
        if planned.settings.collection:
            return self.paths.collection.format(corpus=planned.sentences, suffix="json")
        return self.paths.manifest.format(source=planned.source)

    def sentences(self, corpus: str) -> list[str]:
        """Return the folders that contain the sentences of a corpus."""
        return self.paths.parts(self.corpora[corpus])

    # Models

    def model_inputs(self, model: str, seed: int) -> dict[str, str]:
        """Return the paths of a model's inputs for one seed, by name, including the token store of its corpus."""
        trained = self.trained[model]
        return {"store": self.paths.store.format(corpus=trained.corpus), **trained.inputs_of(seed)}

    def per_seed(self, models: Iterable[Model], pattern: str) -> list[str]:
        """Fill in a path pattern for every seed of every model, and return the paths."""
        return [pattern.format(model=model.id, seed=seed) for model in models for seed in model.seeds]

    def first_seed(self, models: Iterable[Model], pattern: str) -> list[str]:
        """Fill in a path pattern for the first seed of every model, and return the paths."""
        return self.per_seed([replace(model, seeds=model.seeds[:1]) for model in models], pattern)

    def system_folders(self, systems: Iterable[System]) -> list[str]:
        """Return the model folders of the given systems, one for each seed; systems without a model are omitted."""
        return [
            self.paths.model.format(model=system.id, seed=seed)
            for system in systems
            if system.id
            for seed in system.seeds
        ]

    def built_on(self, folders: Iterable[str]) -> list[str]:
        """Return the folders of all models on which the models in ``folders`` are built, directly or indirectly."""
        inputs = {
            self.paths.model.format(model=model.id, seed=seed): model.inputs_of(seed)
            for model in self.trained.values()
            for seed in model.seeds
        }
        found = {part for folder in folders for part in inputs[folder].values() if part in inputs}
        return sorted(found | set(self.built_on(found))) if found else []

    # Sweeps

    def sweep_files(self, sweep: str, pattern: str) -> list[str]:
        """Fill in a path pattern for every seed of every model in a sweep, and return the paths."""
        return self.per_seed([point.model for point in self.sweeps.get(sweep, [])], pattern)

    def sweep_points(self, sweep: str) -> list[dict[str, Any]]:
        """Return, for each path from :meth:`sweep_files`, the configured model, the parameter values and the seed."""
        return [
            {
                "id": point.of,
                "label": self.models[point.of].label,
                "baseline": self.models[point.of].baseline,
                "values": point.values,
                "seed": seed,
            }
            for point in self.sweeps.get(sweep, [])
            for seed in point.model.seeds
        ]

    @cached_property
    def ablations(self) -> dict[str, AblationPlan]:
        """Plans for the ablation tables, by paper."""
        plans = {paper: AblationPlan(paper, self.config.sweeps, self.sweeps) for paper in self.config.papers}
        return {paper: plan for paper, plan in plans.items() if plan.systems}

    @cached_property
    def tables(self) -> TablesPlan:
        """The plan for the tables: the systems that each table compares."""
        config = self.config
        return TablesPlan(config.tables, config.evaluation, self.models, self.columns, self.published, config.papers)

    # Plans that are specific to one paper and valid only if this paper is selected

    def has(self, paper: str) -> bool:
        """Return whether the run replicates a paper."""
        return paper in self.config.papers

    @cached_property
    def aggregation(self) -> AggregationPlan:
        """The plan for the weighted aggregation paper."""
        settings = self.config.aggregation
        return AggregationPlan(
            settings, self.config.pairs, self.corpora, self.models, self.aggregation_columns, self.paths
        )

    @cached_property
    def transfer(self) -> TransferPlan:
        """The plan for the transfer tasks."""
        return TransferPlan(*self._quick_thoughts, self.config.transfer)

    @cached_property
    def retrieval(self) -> RetrievalPlan:
        """The plan for the retrieval of images and captions."""
        return RetrievalPlan(*self._quick_thoughts, self.config.retrieval)

    @cached_property
    def nearest(self) -> NearestPlan:
        """The plan for finding the sentences nearest to given queries."""
        settings = self.config.nearest_sentences
        return NearestPlan(*self._quick_thoughts, settings, self.corpora[settings.corpus])

    @cached_property
    def analogies(self) -> AnalogiesPlan:
        """The plan for the analogies between sentences."""
        settings = self.config.analogies
        corpus = self.corpora[settings.corpus] if settings.corpus else None
        return AnalogiesPlan(*self._quick_thoughts, settings, corpus)

    @property
    def pools(self) -> dict[str, NearestPlan | AnalogiesPlan]:
        """Plans of the evaluations that search a pool of sentences, keyed by the pool's file name without extension."""
        return {"pool": self.nearest, "analogy_pool": self.analogies}

    @property
    def _quick_thoughts(self) -> tuple[Mapping[str, Model], Published, Paths]:
        return self.models, self.published["quick_thoughts"], self.paths

    # Evaluation on sentence pairs, targets, and the record of the run

    def sts_inputs(self) -> dict[str, Any]:
        """Return the input files, keyed by input name, of the rule ``sts_sets``, which reads the sentence-pair sets."""
        evaluation = self.config.evaluation
        inputs: dict[str, Any] = {
            "sources": [self.paths.manifest.format(source=name) for name in evaluation.sources.values()]
        }
        if evaluation.own:
            inputs["own"] = self.paths.manifest.format(source=OWN_PAIRS)
        if evaluation.lee:
            inputs["lee_documents"], inputs["lee_similarities"] = local_files(evaluation.lee, self.config.mirror)
        return inputs

    @property
    def neighbour_models(self) -> list[Model]:
        """Models for which the nearest neighbours of the configured words are listed."""
        return [self.models[name] for name in self.config.evaluation.neighbours.models]

    @cached_property
    def targets(self) -> list[str]:
        """Target files of the run: one file for each result except ``provenance.json``."""
        tables = [f"{paper}/table{table.number}" for paper, table in self.config.tables.sts.items()]
        if self.config.only is not None:
            return targets_of_models(self.config.papers, tables)
        present = {"collection": self.book_corpus is not None, "neighbours": bool(self.neighbour_models)}
        return targets(self.config.papers, self.sweeps, tables, self.ablations, **present)

    @property
    def items(self) -> list[str]:
        """Names of the tables and figures in ``results/values.csv``, in the form ``<paper>/<item>``."""
        return items(self.targets)

    def record(self) -> dict[str, Any]:
        """Return the configuration to record in ``provenance.json``, without ``mirror`` and without unused sections."""
        return self.config.model_dump(mode="json", include=set(kept_sections(self.config)) - {"mirror"})


def make_plan(config: Configuration) -> Plan:
    """Derive the plan of a run from its configuration.

    Raises:
        SentrepError: a family is unknown; a parameter, input or option of a model, sweep or variant is unknown or
            invalid; a model or corpus is built on itself; a model has several seeds although its result does not depend
            on the seed; a sweep cannot be shown in any table or figure; the models of a weighted aggregation column
            have different seeds; corpora cannot be joined; a corpus is unsuitable for mining text pairs or drawing
            sentences; different files are configured for one source; or a ``reported`` entry names a paper, table or
            column for which there are no published values.
    """
    paths = Paths(config.preset)
    fractions = {f for sweep in config.sweeps.values() for f in sweep.axes.get(FRACTION, [])}
    models = {name: plan_model(name, settings, config, paths) for name, settings in config.models.items()}
    sweeps = {name: plan_sweep(name, models, config, paths) for name in config.sweeps}
    columns = plan_columns(models, config, paths) if "weighted_aggregation" in config.papers else {}
    trained = dict(models)
    varied = [model for points in sweeps.values() for point in points for model in (*point.parts, point.model)]
    for model in itertools.chain(varied, *(column.models for column in columns.values())):
        before = trained.get(model.id, model)
        trained[model.id] = replace(before, seeds=tuple(sorted({*before.seeds, *model.seeds})))
    corpora = plan_corpora(config.corpora, fractions)
    check_uses(config, corpora)
    published = read_all(PUBLISHED)
    check_reported(models.values(), published)
    files = configured_files(config, corpora)
    return Plan(config, paths, corpora, files, models, sweeps, trained, published, columns)
