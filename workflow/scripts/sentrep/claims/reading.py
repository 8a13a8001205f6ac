"""Read and validate ``workflow/reported/claims.yaml``.

The file has three keys. ``papers`` gives the title of each paper and the size of its training data. ``views`` declares
the parts of the table of values that tests read (:class:`~sentrep.claims.data.View`). ``claims`` lists the statements::

    - id: scbow_best_on_most_sets
      kind: claim                     # or `ours` for a statement of our own, or `error` for an error in the paper
      paper: siamese_cbow
      section: "4.1, table 1"
      statement: the claim in our words
      evidence: the paper's numbers
      test: {name: best_on, view: sets, subjects: [siamese_cbow], rivals: [word2vec_cbow], of: 20}

A test consists of the name of a function, the name of a view, and the arguments of the function. If the pipeline
produces no result that could decide a claim, the key ``untested`` replaces ``test`` and gives the reason.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, Self, cast

from pydantic import AfterValidator, Field, ValidationError, model_validator

from sentrep.claims import comparisons, curves, paper_errors, significance, tasks, words
from sentrep.claims.data import View
from sentrep.claims.outcome import Outcome
from sentrep.config.base import mistake
from sentrep.errors import SentrepError, unknown_name
from sentrep.io.yaml_files import read_yaml
from sentrep.runtime.settings import Section
from sentrep.runtime.validation_errors import one_line

Test = Callable[..., Outcome]

# The test functions by name: all functions in these modules that return an outcome.
TESTS: dict[str, Test] = {
    name: cast("Test", function)
    for module in (comparisons, curves, tasks, words, significance, paper_errors)
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if function.__module__ == module.__name__ and function.__annotations__["return"] == Outcome.__name__
}

Text = Annotated[str, AfterValidator(lambda text: " ".join(text.split())), Field(min_length=1)]


class Scale(Section):
    """The size of the training data in a paper.

    Attributes:
        of: if ``pairs`` is given, the name of a set of mined pairs, whose number of related training pairs is compared
            with ``pairs``. Otherwise, the name of a model. If no subject of the claim has a known number of training
            sentences, the number of training sentences of this model is compared with ``sentences``.
        sentences: number of sentences in the training data of the paper.
        pairs: number of related pairs in the training data of the paper, if the paper trains on pairs instead of
            sentences.
    """

    of: str
    sentences: int = 0
    pairs: int = 0


class Paper(Section):
    """The short title of a paper and the size of its training data."""

    title: str
    scale: Scale


class Claim(Section):
    """A statement and its test.

    Attributes:
        id: unique name of the claim, such as ``scbow_best_on_most_sets``.
        kind: "claim" for a statement of the paper, "ours" for one of our own, or "error" for an error in the paper.
        paper: name of the paper, which is also the name of its CSV file in ``workflow/reported``.
        section: section, table or figure of the paper that contains the statement.
        statement: the claim in our words.
        evidence: what the paper says about the statement (numbers, a quotation or a reference to a figure).
        test: name, view and arguments of the test; empty if there is no test.
        untested: reason why the claim has no test; empty if it has one.
        same_text: whether only systems trained on the same text are compared. Texts count as the same if their numbers
            of sentences differ by at most 2%.
        alone: whether the claim is about training times. Such a claim is decided only if no two models shared a GPU
            and no model shared its CPU cores with other programs.
        scale: size of the training data for this claim, if it differs from the size given for the paper; null if the
            size does not matter, which is the default for errors.
    """

    id: str
    kind: Literal["claim", "ours", "error"] = "claim"
    paper: str
    section: Text
    statement: Text
    evidence: Text
    test: dict[str, Any] = Field(default_factory=dict)
    untested: str = ""
    same_text: bool = True
    alone: bool = False
    scale: Scale | None = None

    @model_validator(mode="after")
    def _has_test_or_reason(self) -> Self:
        if bool(self.test) == bool(self.untested):
            raise mistake(
                "either `test` or `untested`", "both" if self.test else "neither", "set exactly one of the two keys"
            )
        return self

    @property
    def arguments(self) -> dict[str, Any]:
        """The arguments of the test, without its name and view."""
        return {key: value for key, value in self.test.items() if key not in {"name", "view"}}


class Claims(Section):
    """The contents of ``claims.yaml``."""

    papers: dict[str, Paper]
    views: dict[str, View]
    claims: list[Claim] = Field(min_length=1)

    def view_of(self, claim: Claim) -> View | None:
        """Return the view of a claim's test; None if the claim has no test."""
        return self.views[claim.test["view"]] if claim.test else None

    def scale_of(self, claim: Claim) -> Scale | None:
        """Return the size of the paper's training data that applies to a claim; None if the size does not matter."""
        if claim.kind == "error" or "scale" in claim.model_fields_set:
            return claim.scale
        return self.papers[claim.paper].scale


def read_claims(path: str | Path) -> Claims:
    """Read and validate a list of claims.

    Raises:
        SentrepError: the file is missing or is not YAML; or an entry has an unknown or missing key, an invalid value,
            the id of another claim, an unknown paper, test or view, or arguments that do not fit the test.
    """
    path = Path(path)
    try:
        claims = Claims.model_validate(read_yaml(path))
    except ValidationError as error:
        raise one_line(error, Claims, f"{path}, ") from None
    taken: set[str] = set()
    for number, claim in enumerate(claims.claims, 1):
        where = f"{path}, claim {number} ({claim.id})"
        if claim.id in taken:
            raise SentrepError(
                where, expected="a unique id", found=f"{claim.id} twice", remedy="give one of the claims another id"
            )
        taken.add(claim.id)
        if claim.paper not in claims.papers:
            raise unknown_name(where, "paper", claim.paper, claims.papers)
        if claim.test:
            _check_test(claim, claims.views, where)
    return claims


def _check_test(claim: Claim, views: Mapping[str, View], where: str) -> None:
    for kind, known in (("name", TESTS), ("view", views)):
        if claim.test.get(kind) not in known:
            raise unknown_name(where, f"value of `{kind}` under `test`", str(claim.test.get(kind)), known)
    name = str(claim.test["name"])
    parameters = dict(list(inspect.signature(TESTS[name]).parameters.items())[1:])
    for argument in claim.arguments:
        if argument not in parameters:
            raise unknown_name(where, f"argument of {name}", argument, parameters)
    needed = [key for key, parameter in parameters.items() if parameter.default is inspect.Parameter.empty]
    absent = [key for key in needed if key not in claim.arguments]
    if absent:
        raise SentrepError(
            where,
            expected=f"all required arguments of the test {name}",
            found=f"no {', '.join(absent)}",
            remedy="add the missing arguments under `test`",
        )
