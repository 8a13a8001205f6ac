"""Verdicts: ``holds``, ``does not hold``, or ``not tested`` with the reason.

Only systems that read the same text are compared. A rival that the run lacks, or that read another amount of text, is
left out. Every test is easier to pass with fewer rivals, so a claim that fails without this rival does not hold, and
one that passes is not tested. Results on sample data give no verdict on a paper: they are ``not tested``, and the
reason says what the computation gave. Errors that the published values show are judged in every run.
"""

from __future__ import annotations

from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import pandas as pd

from sentrep.claims.outcome import Outcome, Untestable
from sentrep.claims.reading import TESTS, Claim, Claims, Scale
from sentrep.claims.run import Run, has_value

HOLDS, FAILS, UNTESTED = "holds", "does not hold", "not tested"
SAME_TEXT = 0.02  # numbers of sentences may differ by this share: tokenisers empty different lines


@dataclass(frozen=True)
class Verdict:
    """A row of ``claims.csv``: a claim, the verdict with its reason, and the values that decided."""

    kind: str
    paper: str
    section: str
    id: str
    statement: str
    evidence: str
    verdict: str
    reason: str
    ours: str
    baseline: str
    seeds: str
    preset: str


_NAMES = {"baseline": "floor"}  # the column of the csv keeps the name that it had in earlier runs
COLUMNS = [_NAMES.get(field.name, field.name) for field in fields(Verdict)]


def judge_all(claims: Claims, run: Run, preset: str, sample: bool) -> pd.DataFrame:
    """Judge all claims; the rows are in the order of the claims, the columns are :data:`COLUMNS`."""
    verdicts = [judge(claim, claims, run, preset, sample) for claim in claims.claims]
    return pd.DataFrame([asdict(verdict) for verdict in verdicts]).rename(columns=_NAMES)


def judge(claim: Claim, claims: Claims, run: Run, preset: str, sample: bool) -> Verdict:
    """Judge one claim.

    Args:
        claim: the statement and its test.
        claims: all claims, with the views and the sizes of the papers' training data.
        run: what the run measured.
        preset: name of the run's preset.
        sample: the run's data are samples.
    """
    view = claims.view_of(claim)
    outcome = _outcome(claim, claims, run)
    disturbed = run.disturbed(_systems(claim, "subjects") + _systems(claim, "rivals")) if claim.alone else ""
    verdict = {True: HOLDS, False: FAILS, None: UNTESTED}[outcome.holds]
    if view and view.published:
        reason = "computed from the published values alone"
    elif outcome.holds is None:
        reason = outcome.reason
    elif sample or disturbed:
        verdict, reason = UNTESTED, f"{'sample data' if sample else disturbed}; the computation gave: {verdict}"
    else:
        scale = _smaller_scale(claim, claims.scale_of(claim), run)
        reason = "; ".join(text for text in (outcome.reason, scale) if text)
    found = {"verdict": verdict, "reason": reason, "ours": outcome.ours, "baseline": outcome.baseline}
    stated = claim.model_dump(include={"kind", "paper", "section", "id", "statement", "evidence"})
    return Verdict(**stated, **found, seeds=outcome.seeds, preset=preset)


def _outcome(claim: Claim, claims: Claims, run: Run) -> Outcome:
    view = claims.view_of(claim)
    if not view:
        return Outcome(None, "", reason=claim.untested)
    notes: list[str] = []
    try:
        data, arguments = run.data(view), claim.arguments
        if view.compared == "system" and "subjects" in arguments:
            known = {value.system for value in data.cells if has_value(value)}
            arguments = arguments | _comparable(claim, known, run.sentences, notes)
        outcome = TESTS[claim.test["name"]](data, **arguments)
    except Untestable as reason:
        return Outcome(None, "", reason="; ".join([str(reason), *notes]))
    if not notes:
        return outcome
    left = "; ".join(notes)
    if outcome.holds:
        return replace(outcome, holds=None, reason=f"{left}; it holds for the others")
    reason = f"{outcome.reason}; {left}" if outcome.reason else left
    return replace(outcome, reason=reason if outcome.holds is None else f"{reason}; it fails for the others")


def _comparable(claim: Claim, known: set[str], sizes: dict[str, int], notes: list[str]) -> dict[str, Any]:
    """Leave out systems that the run lacks, or that read another text than the first subject.

    Args:
        claim: the claim.
        known: systems that have values.
        sizes: number of sentences that each trained model read.
        notes: takes a sentence for each reason to leave out systems.

    Returns:
        The subjects and rivals that are left.

    Raises:
        Untestable: no subject or no rival is left.
    """
    subjects, rivals = _systems(claim, "subjects"), _systems(claim, "rivals")
    first = next((name for name in subjects if name in known), None)
    if first is None:
        raise Untestable(f"{', '.join(subjects)} is not part of this run")
    size = sizes.get(first)
    lacking = [name for name in subjects + rivals if name not in known]
    unequal = [
        name
        for name in subjects + rivals
        if name in known and claim.same_text and size and abs(sizes.get(name, size) / size - 1) > SAME_TEXT
    ]
    if lacking:
        notes.append(f"without {', '.join(lacking)}, which this run left out")
    if unequal:
        read = ", ".join(f"{name} ({sizes[name]:,} sentences)" for name in unequal)
        notes.append(f"without {read}, which did not read the text of {first} ({size:,})")
    kept = {
        key: [name for name in names if name not in lacking and name not in unequal]
        for key, names in (("subjects", subjects), ("rivals", rivals))
        if names
    }
    if not all(kept.values()):
        raise Untestable("no rival is left")
    return kept


def _systems(claim: Claim, role: str) -> list[str]:
    return [str(name) for name in claim.arguments.get(role, [])]


def _smaller_scale(claim: Claim, scale: Scale | None, run: Run) -> str:
    """Say how much smaller the training data were than the paper's, or return an empty string."""
    if not scale:
        return ""
    if scale.pairs:
        ours, paper, what = run.training_pairs.get(scale.of), scale.pairs, "related training pairs"
    else:
        names = [*_systems(claim, "subjects"), scale.of]
        ours = next((run.sentences[name] for name in names if name in run.sentences), None)
        paper, what = scale.sentences, "training sentences"
    return f"{ours:,} {what}; the paper has {paper:,}" if ours and ours < paper * (1 - SAME_TEXT) else ""
