"""Score models and baselines on transfer tasks, in the same way as the workflow."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pandas as pd

from sentrep.api.compared import AnyModel, named_models, read_files, score_each
from sentrep.api.evaluation import EVALUATION, SCORES, SUMMARY
from sentrep.api.stores import cache_folder
from sentrep.config.quick_thoughts import Transfer
from sentrep.config.resolve import resolve
from sentrep.encoders.base import Encoder
from sentrep.errors import SentrepError, unknown_name
from sentrep.evaluation.transfer.readers import build_task
from sentrep.evaluation.transfer.scoring import score_tasks
from sentrep.evaluation.transfer.tasks import Task
from sentrep.io.csv_files import write_csv
from sentrep.io.files import write_json
from sentrep.io.folders import output_folder
from sentrep.provenance.environment import environment
from sentrep.runtime.devices import resolve_device

log = logging.getLogger("sentrep")


@dataclass(frozen=True)
class TransferEvaluation:
    """The scores of models and baselines on transfer tasks.

    Attributes:
        models: names of the evaluated models.
        baselines: names of the untrained baselines.
        scores: table with the columns :data:`sentrep.evaluation.transfer.tasks.SCORE_COLUMNS`; accuracy and F1 are in
            percent.
        labels: mapping from the name of each task to its label in tables.
        missing: reasons why tasks were not scored.
        notes: remarks on the baselines and the data, and the warnings from the training of each model.
    """

    models: list[str]
    baselines: list[str]
    scores: pd.DataFrame
    labels: Mapping[str, str]
    missing: list[str]
    notes: list[str]

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the scores to ``scores.csv``, and a summary to ``evaluation.json``.

        The summary consists of the names of the models and baselines, the reasons why tasks were not scored, the notes,
        the date and time, the machine and the software versions.

        Args:
            path: folder to write, which must be new or empty unless an existing evaluation is overwritten.
            overwrite: whether to replace an existing evaluation.

        Raises:
            SentrepError: the folder cannot be used for output.
        """
        about = {"models": self.models, "baselines": self.baselines, "missing": self.missing, "notes": self.notes}
        with output_folder(path, EVALUATION, overwrite=overwrite) as folder:
            write_csv(folder / SCORES, self.scores, float_format="%.6g")
            write_json(folder / SUMMARY, {**about, **environment()})


def evaluate_transfer(
    models: AnyModel | Sequence[AnyModel] | Mapping[str, AnyModel],
    *,
    tasks: str | Sequence[str] = (),
    sample: bool = False,
    mirror: str | Path | None = None,
    corpus: str | Path | Sequence[str | Path] | None = None,
    baselines: bool = True,
    tokeniser: str = "kenter",
    device: str = "auto",
    cache: str | Path | None = None,
) -> TransferEvaluation:
    """Score models and untrained baselines on transfer tasks, under the protocols of Kiros et al. (2015) and SentEval.

    Tasks whose data cannot be read are skipped, and the result lists the reasons.

    Args:
        models: one or more models; see :func:`sentrep.api.evaluation.evaluate`.
        tasks: one or more names of tasks, such as "mr"; all tasks if empty.
        sample: whether to score on the synthetic items of the ``sample`` preset instead of real data.
        mirror: folder with the subfolders ``senteval`` and ``sick``, or None. Data that are missing from this folder
            are downloaded to the cache.
        corpus: text or token store that provides the vocabulary and document frequencies of the baselines; if None, the
            sentences of the tasks provide them.
        baselines: whether to score the untrained baselines as well.
        tokeniser: tokeniser for the baselines and for models that are files of word vectors. If ``corpus`` is a token
            store, the baselines use the tokeniser of the store instead.
        device: "auto", "cpu" or "cuda".
        cache: folder for downloads and token stores; by default, :func:`sentrep.api.stores.cache_folder`.

    Raises:
        SentrepError: a task is unknown, there is no task whose data can be read, a model or ``corpus`` cannot be read,
            a sentence vector is not finite, or ``device`` is not available.
    """
    settings = resolve({"preset": "sample" if sample else "novels"}).transfer
    tasks = [tasks] if isinstance(tasks, str) else tasks
    for name in tasks:
        if name not in settings.tasks:
            raise unknown_name("--task", "transfer task", name, settings.tasks)
    found, missing = _read_tasks(settings, tasks, sample, mirror, Path(cache) if cache else cache_folder())
    texts = tuple(dict.fromkeys(t for task in found for items in task.parts.values() for t in items.texts()))
    on, named, frames = resolve_device(device), named_models(models), dict[str, pd.DataFrame]()
    protocols: dict[str, Any] = {**settings.protocols}

    def score(name: str, encoder: Encoder) -> None:
        identity = {"preset": "", "model": name, "seed": int(encoder.meta.get("seed", 1))}
        frames[name] = score_tasks(encoder, found, protocols, identity, on)[0]
        log.info("scored %s; number of transfer tasks: %d", name, len(found))

    notes = score_each(
        named, texts, score, corpus=corpus, baselines=baselines, tokeniser=tokeniser, device=on, cache=cache
    )
    if sample:
        notes.append("the items are synthetic, so the scores cannot be compared with published values")
    labels = {task.name: task.label for task in found}
    extra = [name for name in frames if name not in named]
    return TransferEvaluation(list(named), extra, pd.concat(frames.values(), ignore_index=True), labels, missing, notes)


def _read_tasks(
    settings: Transfer, names: Sequence[str], sample: bool, mirror: str | Path | None, cache: Path
) -> tuple[list[Task], list[str]]:
    """Return the tasks whose data can be read, and the reasons why the data of the other tasks cannot be read.

    Raises:
        SentrepError: there is no task whose data can be read.
    """
    found: list[Task] = []
    missing: list[str] = []
    for name in names or settings.tasks:
        task: dict[str, Any] = settings.tasks[name].model_dump(
            exclude_none=True, exclude_defaults=True, exclude={"files"}
        )
        try:
            members = [member for row in settings.tasks[name].sources for member in read_files(row, mirror, cache)]
            found.append(build_task(name, task, members, sample))
        except SentrepError as error:
            missing.append(f"{task['label']}: {error}")
    if not found:
        raise SentrepError(
            "transfer tasks",
            expected="the data of at least one task",
            found=f"none ({missing[0]})" if missing else "none",
            remedy="use --mirror to pass the folder that contains the data",
        )
    return found, missing
