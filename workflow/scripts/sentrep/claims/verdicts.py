"""Give a verdict on each claim: ``holds``, ``does not hold``, ``undecided`` or ``not tested``.

The test of a claim computes a margin, and the verdict follows from the 95% interval of this margin
(:mod:`sentrep.claims.decision`). A second verdict uses p-values after Holm's correction, which accounts for the number
of claims that are tested for the same paper.

Except in claims with ``same_text: false``, only systems that were trained on the same amount of text are compared. A
subject or rival is omitted if it is not in the run, or if its amount of training text differs from that of the first
subject that is in the run. Nearly every test is easier to pass with fewer systems (see
:mod:`sentrep.claims.comparisons`). If systems are omitted, a test that fails therefore gives the verdict ``does not
hold``, and a test that passes gives the verdict ``not tested``.

On sample data, claims about measured values are ``not tested``, and the reason gives the verdict that would follow from
the values. Claims whose tests read only published values are judged in every run.
"""

from __future__ import annotations

import math
import re
from dataclasses import asdict, dataclass, fields, replace
from typing import Any

import numpy as np
import pandas as pd

from sentrep.claims.decision import FAILS, HOLDS, UNDECIDED, UNTESTED, Decision, missing_data, verdict_of
from sentrep.claims.outcome import Outcome, Support, Untestable
from sentrep.claims.reading import TESTS, Claim, Claims, Scale
from sentrep.claims.run import Run, has_value
from sentrep.evaluation.statistics.bootstrap import LEVEL
from sentrep.evaluation.statistics.williams import holm
from sentrep.io.frames import groups_of, rows_where

# Two models count as trained on the same text if the relative difference between their numbers of training sentences is
# at most this value. On the same text, these numbers can differ, because a line that is empty after tokenisation with
# one tokeniser may not be empty with another.
SAME_TEXT = 0.02
_ONE_SEED = "because at least one value comes from a single seed and is not computed from test items"
ONE_END = f"the interval has no lower end, {_ONE_SEED}"
NO_INTERVAL = f"there is no interval, {_ONE_SEED}"


@dataclass(frozen=True)
class Verdict:
    """A row of ``claims.csv``: a claim, the verdict with its reason, and the values on which the verdict is based.

    ``kind`` is "claim", "ours" or "error". ``verdict`` is the verdict on the claim alone. ``corrected`` is the verdict
    after Holm's correction over the tested claims of the paper, or empty for untested claims and for other kinds of
    statements. ``margin`` is the amount by which the values exceed the threshold of the claim, ``low`` and ``high`` are
    the ends of the 95% interval of the margin, and ``p`` is the p-value for the null hypothesis that the margin is 0.
    ``basis`` names the units that were resampled for the interval. For an undecided claim, ``needed`` names the data
    that would decide the claim.
    """

    kind: str
    paper: str
    section: str
    id: str
    statement: str
    evidence: str
    verdict: str
    corrected: str
    reason: str
    needed: str
    ours: str
    margin: float
    low: float
    high: float
    p: float
    p_holm: float
    items: int
    seeds: str
    basis: str
    baseline: str
    preset: str


COLUMNS = [field.name for field in fields(Verdict)]


def judge_all(claims: Claims, run: Run, preset: str, sample: bool) -> pd.DataFrame:
    """Test all claims against the values of a run, and apply Holm's correction.

    Args:
        claims: contents of ``claims.yaml``: all claims, the views and the sizes of the papers' training data.
        run: the values of the run and the published values.
        preset: name of the preset of the run, which is stored in the verdicts.
        sample: whether the run used sample data, on which claims about measured values are not tested.

    Returns:
        One row for each claim, in the order of the list of claims, with the columns :data:`COLUMNS`. Margins, interval
        ends and p-values have four significant digits.
    """
    verdicts = [judge(claim, claims, run, preset, sample) for claim in claims.claims]
    frame = corrected(pd.DataFrame([asdict(verdict) for verdict in verdicts]))
    for name in ("margin", "low", "high", "p", "p_holm"):
        frame[name] = [float(f"{number:.4g}") for number in frame[name]]
    return frame


def corrected(verdicts: pd.DataFrame) -> pd.DataFrame:
    """Apply Holm's correction to the p-values of the tested claims of each paper.

    The correction leaves out our own statements, and statements about errors in the papers.

    Args:
        verdicts: one row for each claim, with the columns :data:`COLUMNS`.

    Returns:
        The verdicts, with new values in the columns ``p_holm`` and ``corrected``.
    """
    found = verdicts.assign(p_holm=math.nan, corrected="")
    claims = rows_where(found, (found["kind"] == "claim") & (found["verdict"] != UNTESTED))
    for _, family in groups_of(claims, ["paper"]):
        p = holm(family["p"].tolist())
        # A decided verdict whose p is NaN does not change, because nothing was resampled.
        decided = [v in (HOLDS, FAILS) and not q > 1 - LEVEL for v, q in zip(family["verdict"], p, strict=True)]
        found.loc[family.index, "p_holm"] = p
        found.loc[family.index, "corrected"] = np.where(decided, family["verdict"], UNDECIDED)
    return found


