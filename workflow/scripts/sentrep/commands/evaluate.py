"""Implement the command ``sentrep evaluate``, which scores models and compares them with untrained baselines."""

from __future__ import annotations

import argparse
import logging
import math
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sentrep.errors import SentrepError
from sentrep.io.aligned import aligned
from sentrep.runtime.devices import DEVICES

if TYPE_CHECKING:
    from sentrep.api.evaluation import Evaluation  # imports pandas
    from sentrep.api.transfer import TransferEvaluation


def add(commands: Any) -> None:
    """Add the subcommand ``evaluate``, with its options, to the parser of ``sentrep``."""
    evaluate = commands.add_parser(
        "evaluate",
        help="score sentence vectors and compare them with baselines",
        description=(
            "Score models on sentence pairs with human judgements, or on transfer tasks, and compare the models with "
            "three baselines: untrained vectors, idf-weighted untrained vectors, and tf-idf. MODEL is the path of a "
            "model folder, a file of word vectors (word2vec, GloVe, fastText .vec or gensim's KeyedVectors), a "
            "sentence-transformers folder, or a folder with the skip-thought files released by Kiros et al."
        ),
    )
    evaluate.add_argument("models", nargs="+", metavar="MODEL", help="path of a model")
    evaluate.add_argument(
        "--data",
        action="append",
        metavar="NAME",
        help="sentence pairs: sts (the 20 SemEval sets), lee (the set of Lee et al., 2005), sample (hand-written "
        "pairs) or the path of your own pairs; may be repeated (default: sts); with --transfer, the only valid name is "
        "sample, which selects synthetic items instead of the data of the tasks",
    )
    evaluate.add_argument(
        "--transfer",
        action="store_true",
        help="score models on transfer tasks instead of sentence pairs; a classifier uses the sentence vectors as "
        "features",
    )
    evaluate.add_argument(
        "--task", action="append", metavar="NAME", help="transfer task, such as mr; may be repeated (default: all)"
    )
    evaluate.add_argument(
        "--mirror", type=Path, metavar="DIR", help="folder that contains the data sets (default: download them)"
    )
    evaluate.add_argument(
        "--corpus",
        metavar="TEXT",
        help="text or token store that provides the vocabulary and idf of the baselines (default: the evaluated "
        "sentences)",
    )
    evaluate.add_argument("--no-baselines", action="store_true", help="do not score the baselines")
    evaluate.add_argument(
        "--tokeniser",
        default="kenter",
        metavar="NAME",
        help="tokeniser for the baselines and for models that are files of word vectors (default: kenter)",
    )
    evaluate.add_argument("--device", choices=DEVICES, default="auto", help="device on which neural networks run")
    evaluate.add_argument(
        "--output", type=Path, metavar="DIR", help="folder to which the scores and a summary are written"
    )
    evaluate.add_argument(
        "--overwrite", action="store_true", help="replace an existing evaluation in the --output folder"
    )
    evaluate.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Evaluate the models named on the command line, print the scores, and save them if ``--output`` is given."""
    logging.getLogger("sentrep").setLevel(logging.WARNING)  # hide the training logs of the baselines
    from sentrep.api.evaluation import EVALUATION, evaluate

    if options.output is not None:
        EVALUATION.check(options.output, overwrite=options.overwrite)
    if options.transfer:
        _run_transfer(options)
        return
    if options.task:
        raise SentrepError(
            "--task", expected="--task together with --transfer", found="--task alone", remedy="add --transfer"
        )
    found = evaluate(
        options.models,
        data=options.data or ["sts"],
        mirror=options.mirror,
        corpus=options.corpus,
        baselines=not options.no_baselines,
        tokeniser=options.tokeniser,
        device=options.device,
    )
    if options.output is not None:
        found.save(options.output, overwrite=options.overwrite)
    sys.stdout.write(table(found))


def _run_transfer(options: argparse.Namespace) -> None:
    from sentrep.api.transfer import evaluate_transfer

    if options.data not in (None, ["sample"]):
        raise SentrepError(
            "--data",
            expected="--data sample (the only choice with --transfer)",
            found=f"--data {', '.join(options.data)}",
            remedy="choose tasks with --task, or add your own tasks to the configuration of the workflow",
        )
    found = evaluate_transfer(
        options.models,
        tasks=options.task or (),
        sample=bool(options.data),
        mirror=options.mirror,
        corpus=options.corpus,
        baselines=not options.no_baselines,
        tokeniser=options.tokeniser,
        device=options.device,
    )
    if options.output is not None:
        found.save(options.output, overwrite=options.overwrite)
    sys.stdout.write(transfer_table(found))


def transfer_table(found: TransferEvaluation) -> str:
    """Format transfer scores as one text table per protocol, followed by the unscored tasks and by the notes.

    Each table has a row for each metric of each task, and a column for each model or baseline.
    """
    names = [*found.models, *found.baselines]
    lines: list[str] = []
    for protocol, scores in found.scores.groupby("protocol", sort=False):
        values = {(task, metric, model): value for task, metric, model, value in zip(
            scores["task"], scores["metric"], scores["model"], scores["value"], strict=True)}  # fmt: skip
        measures = dict.fromkeys((task, metric) for task, metric, _ in values)
        rows = [
            [f"{found.labels[task]}, {metric}", *(_score(values[task, metric, name], metric) for name in names)]
            for task, metric in measures
        ]
        lines += [*aligned([[f"protocol {protocol}", *names], *rows]), ""]
    texts = [f"missing: {reason}" for reason in found.missing] + [f"note: {note}" for note in found.notes]
    return "\n".join([*lines, *texts, ""])


def _score(value: float, metric: str) -> str:
    return f"{value:.1f}" if metric in ("accuracy", "f1") else f"{value:.4f}"


def table(found: Evaluation) -> str:
    """Format scores on sentence pairs as a text table with a row per set and a column per model or baseline.

    The last rows give the mean over the sets, the 95% confidence interval of the mean, and the share of unknown words.
    If there is only one set, the row with the mean is omitted, and the interval is that of the score on this set. If
    some pairs have no human score, another row gives the mean without these pairs. Below the table, the text lists the
    sets that could not be read, followed by the notes and the verdict.
    """
    names = [*found.models, *found.baselines]
    paper, official = found.paired["paper"], found.paired["official"]
    some_unscored = bool((found.scores["pairs"].to_numpy() != found.scores["scored_pairs"].to_numpy()).any())
    labels = {(year, dataset): f"{year} {dataset}" if year else dataset for year, dataset in paper.sets}
    rows = [_means(label, (paper.of_set(key, name)[0] for name in names)) for key, label in labels.items()]
    if len(paper.sets) > 1:
        rows += [[], _means(f"mean of {len(paper.sets)}", (paper.mean(name)[0] for name in names))]
    rows.append(["95% interval", *(_interval(paper.mean(name)[1:]) for name in names)])
    if some_unscored:
        rows.append(_means("scored pairs only", (official.mean(name)[0] for name in names)))
    rates = found.unknown_words
    rows.append(["unknown words", *("" if math.isnan(rates[name]) else f"{100 * rates[name]:.1f}%" for name in names)])
    lines = aligned([["Pearson's r", *names], *rows])
    texts = [f"missing: {gap.reason}" for gap in found.missing] + [f"note: {note}" for note in found.notes]
    if some_unscored:
        texts.append(
            "note: as in the replicated papers, missing human scores count as 0, except in the row `scored pairs only`"
        )
    return "\n".join([*lines, "", *texts, found.verdict, ""])


def _means(label: str, values: Any) -> list[str]:
    return [label, *("undefined" if math.isnan(value) else f"{value:.4f}".replace("0.", ".", 1) for value in values)]


def _interval(ends: tuple[float, ...]) -> str:
    if math.isnan(sum(ends)):
        return "undefined"
    return f"[{', '.join(f'{end:.3f}'.replace('0.', '.', 1) for end in ends)}]"
