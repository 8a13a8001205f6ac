"""Reading and checking ``workflow/reported/claims.yaml``.

The file has two keys. ``papers`` gives each paper a title and says how large its training data were. ``claims`` lists
the statements::

    - id: scbow_best_on_most_sets
      kind: claim                     # or error: an error in the paper
      paper: siamese_cbow
      section: "4.1, table 1"
      statement: what it means, in our words
      evidence: the paper's numbers
      test: {name: best_on_most_sets, scores: scores.csv, model: siamese_cbow, rivals: [word2vec_cbow], of: 20}

``untested`` with a reason stands in the place of ``test`` where no result of the pipeline can decide. ``same_text:
false`` allows models that read different amounts of text, as for times per sentence; ``alone: true`` asks that they
were trained alone on a GPU, or with nearly all of their cores' time. ``scale`` overrides the paper's; null where a
claim is not about training.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import yaml

from sentrep.claims.catalogue import TESTS, parameters_of, tables_of
from sentrep.errors import SentrepError, unknown_name

KINDS = ("claim", "error")
_REQUIRED = ("id", "paper", "section", "statement", "evidence")
_KEYS = {*_REQUIRED, "kind", "test", "untested", "same_text", "alone", "scale"}
_SCALES = ({"sentences", "of"}, {"pairs", "of"})


@dataclass(frozen=True)
class Claim:
    """One statement.

    Attributes:
        id: its name.
        kind: "claim", or "error" for an error in the paper.
        paper: as the files of reported values are called.
        title: the paper's, in short.
        section: of the paper, or its table or figure.
        statement: the meaning, in our words.
        evidence: the paper's numbers.
        test: name of the computation; empty if there is none.
        arguments: of the computation: files below results/, models, thresholds.
        untested: why there is none.
        same_text: models that are compared must have read the same text.
        alone: times are compared: models must have had their device, or their cores, to themselves.
        scale: size of the paper's training data: {"sentences": n, "of": model} or {"pairs": n, "of": mined pairs}.
    """

    id: str
    kind: str
    paper: str
    title: str
    section: str
    statement: str
    evidence: str
    test: str = ""
    arguments: Mapping[str, Any] = field(default_factory=dict)
    untested: str = ""
    same_text: bool = True
    alone: bool = False
    scale: Mapping[str, Any] = field(default_factory=dict)

    @property
    def files(self) -> dict[str, str]:
        """Files that the test reads, by argument."""
        return tables_of(TESTS[self.test], self.arguments) if self.test else {}

    @property
    def subjects(self) -> list[str]:
        """Models that the claim is about."""
        return [*self.arguments.get("models", [])] or [m for m in [self.arguments.get("model")] if m]

    @property
    def rivals(self) -> list[str]:
        """Models that it compares them with."""
        return [*self.arguments.get("rivals", [])]


def read_claims(path: str | Path) -> list[Claim]:
    """Read the claims.

    Raises:
        SentrepError: the file is missing or no YAML, or an entry has an unknown or missing key, an id that is taken, an
            unknown paper or test, or arguments that the test does not have.
    """
    path = Path(path)
    try:
        content = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SentrepError(
            path, expected="the list of claims", found="no file", remedy="restore it from the repository"
        ) from None
    except yaml.YAMLError as error:
        raise SentrepError(path, expected="YAML", found=str(error), remedy="correct the file") from None
    if not isinstance(content, dict) or set(content) != {"papers", "claims"} or not content["claims"]:
        raise SentrepError(
            path, expected="the keys papers and claims", found="something else", remedy="correct the file"
        )
    papers = content["papers"]
    claims: dict[str, Claim] = {}
    for number, entry in enumerate(content["claims"], 1):
        claim = _claim(entry, papers, f"{path}, claim {number}")
        if claim.id in claims:
            raise SentrepError(f"{path}, claim {number}", expected="a new id", found=claim.id, remedy="rename one")
        claims[claim.id] = claim
    return list(claims.values())


def _claim(entry: Any, papers: Mapping[str, Any], where: str) -> Claim:
    if not isinstance(entry, dict):
        raise SentrepError(where, expected="keys and values", found=repr(entry), remedy="correct the entry")
    where = f"{where} ({entry.get('id', 'no id')})"
    for key in entry:
        if key not in _KEYS:
            raise unknown_name(where, "key", str(key), _KEYS)
    absent = [key for key in _REQUIRED if not str(entry.get(key) or "").strip()]
    if absent or ("test" in entry) == ("untested" in entry):
        found = f"no {', '.join(absent)}" if absent else "both or neither"
        expected = ", ".join(_REQUIRED) if absent else "either test or untested"
        raise SentrepError(where, expected=expected, found=found, remedy="complete the entry")
    if entry["paper"] not in papers:
        raise unknown_name(where, "paper", entry["paper"], papers)
    if entry.get("kind", KINDS[0]) not in KINDS:
        raise unknown_name(where, "kind", entry["kind"], KINDS)
    arguments = dict(entry.get("test") or {})
    name = arguments.pop("name", "")
    if "test" in entry:
        _check_test(name, arguments, where)
    # an error in a paper does not depend on how much text a run read
    paper = papers[entry["paper"]]
    default = paper["scale"] if entry.get("kind", KINDS[0]) == KINDS[0] else {}
    scale = entry.get("scale", default) or {}
    if scale and set(scale) not in _SCALES:
        raise SentrepError(
            where, expected="scale: {sentences or pairs, of}", found=", ".join(scale), remedy="correct the entry"
        )
    fields = {key: " ".join(str(entry[key]).split()) for key in _REQUIRED}
    return Claim(
        **fields,
        kind=entry.get("kind", KINDS[0]),
        title=paper["title"],
        test=name,
        arguments=arguments,
        untested=" ".join(str(entry.get("untested", "")).split()),
        same_text=entry.get("same_text", True),
        alone=entry.get("alone", False),
        scale=scale,
    )


def _check_test(name: str, arguments: Mapping[str, Any], where: str) -> None:
    if name not in TESTS:
        raise unknown_name(where, "test", name, TESTS)
    known, needed = parameters_of(TESTS[name])
    for argument in arguments:
        if argument not in known:
            raise unknown_name(where, f"argument of {name}", argument, known)
    absent = sorted(needed - set(arguments))
    if absent:
        raise SentrepError(
            where, expected=f"arguments of {name}", found=f"no {', '.join(absent)}", remedy="add them to the test"
        )
