"""Plan the bootstrap draws: list and describe the files whose results for individual test items are resampled."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from sentrep.config.aggregation_columns import PlannedColumn
from sentrep.config.plan import Plan
from sentrep.config.targets import SWEEP_FIGURES

_CURVE = {"item": "quick_thoughts/figure2", "sweep": "objectives", "parameter": "epochs"}
_SIZES = "representation_size"


def draws_inputs(plan: Plan) -> dict[str, Any]:
    """Return a mapping from input names to input files for the rule ``draws``, which computes the bootstrap draws."""
    inputs: dict[str, Any] = {
        "similarities": [plan.paths.similarities.format(**_file(point)) for point in _similarities(plan)],
        "pairs": plan.paths.sts,
        "description": plan.paths.sts_description,
    }
    if plan.has("quick_thoughts"):
        transfer, paths = plan.transfer, plan.paths
        inputs["predictions"] = [
            *plan.per_seed(transfer.models, paths.predictions),
            *plan.sweep_files(_SIZES, paths.predictions),
            *plan.sweep_files(_CURVE["sweep"], paths.predictions),
            *([paths.ensemble_predictions] if transfer.settings.ensemble else []),
            *(paths.kim_cnn_predictions.format(task=task) for task in transfer.cnn_tasks),
        ]
        inputs["answers"] = plan.per_seed(plan.analogies.models, paths.analogy_answers)
    if plan.has("weighted_aggregation"):
        inputs["mistakes"] = [plan.paths.mistakes.format(column=c.name, seed=seed) for c, seed in _columns(plan)]
    return inputs


def draws_settings(plan: Plan) -> dict[str, Any]:
    """Describe the files of similarities, predictions and mistakes from :func:`draws_inputs`, in the same order.

    The result contains keyword arguments for :func:`sentrep.evaluation.statistics.draw_sources.run_draws`.
    """
    settings: dict[str, Any] = {"points": [_without_model(point) for point in _similarities(plan)]}
    if plan.has("quick_thoughts"):
        transfer = plan.transfer
        sizes = [point.model for point in plan.sweeps.get(_SIZES, [])]
        settings["predicted"] = [
            *({"system": model.id, "seed": seed} for model in (*transfer.models, *sizes) for seed in model.seeds),
            *(
                {"system": point.of, "seed": seed, "item": _CURVE["item"]}
                for point in plan.sweeps.get(_CURVE["sweep"], [])
                for seed in point.model.seeds
            ),
            *([{"system": "ensemble", "seed": 1}] if transfer.settings.ensemble else []),
            *({"system": "kim_cnn", "seed": 1} for _ in transfer.cnn_tasks),
        ]
        settings["tasks"] = transfer.task_labels
    if plan.has("weighted_aggregation"):
        settings["columns"] = [column.settings.reported for column, _ in _columns(plan)]
    return settings


def _columns(plan: Plan) -> list[tuple[PlannedColumn, int]]:
    """Return a pair (column, seed) for each seed of each weighted aggregation column that is not a variant."""
    return [
        (column, seed) for column in plan.aggregation.columns.values() if not column.variant for seed in column.seeds
    ]


def _similarities(plan: Plan) -> Iterator[dict[str, Any]]:
    """Describe each file of similarities by its model, system and seed.

    There is one file for each seed of each model that is a column of the tables of sentence-pair scores, belongs to a
    sweep that a figure shows, or is in an ablation table. The system is the model itself or, for figures, the
    configured model that the sweep varies. For figures, the description also contains the name of the figure and, if
    the grid of the sweep contains the parameter on the figure's horizontal axis, the value of this parameter. For
    models that are only in an ablation table, the description contains ``only_mean``.
    """
    for model in plan.columns:
        yield from ({"model": model.id, "system": model.id, "seed": seed} for seed in model.seeds)
    for item, figure in {**SWEEP_FIGURES, _CURVE["item"]: _CURVE}.items():
        for point in plan.sweeps.get(figure["sweep"], []) if figure["parameter"] else ():
            x = {"x": float(point.values[figure["parameter"]])} if figure["parameter"] in point.values else {}
            about = {"model": point.model.id, "system": point.of, "item": item, **x}
            yield from ({**about, "seed": seed} for seed in point.model.seeds)
    columns = {model.id for model in plan.columns}
    runs = dict.fromkeys(run for ablation in plan.ablations.values() for run in ablation.runs if run[0] not in columns)
    yield from ({"model": name, "system": name, "seed": seed, "only_mean": True} for name, seed in runs)


def _file(point: dict[str, Any]) -> dict[str, Any]:
    return {"model": point["model"], "seed": point["seed"]}


def _without_model(point: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in point.items() if name != "model"}
