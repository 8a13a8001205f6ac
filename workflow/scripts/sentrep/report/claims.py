"""Build the report section with verdicts on the papers' claims and suspected errors, and on our own statements."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from sentrep.claims.decision import FAILS, HOLDS, UNDECIDED, UNTESTED, VERDICTS
from sentrep.claims.table import margin_text
from sentrep.claims.verdicts import COLUMNS
from sentrep.report.papers import by_paper
from sentrep.report.result_files import ResultFiles

# CSS class in report.css for each verdict.
STYLES = {HOLDS: "good", FAILS: "bad", UNDECIDED: "undecided", UNTESTED: "open"}
# Wording that the report uses for verdicts on suspected errors in the papers.
ERROR_VERDICTS = {HOLDS: "confirmed", FAILS: "not confirmed"}
PLURALS = {HOLDS: "hold", FAILS: "do not hold"}
Claim = Mapping[str, str]


class Group(NamedTuple):
    """A group of claims, which a reader of the report can expand or collapse as a whole.

    Attributes:
        id: id of the HTML element.
        name: name of the paper that makes the claims, or a heading such as "Errors in the papers".
        counts: for each verdict that occurs, its wording, its CSS class, and the number of claims with this verdict.
        claims: the claims, sorted by verdict.
    """

    id: str
    name: str
    counts: Sequence[tuple[str, str, int]]
    claims: Sequence[Claim]


def read_claims(files: ResultFiles, kind: str = "claim") -> list[Claim]:
    """Return the rows of ``claims.csv`` that have the given kind.

    The kinds are "claim" (a claim of a paper), "ours" (a statement of our own) and "error" (a suspected error in a
    paper). Three entries are added to each row: the wording of the verdict (``shown``), the CSS class of the verdict
    (``style``), and a text that states the margin and its interval (``margin_text``).
    """
    return [
        {
            **row,
            "shown": ERROR_VERDICTS.get(row["verdict"], row["verdict"]) if kind == "error" else row["verdict"],
            "style": STYLES[row["verdict"]],
            "margin_text": margin_text(row),
        }
        for row in files.rows("claims.csv", COLUMNS)
        if row["kind"] == kind
    ]


def groups(files: ResultFiles) -> list[Group]:
    """Return a group of claims for each paper, a group of our own statements, and a group of suspected errors.

    Empty groups are omitted.
    """
    papers = [_group(f"claims-{rows[0]['paper']}", name, rows) for name, rows in by_paper(read_claims(files)).items()]
    others = [
        _group("own", "Our own statements", read_claims(files, "ours")),
        _group("errors", "Errors in the papers", read_claims(files, "error")),
    ]
    return [*papers, *(group for group in others if group.claims)]


def _group(identity: str, name: str, claims: Sequence[Claim]) -> Group:
    ordered = sorted(claims, key=lambda claim: VERDICTS.index(claim["verdict"]))
    number = Counter((claim["shown"], claim["style"]) for claim in ordered)
    counts = [(shown if n == 1 else PLURALS.get(shown, shown), style, n) for (shown, style), n in number.items()]
    return Group(identity, name, counts, ordered)


def finding(files: ResultFiles) -> tuple[str, str]:
    """Return a sentence that states how many of the papers' claims held, and a text with further counts.

    The text states how many claims received each of the other verdicts and, if any errors in the papers were confirmed,
    the number of these errors. The sentence and the text are empty if there are no claims.
    """
    claims, errors = read_claims(files), read_claims(files, "error")
    if not claims:
        return "", ""
    number = Counter(claim["verdict"] for claim in claims)
    untested, hold, fail, undecided = (number[verdict] for verdict in (UNTESTED, HOLDS, FAILS, UNDECIDED))
    verb = "was" if undecided == 1 else "were"
    details = f"{fail} did not hold, {undecided} {verb} undecided, and {untested} could not be tested in this run."
    if shown := sum(error["verdict"] == HOLDS for error in errors):
        details += f" Our computations confirmed {shown} {'error' if shown == 1 else 'errors'} in the papers."
    return f"{hold} of the papers’ {len(claims)} claims held.", details
