"""The papers' claims and the errors found in the papers, with what the run says of each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sentrep.claims.verdicts import COLUMNS, FAILS, HOLDS, UNTESTED
from sentrep.report.names import PAPERS

# verdict -> name in style sheets
VERDICTS = {HOLDS: "good", FAILS: "bad", UNTESTED: "open"}


@dataclass(frozen=True)
class Claim:
    """One line of ``claims.csv``, as it is shown."""

    kind: str
    paper: str
    section: str
    id: str
    statement: str
    evidence: str
    verdict: str
    reason: str
    ours: str
    floor: str
    seeds: str
    preset: str

    @property
    def paper_name(self) -> str:
        """The paper's name."""
        return PAPERS.get(self.paper, (self.paper, ""))[0]

    @property
    def shown_verdict(self) -> str:
        """The verdict in words; an error that is there is "confirmed"."""
        words = {"holds": "confirmed", "does not hold": "not confirmed"} if self.kind == "error" else {}
        return words.get(self.verdict, self.verdict)

    @property
    def style(self) -> str:
        """Name of the verdict in style sheets."""
        return VERDICTS.get(self.verdict, "open")


def claims(rows: Sequence[Mapping[str, str]], kind: str = "claim") -> list[Claim]:
    """Return the claims of papers, or the errors found in them (kind "error"), in the order of the papers."""
    order = list(PAPERS)
    found = [Claim(**{name: row[name] for name in COLUMNS}) for row in rows if row["kind"] == kind]
    return sorted(found, key=lambda claim: order.index(claim.paper) if claim.paper in order else len(order))


def counts(found: Sequence[Claim]) -> dict[str, int]:
    """Return how many claims have each verdict."""
    number = Counter(claim.verdict for claim in found)
    return {verdict: number[verdict] for verdict in dict.fromkeys([*VERDICTS, *number])}


def sentence(found: Sequence[Claim]) -> str:
    """Say how many claims hold."""
    number = counts(found)
    tested = len(found) - number["not tested"]
    if not tested:
        return f"None of the papers’ {len(found)} claims can be tested on this run."
    untested = number["not tested"]
    rest = f"; {untested} of {len(found)} cannot be tested on this run" if untested else ""
    return (
        f"Of the {tested} claims of the papers that are tested, {number['holds']} "
        f"{'holds' if number['holds'] == 1 else 'hold'} and {number['does not hold']} "
        f"{'does' if number['does not hold'] == 1 else 'do'} not{rest}."
    )
