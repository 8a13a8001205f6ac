"""Verdicts on the papers' claims and on the errors found in the papers, from ``claims.csv``."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from sentrep.claims.decision import FAILS, HOLDS, UNDECIDED, UNTESTED
from sentrep.claims.table import margin_text
from sentrep.claims.verdicts import COLUMNS
from sentrep.report.papers import by_paper
from sentrep.report.result_files import ResultFiles

# Verdict -> its class in report.css.
VERDICTS = {HOLDS: "good", FAILS: "bad", UNDECIDED: "undecided", UNTESTED: "open"}
# Verdicts on an error that was found in a paper.
ERROR_VERDICTS = {HOLDS: "confirmed", FAILS: "not confirmed"}
Claim = Mapping[str, str]


def read_claims(files: ResultFiles, kind: str = "claim") -> list[Claim]:
    """Return the rows of one kind, "claim", "ours" or "error", in the order of the papers.

    A row also has its verdict in words, the class of the verdict in report.css, and its margin as text.
    """
    rows = [
        {
            **row,
            "shown": ERROR_VERDICTS.get(row["verdict"], row["verdict"]) if kind == "error" else row["verdict"],
            "style": VERDICTS.get(row["verdict"], "open"),
            "margin_text": margin_text(row),
        }
        for row in files.rows("claims.csv", COLUMNS)
        if row["kind"] == kind
    ]
    return [row for group in by_paper(rows).values() for row in group]


def counts(claims: Sequence[Claim]) -> dict[str, int]:
    """Return the number of claims with each verdict."""
    number = Counter(claim["verdict"] for claim in claims)
    return {verdict: number[verdict] for verdict in VERDICTS}


def tally(claims: Sequence[Claim]) -> list[dict[str, Any]]:
    """Return the number of claims of each paper with each verdict."""
    return [
        {"name": name, "counts": [(verdict, VERDICTS[verdict], number) for verdict, number in counts(group).items()]}
        for name, group in by_paper(claims).items()
    ]


def summary(claims: Sequence[Claim]) -> str:
    """Return how many claims hold, in one sentence."""
    number = counts(claims)
    untested = number[UNTESTED]
    tested = len(claims) - untested
    if not tested:
        return f"None of the papers’ {len(claims)} claims can be tested on this run."
    rest = f"; {untested} of {len(claims)} cannot be tested on this run" if untested else ""
    return (
        f"Of the {tested} claims of the papers that are tested, {number[HOLDS]} "
        f"{'holds' if number[HOLDS] == 1 else 'hold'}, {number[FAILS]} {'does' if number[FAILS] == 1 else 'do'} "
        f"not, and {number[UNDECIDED]} {'is' if number[UNDECIDED] == 1 else 'are'} undecided{rest}."
    )