def judge(claim: Claim, claims: Claims, run: Run, preset: str, sample: bool) -> Verdict:
    """Judge one claim on its own, without Holm's correction.

    Args:
        claim: the claim to judge.
        claims: contents of ``claims.yaml``: all claims, the views and the sizes of the papers' training data.
        run: the values of the run and the published values.
        preset: name of the preset of the run, which is stored in the verdict.
        sample: whether the run used sample data, on which claims about measured values are not tested.
    """
    view = claims.view_of(claim)
    try:
        outcome = _outcome(claim, claims, run)
    except Untestable as reason:
        return _verdict(claim, preset, UNTESTED, str(reason))
    verdict, decision = verdict_of(outcome)
    if not re.search("items|seeds", outcome.support.basis):
        decision = replace(decision, p=math.nan)  # without resampling, there is no p-value
    needed = missing_data(decision, outcome.support.basis) if verdict == UNDECIDED else ""
    disturbed = run.disturbed(_systems(claim, "subjects") + _systems(claim, "rivals")) if claim.alone else ""
    if view and view.published:
        reason = "computed from the published values alone"
    elif sample and verdict != UNTESTED:
        needed, reason = "", f"this run uses sample data; the verdict based on these data is: {verdict}"
        verdict = UNTESTED
    elif disturbed and verdict != UNTESTED:
        verdict, reason = UNDECIDED, f"{disturbed}; the verdict based on the measured times is: {verdict}"
        needed = "times measured while no other job runs"
    else:
        open_ends = math.isinf(decision.low) + math.isinf(decision.high) if verdict == UNDECIDED else 0
        open_end = ("", ONE_END, NO_INTERVAL)[open_ends]
        scale = _smaller_scale(claim, claims.scale_of(claim), run) if verdict != UNTESTED else ""
        reason = "; ".join(text for text in (open_end, outcome.reason, scale) if text)
    return _verdict(claim, preset, verdict, reason, needed, outcome, decision)


def _verdict(
    claim: Claim,
    preset: str,
    verdict: str,
    reason: str,
    needed: str = "",
    outcome: Outcome | None = None,
    found: Decision | None = None,
) -> Verdict:
    support = outcome.support if outcome else Support()
    return Verdict(
        **claim.model_dump(include={"kind", "paper", "section", "id", "statement", "evidence"}),
        verdict=verdict,
        corrected="",
        reason=reason,
        needed=needed,
        ours=outcome.ours if outcome else "",
        margin=found.margin if found else math.nan,
        low=found.low if found else math.nan,
        high=found.high if found else math.nan,
        p=found.p if found else math.nan,
        p_holm=math.nan,
        items=support.items,
        seeds=support.seeds,
        basis=support.basis,
        baseline=outcome.baseline if outcome else "",
        preset=preset,
    )


def _outcome(claim: Claim, claims: Claims, run: Run) -> Outcome:
    """Return the outcome of testing a claim, leaving out systems that are missing or were trained on another text.

    Raises:
        Untestable: the claim has no test, or the run lacks values that the test needs.
    """
    view = claims.view_of(claim)
    if not view:
        raise Untestable(claim.untested)
    notes: list[str] = []
    try:
        data, arguments = run.data(view), claim.arguments
        if view.compared == "system" and "subjects" in arguments:
            known = {value.system for value in data.cells if has_value(value)}
            arguments = arguments | _comparable(claim, known, run.sentences, notes)
        outcome = TESTS[claim.test["name"]](data, **arguments)
    except Untestable as reason:
        raise Untestable("; ".join([str(reason), *notes])) from None
    if not notes:
        return outcome
    reason = "; ".join(text for text in (outcome.reason, *notes) if text)
    return replace(outcome, short=math.inf, reason=reason)


def _comparable(claim: Claim, known: set[str], sizes: dict[str, int], notes: list[str]) -> dict[str, Any]:
    """Return the subjects and rivals of a claim that are in the run and, if required, were trained on the same text.

    Args:
        claim: the claim, whose test names the subjects and rivals.
        known: names of the systems that have values in the run.
        sizes: number of sentences on which each model was trained.
        notes: a list to which a phrase is appended for each reason to omit systems.

    Returns:
        The remaining names, with the keys "subjects" and "rivals".

    Raises:
        Untestable: no subject is in the run, or no rival is left.
    """
    subjects, rivals = _systems(claim, "subjects"), _systems(claim, "rivals")
    first = next((name for name in subjects if name in known), None)
    if first is None:
        raise Untestable(f"this run lacks {', '.join(subjects)}")
    size = sizes.get(first)
    lacking = [name for name in subjects + rivals if name not in known]
    unequal = [
        name
        for name in subjects + rivals
        if name in known and claim.same_text and size and abs(sizes.get(name, size) / size - 1) > SAME_TEXT
    ]
    if lacking:
        notes.append(f"this run lacks {', '.join(lacking)}")
    if unequal:
        read = ", ".join(f"{name} ({sizes[name]:,} sentences)" for name in unequal)
        notes.append(f"models not trained on the text of {first} ({size:,} sentences) are omitted: {read}")
    kept = {
        key: [name for name in names if name not in lacking and name not in unequal]
        for key, names in (("subjects", subjects), ("rivals", rivals))
        if names
    }
    if not all(kept.values()):
        raise Untestable("no rival is left for the comparison")
    return kept


def _systems(claim: Claim, role: str) -> list[str]:
    return [str(name) for name in claim.arguments.get(role, [])]


def _smaller_scale(claim: Claim, scale: Scale | None, run: Run) -> str:
    """Return a phrase that compares the size of our training data with the size of the paper's training data.

    The phrase is empty if the size does not matter for the claim, if the size of our data is unknown, or if our data
    are at least 98% as large as the paper's data.
    """
    if not scale:
        return ""
    if scale.pairs:
        ours, paper, what = run.training_pairs.get(scale.of), scale.pairs, "related training pairs"
    else:
        names = [*_systems(claim, "subjects"), scale.of]
        ours = next((run.sentences[name] for name in names if name in run.sentences), None)
        paper, what = scale.sentences, "training sentences"
    smaller = ours and ours < paper * (1 - SAME_TEXT)
    return f"this run used {ours:,} {what}, and the paper {paper:,}" if smaller else ""
