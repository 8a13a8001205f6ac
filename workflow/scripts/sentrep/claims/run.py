"""Provide the data for judging claims: the values of a run, and information about the training of its models."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Any, cast

from sentrep.claims.data import Data, View
from sentrep.claims.outcome import Untestable
from sentrep.claims.samples import Samples, items_of
from sentrep.evaluation.statistics.draws import Draws
from sentrep.io.files import read_json
from sentrep.sources.published import Published
from sentrep.tables.values import Value, Values, with_published

MODELS, PAIRS = "sentrep/models", "weighted_aggregation/pairs"
# If a model received a smaller share than this of the CPU time of its cores, it is assumed to have shared these cores
# with other programs.
LEAST_SHARE = 0.9


class Run:
    """The values of a run and the published values of the papers.

    Args:
        values: all values in the run's ``values.csv``.
        papers: published values, keyed by the name of the paper.
        record: path of a published run's ``provenance.json``, which states when each model used the GPU.
        draws: bootstrap draws of the values. Without them, draws are generated from each value's own confidence
            interval and from its standard deviation over seeds.
    """

    def __init__(
        self,
        values: Values,
        papers: Mapping[str, Published],
        record: Path | None = None,
        draws: Draws | None = None,
    ) -> None:
        self._items: dict[str, list[Value]] = {}
        rows = values.rows()
        for value in rows:
            self._items.setdefault(f"{value.paper}/{value.item}", []).append(value)
        self._samples = Samples(draws, items_of(rows))
        self._papers = papers
        self._record = record

    def data(self, view: View) -> Data:
        """Return all values in the tables and figures that a view names.

        Raises:
            Untestable: the run has no values for any of these tables and figures.
        """
        if view.published:
            return Data([value for item in view.items for value in self._published(item)], view, self._samples)
        absent = [item for item in view.items if not any(has_value(value) for value in self._items.get(item, ()))]
        if len(absent) == len(view.items):
            raise Untestable(f"{' and '.join(absent)} {'is' if len(absent) == 1 else 'are'} not part of this run")
        return Data([value for item in view.items for value in self._items.get(item, ())], view, self._samples)

    def disturbed(self, models: Sequence[str]) -> str:
        """Return the reason why the training times of the given models are unreliable, or an empty string."""
        found = {(value.row, value.metric): value for value in self._items.get(MODELS, ())}
        devices = {name: found[name, "device"].text for name in models if (name, "device") in found}
        if any("cuda" in text for text in devices.values()):
            if not self._gpu_times:
                return "training times are unreliable, because there is no record of when each model used the GPU"
            if self._shared_gpu:
                return "training times are unreliable, because several models shared one GPU"
        on_cpu = [name for name, text in devices.items() if "cpu" in text]
        shares = [found[key].mean if (key := (name, "processor share")) in found else 0.0 for name in on_cpu]
        if all(share >= LEAST_SHARE for share in shares):
            return ""
        return (
            "training times are unreliable, because at least one model received less than "
            f"{LEAST_SHARE:.0%} of the CPU time of its cores, or because this share was not recorded"
        )

    @cached_property
    def sentences(self) -> dict[str, int]:
        """The number of sentences on which each model was trained, by model id."""
        rows = [value for value in self._items.get(MODELS, ()) if value.metric == "sentences" and has_value(value)]
        return {value.row: round(value.mean) for value in rows}

    @cached_property
    def training_pairs(self) -> dict[str, int]:
        """The number of related training pairs in each set of mined pairs, keyed by the name of the set."""
        related = ("train", "related", "pairs")
        rows = [v for v in self._items.get(PAIRS, ()) if (v.column, v.protocol, v.metric) == related]
        return {value.row: round(value.mean) for value in rows}

    def _published(self, item: str) -> list[Value]:
        paper, name = item.split("/")
        return with_published((), self._papers[paper], name, name.removeprefix("table"))

    @cached_property
    def _gpu_times(self) -> list[tuple[float, float]]:
        """The start and end of each training run on a GPU, as Unix times in seconds, sorted by start.

        The list is empty if there is no ``provenance.json``, or if no model was trained on a GPU.
        """
        models: Mapping[str, Any] = read_json(self._record).get("models", {}) if self._record else {}
        seeds = [seed for model in models.values() for seed in cast("Mapping[str, Any]", model["seeds"]).values()]
        starts = [
            (datetime.fromisoformat(seed["time"]).timestamp(), float(seed["seconds"]))
            for seed in seeds
            if seed.get("device") == "cuda"
        ]
        return sorted((start, start + seconds) for start, seconds in starts)

    @property
    def _shared_gpu(self) -> bool:
        """Whether two training runs used a GPU at the same time.

        The start of training is recorded in whole seconds, so overlaps of at most one second are ignored.
        """
        return any(start + 1 < end for (_, end), (start, _) in pairwise(self._gpu_times))


def has_value(value: Value) -> bool:
    """Return whether a row of the table of values contains a measured number or text."""
    return value.mean == value.mean or bool(value.text)
