"""README and docs: links lead somewhere, commands and settings exist, numbers are those of the published runs."""

import dataclasses
import re
import shlex
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
import yaml
from snakemake.cli import get_argument_parser

from conftest import ROOT
from sentrep.cli import _parser
from sentrep.config.configuration import Configuration
from sentrep.config.corpora import Corpus, TwitterSettings, WikipediaSettings
from sentrep.config.plan import make_plan
from sentrep.config.reference import keys
from sentrep.config.resolve import resolve
from sentrep.families import FAMILIES, family

PAGES = sorted(
    [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    + [*(ROOT / "docs").glob("*.md"), *(ROOT / "results" / "published").glob("*/README.md")]
)
SECTIONS = set(Configuration.model_fields)
KEYS = [key.split(".") for key in keys()]
# Dictionaries whose keys are names: these are keys, too.
KEYS += [key[:-1] for key in KEYS if len(key) > 1 and key[-2] == "<name>"]
PARSER = get_argument_parser()
page_by_page = pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def blocks(page: Path) -> list[str]:
    """Code blocks: lines indented by four spaces, after an empty line."""
    found = re.findall(r"(?<=\n\n)((?:    .*\n|\n)+)", text_of(page) + "\n")
    return [textwrap.dedent(block).strip("\n") for block in found if block.strip()]


def inline(page: Path) -> list[str]:
    prose = "\n".join(line for line in text_of(page).split("\n") if not line.startswith("    "))
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose)]


def commands(page: Path, *, mentioned: bool = False) -> list[list[str]]:
    """Commands that run snakemake, make or sentrep, as words: of code blocks, or those that a sentence mentions."""
    lines = [line for block in blocks(page) for line in block.replace("\\\n", " ").split("\n")]
    found = []
    for line in inline(page) if mentioned else lines:
        if re.match(r"(snakemake|make|sentrep|python -m sentrep)( |$)", line):
            words = shlex.split(line, comments=True)
            found.append(["sentrep", *words[3:]] if words[0] == "python" else words)
    return found


def anchors(page: Path) -> set[str]:
    """Names of a page's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.*)$", text_of(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_there_is_something_to_check():
    assert len(PAGES) >= 12
    assert sum(len(commands(page)) for page in PAGES) >= 12
    assert len(blocks(ROOT / "README.md")) > 10


def test_readme_is_short():
    assert len(text_of(ROOT / "README.md").splitlines()) <= 350


@page_by_page
def test_links_lead_somewhere(page):
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page)):
        if target.startswith(("http://", "https://")):
            continue
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        assert there.exists(), target
        if anchor:
            assert anchor in anchors(there), target


@page_by_page
def test_files_that_code_names_exist(page):
    """Paths in inline code; what a run writes and what is the user's own is no file here."""
    for code in inline(page):
        if re.fullmatch(r"(results/published|workflow|envs|profiles|benchmarks|docs|tests)/[\w./-]+", code) and (
            not code.endswith("sum_of_random.py")  # the example of a module of one's own
        ):
            assert (ROOT / code).exists(), code
        elif page.parent.name == "docs" and re.fullmatch(r"[a-z_]+/[a-z_]+\.py", code):
            assert (ROOT / "workflow/scripts/sentrep" / code).exists(), code


@page_by_page
def test_commands_exist(page):
    targets = set(re.findall(r"^([a-z-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    for program, *words in commands(page):
        if program == "sentrep":
            _parser().parse_args(words)
        elif program == "snakemake":
            PARSER.parse_args(words)
        else:
            assert set(words) <= targets, words
    usage = _parser().format_help()
    for program, *words in commands(page, mentioned=True):
        if program == "make":
            assert set(words) <= targets, words
        elif program == "sentrep" and words:
            assert re.search(rf"\b{words[0]}\b", usage), words


def test_snakemake_targets_exist(tmp_path):
    parsed = [PARSER.parse_args(w) for page in PAGES for p, *w in commands(page) if p == "snakemake"]
    targets = sorted({str(target) for arguments in parsed for target in arguments.targets or []})
    assert "results/table1.csv" in targets
    words = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--dry-run", "--quiet", "all"]
    done = subprocess.run([*words, "--", *targets], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_configurations_on_command_lines_are_valid():
    found = [PARSER.parse_args(w) for page in PAGES for p, *w in commands(page) if p == "snakemake"]
    overrides = [arguments.config for arguments in found if arguments.config]
    assert len(overrides) >= 3
    for values in overrides:
        pairs = dict(value.split("=", 1) for value in values)
        make_plan(resolve({key: yaml.safe_load(value) for key, value in pairs.items()}))


@page_by_page
def test_configuration_blocks_are_valid(page):
    for block in blocks(page):
        try:
            values = yaml.safe_load(block)
        except yaml.YAMLError:
            continue
        if isinstance(values, dict) and set(values) & SECTIONS:
            make_plan(resolve(values))


def is_key(code: str) -> bool:
    words = code.split(".")
    return any(
        len(path) == len(words) and all(a in ("<name>", b) for a, b in zip(path, words, strict=True)) for path in KEYS
    )


@page_by_page
def test_keys_that_prose_names_exist(page):
    for code in inline(page):
        named = re.match(r"([a-z_]+(\.[a-z_0-9]+)+)(:|$)", code)
        if named and named[1].split(".")[0] in SECTIONS and not named[1].endswith((".py", ".tsv", ".csv", ".md")):
            assert is_key(named[1]), code


@pytest.mark.parametrize("paper", ["siamese_cbow", "weighted_aggregation", "quick_thoughts", "cbos"])
def test_switches_of_the_papers_pages_exist(paper):
    known = {field.name for name in FAMILIES for field in dataclasses.fields(family(name).Parameters)}
    known |= {name for section in (Corpus, TwitterSettings, WikipediaSettings) for name in section.model_fields}
    page = ROOT / "docs" / f"{paper}.md"
    switches = []
    for table in re.findall(r"^\|[^\n]*\| switch \|\n\|[-|]*\n((?:\|.*\n)+)", text_of(page), re.MULTILINE):
        switches += [code for row in table.splitlines() for code in re.findall(r"`([^`]+)`", row.split("|")[-2])]
    switches += [code for code in re.findall(r"\(`(\w+)`(?:, `(\w+)`)?\)", text_of(page)) for code in code if code]
    assert len(switches) > 4
    for code in switches:
        name = code.split(":")[0]
        assert name in known or is_key(name) or name.startswith("kenter_"), code


def test_citation():
    citation = yaml.safe_load(text_of(ROOT / "CITATION.cff"))
    assert {"cff-version", "message", "title", "authors", "type", "license", "version"} <= set(citation)
    assert citation["cff-version"] == "1.2.0"
    assert f'version = "{citation["version"]}"' in text_of(ROOT / "pyproject.toml")
    assert f"[{citation['version']}]" in text_of(ROOT / "CHANGELOG.md")
    assert len(citation["references"]) == 4
    for reference in citation["references"]:
        assert {"type", "title", "authors", "year"} <= set(reference)
        assert "doi" in reference or "url" in reference
        assert all({"family-names", "given-names"} == set(author) for author in reference["authors"])
    assert "MIT License" in text_of(ROOT / "LICENSE")
