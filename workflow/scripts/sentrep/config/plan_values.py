"""Determine, for each table and figure, the function that collects its values, and the arguments of this function."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sentrep.config.plan import PUBLISHED, Plan
from sentrep.config.planned import System
from sentrep.config.sweeps import FRACTION
from sentrep.config.targets import MEAN_CURVES, SWEEP_FIGURES
from sentrep.io.project import WORKFLOW

SYSTEMS = ("models", "systems", "rows")
"""Names of the collector settings that contain lists of systems."""
_NOVELS = WORKFLOW.parent / "results" / "published" / "novels" / "scores.csv"
_REPORTED = {path.stem: {"reported": str(path)} for path in PUBLISHED}


@dataclass(frozen=True)
class Collector:
    """The function that collects the values of one table or figure, and its arguments.

    Attributes:
        function: name of a function in sentrep.tables.collect, as ``<module>.<function>``.
        inputs: mapping from the name of each input to the path or paths of its files.
        settings: other arguments of the function, keyed by name.
    """

    function: str
    inputs: Mapping[str, str | list[str]]
    settings: Mapping[str, Any]

    @property
    def module(self) -> str:
        """Name of the module in sentrep.tables.collect that contains the function."""
        return self.function.split(".")[0]

    @classmethod
    def by(cls, function: str, inputs: Mapping[str, str | list[str]], **settings: Any) -> Collector:
        """Return a collector whose settings are given as keyword arguments."""
        return cls(function, inputs, settings)


def collectors(plan: Plan) -> dict[str, Collector]:
    """Return the collector of each table and figure, keyed by ``<paper>/<item>``."""
    found = {**_corpora(plan), **_shared(plan)}
    papers = {
        "siamese_cbow": _siamese_cbow,
        "weighted_aggregation": _weighted_aggregation,
        "quick_thoughts": _quick_thoughts,
    }
    for paper, of_paper in papers.items():
        if plan.has(paper):
            found |= {f"{paper}/{item}": collector for item, collector in of_paper(plan).items()}
    sample = {"sample": plan.config.evaluation.sample}
    return {
        name: Collector(c.function, {**c.inputs, **_trainings(plan, c)}, {**sample, **c.settings})
        for name, c in found.items()
    }


def _trainings(plan: Plan, collector: Collector) -> dict[str, list[str]]:
    """Return the input ``trainings`` of a table or figure: its models' folders, which contain the training warnings."""
    entries = [entry for name in SYSTEMS for entry in collector.settings.get(name, ())]
    runs = [(entry["id"], seed) for entry in entries for seed in entry.get("seeds", ()) if entry["id"] in plan.trained]
    folders = [plan.paths.model.format(model=model, seed=seed) for model, seed in dict.fromkeys(runs)]
    return {"trainings": folders} if folders else {}


def _corpora(plan: Plan) -> dict[str, Collector]:
    """Return the collector for the statistics of a collection of books, if a model is trained on such a collection."""
    if not (corpus := plan.book_corpus):
        return {}
    paths = plan.paths
    inputs = {
        "table": paths.collection.format(corpus=corpus, suffix="csv"),
        "sentences": paths.sentences.format(corpus=corpus),
        "store": paths.store.format(corpus=corpus),
        "pairs": paths.sts,
        "novels": str(_NOVELS),
    }
    return {"sentrep/corpus": Collector.by("corpus.collection_values", inputs)}


def _shared(plan: Plan) -> dict[str, Collector]:
    """Return the collectors for sweep figures and for the tables of sentence-pair scores, ablations and models."""
    published = {"reported": [str(path) for path in PUBLISHED]}
    scores = {"scores": "results/scores.csv", "wilcoxon": "results/wilcoxon.csv", "intervals": plan.paths.intervals}
    sets = {**scores, **published, "sets": plan.paths.sts_description}
    folders = plan.system_folders(plan.tables.all_systems)
    return {
        **{name: Collector.by("sts.sts_values", sets, **table) for name, table in plan.tables.sts.items()},
        **{
            name: Collector.by(
                "sweeps.sweep_values",
                {"scores": plan.sweep_files(figure["sweep"], plan.paths.scores)},
                points=plan.sweep_points(figure["sweep"]),
                parameter=figure["parameter"],
                years=figure["years"],
            )
            for name, figure in SWEEP_FIGURES.items()
        },
        **{
            f"{paper}/ablation": Collector.by(
                "ablation.ablation_values",
                {"table": plan.paths.ablation.format(paper=paper)},
                systems=ablation.systems,
            )
            for paper, ablation in plan.ablations.items()
        },
        **{f"sentrep/{name}": _mean_curve(plan, name) for name in MEAN_CURVES if name in plan.config.sweeps},
        "sentrep/models": Collector.by(
            "costs.model_values",
            {"models": folders, "built_on": plan.built_on(folders), **published},
            rows=plan.tables.model_rows,
            published_only=_dicts(plan.tables.unfilled_systems),
        ),
    }


def _mean_curve(plan: Plan, name: str) -> Collector:
    """Return the collector for a figure that plots mean correlations against the amount of training text, in words."""
    sweep = plan.config.sweeps[name]
    points = {point.model.id: point for point in plan.sweeps[name]}.values()
    inputs = {
        "table": plan.paths.ablation.format(paper=sweep.paper),
        "stores": [plan.paths.store.format(corpus=point.model.corpus) for point in points],
    }
    described = [
        {
            "id": point.model.id,
            "label": point.model.label,
            "epochs": None if point.model.baseline else point.model.parameters.get("epochs"),
            "fraction": point.values.get(FRACTION, 1),
        }
        for point in points
    ]
    settings = {"points": described, "section": sweep.title, "axis": MEAN_CURVES[name]}
    return Collector.by("sizes.size_values", inputs, **settings)


