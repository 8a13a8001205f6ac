"""Test that all text uses the terms of the field, from docstrings and messages to tables and pages."""

import ast
import re
import subprocess
import tokenize
from collections.abc import Iterator

import pytest

from conftest import ROOT

# Terms that were used only within the project, and the usual terms of the field.
TERMS = {
    r"\bfloors?\b": "untrained baseline",
    r"\bbeside\b": "compared with, next to",
    r"\b(?:re)?printed\b": "published, as published",
    r"\bpapers? prints?\b": "reports",
    r"\blearn(?:s|t)? nothing\b|\bnothing (?:is|was) learnt\b": "untrained",
    r"\bwhat (?:is|was) (?:learnt|learned)\b": "trained",
    r"\bpieces?\b": "token, type, chunk, fragment",
    r"\bblanks?\b(?! lines?\b)": "space, whitespace",
    r"\bcouples?\b": "pairs",
    r"\bmade[ -]up\b": "synthetic",
    r"\brehears(?:al|als|e|es|ed|ing)\b": "scale test",
    r"\bcontestants?\b": "implementation",
    r"\btext to store\b": "preprocessing",
    r"\bswitch(?:es)?\b": "option",
    r"\b(?:un)?mended\b|\bput right\b": "fixed",
    r"\bpass(?:es)? over the (?:corpus|text|pairs)\b": "epochs",
    r"\bcut into (?:words|tokens)\b": "tokenise",
    r"\btak(?:en|es?|ing) apart\b": "decompressed, parsed",
    r"\b(?:run|reruns?) (?:the|its|that) step\b|\bthe whole graph\b": "rule, job, workflow",
    r"\bat hand\b": "available",
    r"\b(?:not|un|is|are|was|were|been) ?tried\b": "tested",
    r"\bso many\b": "this many, N",
    r"\ban own\b": "its own, a custom",
    r"\blook(?:s|ed)? up\b": "resolved, searched, read from",
    r"\bwhole or not at all\b": "atomically",
    r"\bto the last (?:bit|byte)\b": "bit-for-bit identical",
}
# Places where such a term has a different meaning: the file, and the text that surrounds the term.
ALLOWED = [
    ("benchmarks/common.py", r"^ +contestants?: "),  # columns of result files
    ("tests/test_compiled.py", r"\bpieces\b"),  # a module
    ("tests/test_style.py", r""),
    ("workflow/tables.yaml", r"heading: printed"),  # a column of published csv files
    ("workflow/scripts/sentrep/encoders/weighted.py", r"floor I\b"),  # a formula
    ("workflow/scripts/sentrep/pairs/twitter/rules.py", r"floor\(m / 2\)"),  # a formula
]
GENERATED = ("results/", "benchmarks/results/", "tests/data/", "workflow/sample/", "docs/images/")
TEXT = (".py", ".smk", ".yaml", ".yml", ".md", ".jinja", ".tsv", ".cff", ".rst", ".toml", "Snakefile", "Makefile")


def python_text(source: str) -> Iterator[tuple[int, str]]:
    """Yield the lines of comments, docstrings and strings with several words, without expressions in f-strings."""
    for token in tokenize.generate_tokens(iter(source.splitlines(keepends=True)).__next__):
        text = token.string
        # since Python 3.12, the expressions in f-strings are separate tokens
        if token.type == getattr(tokenize, "FSTRING_MIDDLE", None):
            yield from enumerate(text.split("\n"), token.start[0])
        if token.type == tokenize.STRING:
            is_format = "f" in text[: text.index(text[-1])].lower()
            text = re.sub(r"\{[^{}]*\}", "{}", text) if is_format else str(ast.literal_eval(text))
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and " " in text.strip()):
            yield from enumerate(text.split("\n"), token.start[0])


def plain_text(source: str) -> Iterator[tuple[int, str]]:
    """Yield lines without code spans and, in Markdown files, without fenced code."""
    source = re.sub(r"(?ms)^ *```.*?^ *```", lambda block: "\n" * block.group().count("\n"), source)
    for number, line in enumerate(source.split("\n"), 1):
        yield number, re.sub(r"`[^`]*`", "``", line)


def found_in(name: str, source: str) -> list[str]:
    """Return the insider terms in the text of a file, except in allowed places."""
    lines = python_text(source) if name.endswith(".py") else plain_text(source)
    exceptions = [pattern for file, pattern in ALLOWED if file == name]
    return [
        f"{name}:{number}: '{found.group()}' ({better}): {line.strip()[:100]}"
        for number, line in lines
        if not any(re.search(pattern, line) for pattern in exceptions)
        for term, better in TERMS.items()
        if (found := re.search(term, line, re.IGNORECASE))
    ]


def test_text_uses_the_terms_of_the_field():
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    names = [name for name in tracked if name.endswith(TEXT) and not name.startswith(GENERATED)]
    assert len(names) > 500
    assert [problem for name in names for problem in found_in(name, (ROOT / name).read_text(encoding="utf-8"))] == []


@pytest.mark.parametrize(
    ("name", "source", "expected"),
    [
        ("a.py", '"""The printed values."""', 1),
        ("a.py", "x = 1  # a switch", 1),
        ("a.py", 'raise ValueError(f"so many {pieces} of it")', 1),
        ("a.py", 'pieces = {"floor": blank(f"{beside} x y")}', 0),  # identifiers and keys are not text
        ("a.py", "# a blank line", 0),
        ("a.yaml", "text: as printed", 1),
        ("a.md", "the option `floor`\n```\nprinted\n```\n", 0),
        ("workflow/scripts/sentrep/encoders/weighted.py", '"""w[floor I] x."""', 0),
    ],
)
def test_terms_are_found_in_text_but_not_in_code(name, source, expected):
    assert len(found_in(name, source + "\n")) == expected
