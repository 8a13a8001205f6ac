"""Generate model cards for exported models; a card states the model's corpus, parameters and scores, if known."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from sentrep.errors import SentrepError
from sentrep.io.files import read_json

_PROTOCOL = "paper"


class Score(NamedTuple):
    """Correlations between cosine similarities and human scores on one set of sentence pairs.

    Attributes:
        name: name of the set, preceded by its year if it has one.
        pearson: Pearson's correlation coefficient r.
        spearman: Spearman's rank correlation coefficient rho.
    """

    name: str
    pearson: float
    spearman: float


def known_scores(model: Path, evaluation: Path | None = None) -> list[Score]:
    """Return the scores of a model on sets of sentence pairs under the protocol ``paper``.

    The protocol is described in :mod:`sentrep.evaluation.sts.scoring`.

    Args:
        model: folder of the trained model.
        evaluation: folder written by ``sentrep evaluate --output``. If several models were evaluated, the scores of
            the model with the same name as the folder ``model`` are returned; if only one model was evaluated, its
            scores are returned regardless of its name. If ``evaluation`` is None, the scores are read from the workflow
            run to which the model belongs.

    Returns:
        One entry per set of sentence pairs. Without ``evaluation``, the list is empty if the model does not belong to a
        run or the run contains no scores for the model.

    Raises:
        SentrepError: ``evaluation`` was not written by ``sentrep evaluate``, or it contains no scores for the model.
    """
    if evaluation is None:
        run = model.resolve()
        path = run.parents[2] / "scores" / run.parent.name / run.name / "scores.csv" if len(run.parts) > 3 else Path()
        return _read(path, None) if path.is_file() and run.parents[1].name == "models" else []
    summary = read_json(evaluation / "evaluation.json")
    models = [str(name) for name in summary.get("models", [])]
    name = model.resolve().name if len(models) != 1 else models[0]
    found = _read(evaluation / "scores.csv", name) if name in models else []
    if not found:
        raise SentrepError(
            evaluation,
            expected=f"the sentence-pair scores of {name}",
            found=f"none (models in evaluation.json: {', '.join(models) or 'none'})",
            remedy=(
                f"run `sentrep evaluate` on {name} with `--output FOLDER`, and export the model with `--scores FOLDER`"
            ),
        )
    return found


def _read(path: Path, model: str | None) -> list[Score]:
    with path.open(encoding="utf-8", newline="") as stream:
        rows = [
            row
            for row in csv.DictReader(stream)
            # Rows that contain a number of epochs are scores of snapshots, not of the final model.
            if row.get("protocol") == _PROTOCOL and row.get("model", model) in (model, None) and not row.get("epochs")
        ]
    scores = [Score(_name(row), _number(row["pearson"]), _number(row["spearman"])) for row in rows if "pearson" in row]
    return [score for score in scores if not math.isnan(score.pearson)]


def _name(row: Mapping[str, str]) -> str:
    return f"{row['year']} {row['dataset']}" if row.get("year") not in ("", "0", None) else row["dataset"]


def _number(text: str) -> float:
    return float(text) if text else math.nan


def card(meta: Mapping[str, Any], about: str, notes: Sequence[str], scores: Sequence[Score]) -> str:
    """Return the README of an exported sentence-transformers model.

    Args:
        meta: content of the model's ``meta.json``.
        about: description of the model's sentence vectors.
        notes: sentences about differences between the exported model and the original model.
        scores: scores on sets of sentence pairs; the sequence may be empty.
    """
    front = "---\nlibrary_name: sentence-transformers\npipeline_tag: sentence-similarity\n---\n\n"
    parts = [f"# {meta.get('family', 'Averaged word vectors')}", about]
    if corpus := _corpus(meta.get("corpus")):
        parts.append(f"Corpus: {corpus}.")
    if parameters := meta.get("parameters"):
        parts.append(f"Parameters: `{json.dumps(parameters)}`, seed {meta.get('seed')}.")
    parts.append("`provenance.json` records how the model was trained.")
    parts += notes
    if scores:
        mean = sum(score.pearson for score in scores) / len(scores)
        lines = [f"| {s.name} | {s.pearson:.4f} | {s.spearman:.4f} |" for s in scores]
        parts.append("## Scores")
        parts.append(
            "The table shows the correlations of cosine similarities with human scores on sets of sentence pairs. "
            f"Over these sets, the mean of Pearson's r is {mean:.4f}. "
            "Correlations mean little on their own, so compare them with the correlations of untrained vectors; "
            "by default, `sentrep evaluate` also scores untrained vectors."
        )
        parts.append("\n".join(["| set | Pearson's r | Spearman's rho |", "|---|--:|--:|", *lines]))
    return front + "\n\n".join(parts) + "\n"


def _corpus(corpus: Any) -> str:
    """Return a description of the corpus, or "" if the corpus is unknown."""
    if not isinstance(corpus, Mapping) or not corpus.get("tokens"):
        return ""
    source = corpus.get("source")
    name = source.get("name") if isinstance(source, Mapping) else source
    size = f"{corpus['tokens']:,} tokens"
    if sentences := corpus.get("sentences"):
        size += f" in {sentences:,} sentences"
    return f"{name}, {size}" if name else size