def _siamese_cbow(plan: Plan) -> dict[str, Collector]:
    """Return the collectors for the Siamese CBOW paper: tables 2 and 3, and section 4.4 (norms and neighbours)."""
    paths = plan.paths
    described = {**_REPORTED["siamese_cbow"], "sets": paths.sts_description}
    timings = [paths.timing.format(model=name) for name in plan.config.evaluation.timed_models]
    return {
        "table2": Collector.by(
            "siamese_cbow.table2_values",
            {"scores": "results/scores.csv", "intervals": paths.intervals, **described},
            models=_dicts(plan.tables.systems("siamese_cbow")),
        ),
        "table3": Collector.by(
            "siamese_cbow.timing_values",
            {"timings": timings, **described},
            models=_dicts(plan.tables.encoding_systems),
        ),
        "neighbours": Collector.by(
            "words.word_values",
            {"table": "results/neighbours.csv"},
            models=[{"id": model.id, "label": model.label} for model in plan.neighbour_models],
        ),
    }


def _weighted_aggregation(plan: Plan) -> dict[str, Collector]:
    """Return the collectors for all tables and figures of the weighted aggregation paper."""
    aggregation, reported = plan.aggregation, _REPORTED["weighted_aggregation"]
    figure2 = aggregation.column_files([aggregation.columns[aggregation.settings.figure2]], "histograms")[0]
    figure3 = aggregation.figure3_models
    return {
        **{
            f"table{number}": Collector.by(
                "aggregation.error_values",
                {**{kind: aggregation.column_files(columns, kind) for kind in ("metrics", "binomial")}, **reported},
                number=number,
                columns=[column.as_dict() for column in columns],
            )
            for number, columns in ((number, aggregation.table_columns(number)) for number in (1, 2))
        },
        "variants": Collector.by(
            "aggregation.variant_values",
            {"metrics": aggregation.column_files(aggregation.variant_columns, "metrics")},
            columns=[column.as_dict() for column in aggregation.variant_columns],
        ),
        "figure2": Collector.by("aggregation.distance_values", {"histograms": figure2}, method="Mean"),
        "figure3": Collector.by(
            "aggregation.weight_values",
            {"learnt": plan.per_seed(figure3, plan.paths.model), **reported},
            models=[{"id": m.id, "loss": m.parameters["loss"], "seed": seed} for m in figure3 for seed in m.seeds],
        ),
        **{
            name: Collector.by(f"aggregation.{function}", {"table": f"results/weighted_aggregation/{name}.csv"})
            for name, function in (("kappa", "kappa_values"), ("pairs", "pair_values"))
        },
    }


def _quick_thoughts(plan: Plan) -> dict[str, Collector]:
    """Return the collectors for the Quick Thoughts paper, except that of table 8, which :func:`_shared` returns."""
    config, paths, reported = plan.config, plan.paths, _REPORTED["quick_thoughts"]
    transfer = {"scores": "results/transfer.csv", "models": plan.per_seed(plan.transfer.models, paths.model)}
    neighbours = plan.per_seed(plan.nearest.models, paths.nearest)
    nearest = {"neighbours": neighbours, "pool": paths.pool_description.format(pool="pool")}
    answers = {"answers": plan.per_seed(plan.analogies.models, paths.analogy_answers), "text": paths.analogies}
    analogies = {"systems": _dicts(plan.analogies.systems()), "sample": config.analogies.corpus is None}
    trained = plan.system_folders(plan.tables.trained_systems)
    sizes, objectives = (
        {"models": plan.sweep_files(sweep, paths.model), "scores": plan.sweep_files(sweep, scores)}
        for sweep, scores in (("representation_size", paths.transfer_scores), ("objectives", paths.scores))
    )
    found = {
        **{
            f"table{number}": Collector.by(
                "transfer.transfer_values",
                transfer,
                number=number,
                tasks=plan.transfer.task_labels,
                systems=_dicts(plan.transfer.systems(number)),
            )
            for number in (1, 2, 3)
        },
        "table4": Collector.by(
            "retrieval.retrieval_values",
            {"scores": plan.per_seed(plan.retrieval.models, paths.retrieval_scores)},
            sample=config.retrieval.source is None,
            systems=_dicts(plan.retrieval.systems()),
            settings=config.retrieval.settings.model_dump(),
        ),
        "table5": Collector.by("sentences.nearest_values", nearest, systems=_dicts(plan.nearest.systems())),
        "table6": Collector.by("sentences.analogy_values", answers, **analogies, relations=plan.analogies.relations),
        "table7": Collector.by("sentences.answer_values", answers, **analogies),
        "table9": Collector.by("costs.size_values", {**sizes, "built_on": plan.built_on(sizes["models"])}),
        "training_time": Collector.by(
            "costs.time_values",
            {"models": trained, "built_on": plan.built_on(trained)},
            systems=_dicts(plan.tables.trained_systems),
        ),
        "figure2": Collector.by(
            "costs.curve_values",
            {**objectives, "accuracies": plan.sweep_files("objectives", paths.snapshot_scores)},
            points=plan.sweep_points("objectives"),
            tasks=plan.transfer.task_labels,
        ),
    }
    return {n: Collector(c.function, {**c.inputs, **reported}, c.settings) for n, c in found.items()}


def _dicts(systems: list[System]) -> list[dict[str, Any]]:
    return [system.as_dict() for system in systems]
