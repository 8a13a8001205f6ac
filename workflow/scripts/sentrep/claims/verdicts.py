"""Verdicts: ``holds``, ``does not hold``, or ``not tested`` with the reason.

A comparison is fair if its models read the same text. A rival that the run lacks, or that read another amount, is left
out; since every test is easier to pass with fewer rivals, a claim that fails without it does not hold, and one that
passes is not tested. Results of sample data are never a verdict on a paper: they are ``not tested``, and the reason
says what the computation gave. Errors in the papers that printed numbers alone show are judged whatever the run.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Any

import pandas as pd

from sentrep.claims.catalogue import TESTS
from sentrep.claims.outcome import Outcome, Untestable
from sentrep.claims.reading import Claim
from sentrep.claims.run_tables import PRINTED, RunTables

HOLDS, FAILS, UNTESTED = "holds", "does not hold", "not tested"
COLUMNS = [
    "kind",
    "paper",
    "section",
    "id",
    "statement",
    "evidence",
    "verdict",
    "reason",
    "ours",
    "floor",
    "seeds",
    "preset",
]
SAME_TEXT = 0.02  # sentences may differ by this part: tokenisers empty other lines


def judge_all(claims: Iterable[Claim], tables: RunTables, preset: str, sample: bool) -> pd.DataFrame:
    """Judge all claims; the columns are :data:`COLUMNS`, the rows in the order of the claims."""
    return pd.DataFrame([judge(claim, tables, preset, sample) for claim in claims], columns=COLUMNS)


def judge(claim: Claim, tables: RunTables, preset: str, sample: bool) -> dict[str, Any]:
    """Judge one claim.

    Args:
        claim: what is stated, and the test.
        tables: of the run.
        preset: name of the run's preset.
        sample: the run's data are samples.
    """
    outcome = _outcome(claim, tables) if claim.test else Outcome(None, "", reason=claim.untested)
    printed_only = bool(claim.test) and all(path.startswith(PRINTED) for path in claim.files.values())
    disturbed = tables.disturbed([*claim.subjects, *claim.rivals]) if claim.alone else ""
    verdict = {True: HOLDS, False: FAILS, None: UNTESTED}[outcome.holds]
    if printed_only:
        reason = "computed from the printed numbers alone"
    elif sample and outcome.holds is not None:
        verdict, reason = UNTESTED, f"sample data; the computation gave: {verdict}"
    elif outcome.holds is not None and disturbed:
        verdict, reason = UNTESTED, f"{disturbed}; the computation gave: {verdict}"
    elif outcome.holds is None:
        reason = outcome.reason
    else:
        reason = "; ".join(text for text in (outcome.reason, _scale(claim, tables)) if text)
    return {
        "kind": claim.kind,
        "paper": claim.paper,
        "section": claim.section,
        "id": claim.id,
        "statement": claim.statement,
        "evidence": claim.evidence,
        "verdict": verdict,
        "reason": reason,
        "ours": outcome.ours,
        "floor": outcome.floor,
        "seeds": outcome.seeds,
        "preset": preset,
    }


def _outcome(claim: Claim, tables: RunTables) -> Outcome:
    absent = [path for path in claim.files.values() if path not in tables]
    if absent:
        return Outcome(None, "", reason=f"{', '.join(absent)} is not part of this run")
    arguments = {**claim.arguments, **{name: tables.read(path) for name, path in claim.files.items()}}
    left_out: list[str] = []
    try:
        if claim.subjects:
            here = _models_in(arguments, claim)
            arguments, left_out = _fair(claim, arguments, here, tables)
        outcome = TESTS[claim.test](**arguments)
    except Untestable as reason:
        return Outcome(None, "", reason="; ".join([str(reason), *left_out]))
    if not left_out:
        return outcome
    notes = "; ".join(left_out)
    if outcome.holds:
        return replace(outcome, holds=None, reason=f"{notes}; it holds over what is left")
    also = f"{outcome.reason}; " if outcome.reason else ""
    return replace(outcome, reason=f"{also}{notes}" + ("" if outcome.holds is None else "; it fails over what is left"))


def _models_in(arguments: dict[str, Any], claim: Claim) -> set[str]:
    """Return the models that the test's table of models' results knows."""
    known: set[str] = set()
    for name in claim.files:
        for column in ("model", "model_a", "model_b"):
            if column in arguments[name].columns:
                known |= set(arguments[name][column].dropna().astype(str))
    return known


def _fair(
    claim: Claim, arguments: dict[str, Any], here: set[str], tables: RunTables
) -> tuple[dict[str, Any], list[str]]:
    """Leave out models that are not there, or that read another text than the first subject.

    Returns:
        The arguments without them, and a note on each kind of absence.

    Raises:
        Untestable: no subject or no rival is left.
    """
    size = tables.sentences
    subjects = [name for name in claim.subjects if name in here]
    if not subjects:
        raise Untestable(f"{', '.join(claim.subjects)} is not part of this run")
    first = size.get(subjects[0])

    def same(name: str) -> bool:
        other = size.get(name)
        return not claim.same_text or first is None or other is None or abs(other / first - 1) <= SAME_TEXT

    everyone = [*claim.subjects, *claim.rivals]
    lacking = [name for name in everyone if name not in here]
    unequal = [name for name in everyone if name in here and not same(name)]
    notes = [f"without {', '.join(lacking)}, which this run left out"] if lacking else []
    if unequal:
        read = ", ".join(f"{name} ({size[name]:,} sentences)" for name in unequal)
        notes.append(f"without {read}, which did not read the text of {subjects[0]} ({first:,})")
    kept = {name for name in everyone if name not in lacking and name not in unequal}
    if claim.rivals and not kept & set(claim.rivals):
        raise Untestable("; ".join(["no rival is left", *notes]))
    chosen = dict(arguments)
    for key in ("models", "rivals"):
        if key in chosen:
            chosen[key] = [name for name in chosen[key] if name in kept]
    return chosen, notes


def _scale(claim: Claim, tables: RunTables) -> str:
    """Say how much smaller the training data were than the paper's; nothing where they were not."""
    if not claim.scale:
        return ""
    of = claim.scale["of"]
    if "pairs" in claim.scale:
        ours, paper, what = tables.training_pairs.get(of), claim.scale["pairs"], "related training pairs"
    else:
        read = (tables.sentences.get(name) for name in (*claim.subjects, of))
        ours, paper, what = next((n for n in read if n), None), claim.scale["sentences"], "training sentences"
    return f"{ours:,} {what}; the paper has {paper:,}" if ours and ours < paper * (1 - SAME_TEXT) else ""
