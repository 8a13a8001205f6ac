"""Test the README and the docs: links, commands and settings must exist, and numbers must match the published runs."""

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

import sentrep
from conftest import ROOT
from sentrep import cli
from sentrep.config.configuration import Configuration
from sentrep.config.corpora import Corpus
from sentrep.config.plan import make_plan
from sentrep.config.reference_pages import keys
from sentrep.config.resolve import resolve
from sentrep.families import FAMILIES, family
from sentrep.pairs.settings import TwitterSettings, WikipediaSettings

PUBLISHED = sorted((ROOT / "results" / "published").glob("*/README.md"))
PAGES = sorted(
    [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md")]
    + [*(ROOT / "docs").rglob("*.md"), *PUBLISHED]
)
SECTIONS = set(Configuration.model_fields)
KEYS = [key.split(".") for key in keys()]
# Entries of dictionaries whose keys are names chosen by the user count as keys, too.
KEYS += [key[:-1] for key in KEYS if len(key) > 1 and key[-2] == "<name>"]
PARSER = get_argument_parser()
LIBRARY = ROOT / "workflow" / "scripts" / "sentrep"
# Paths in pages may be relative to these folders.
FOLDERS = (ROOT, ROOT / "workflow", ROOT / "workflow/rules", ROOT / "workflow/scripts", LIBRARY, ROOT / "benchmarks")
NAMES = {path.name for folder in ("workflow", "tests", "benchmarks") for path in (ROOT / folder).rglob("*.*")}
# Files and names that examples introduce (see test_docs_examples.py), and a file of token stores.
EXAMPLES = {"vocabulary.tsv", "sum_of_random.py", "rare_words.py", "letters"}
SUFFIXES = (".py", ".smk", ".tsv", ".csv", ".md", ".json")


def text_of(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def without_fences(page: Path) -> str:
    return re.sub(r"^```.*?^```$", "", text_of(page), flags=re.MULTILINE | re.DOTALL)


def blocks(page: Path) -> list[str]:
    """Return code blocks: indented lines after an empty line, and lines between fences."""
    found = re.findall(r"(?<=\n\n)((?:    .*\n|\n)+)", without_fences(page) + "\n")
    found += re.findall(r"^```\w*\n(.*?)^```$", text_of(page), re.MULTILINE | re.DOTALL)
    return [textwrap.dedent(block).strip("\n") for block in found if block.strip()]


def inline(page: Path) -> list[str]:
    prose = "\n".join(line for line in without_fences(page).split("\n") if not line.startswith("    "))
    return [" ".join(code.split()) for code in re.findall(r"`([^`]+)`", prose)]


def commands(page: Path, *, mentioned: bool = False) -> list[list[str]]:
    """Return commands that run snakemake, make or sentrep, as lists of words, from code blocks and sentences."""
    lines = [line for block in blocks(page) for line in block.replace("\\\n", " ").split("\n")]
    found = []
    for line in inline(page) if mentioned else lines:
        if re.match(r"(snakemake|make|sentrep|python -m sentrep)( |$)", line):
            words = shlex.split(line, comments=True)
            found.append(["sentrep", *words[3:]] if words[0] == "python" else words)
    return found


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings of a page, as GitHub generates them."""
    headings = re.findall(r"^#+ (.*)$", without_fences(page), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def name_of(page: Path) -> str:
    return str(page.relative_to(ROOT))


# The content of all pages. Each test asserts that it found enough of it, because a wrong pattern would check nothing.
LINKS = [
    (page, target)
    for page in PAGES
    for target in re.findall(r"\]\(([^)\s]+)\)", text_of(page))
    if not target.startswith(("http://", "https://"))
]
CODE = [(page, code) for page in PAGES for code in inline(page)]
BLOCKS = [(page, block) for page in PAGES for block in blocks(page)]
COMMANDS = [(page, words) for page in PAGES for words in commands(page)]
MENTIONED = [(page, words) for page in PAGES for words in commands(page, mentioned=True)]


def test_all_pages_are_found():
    assert len(PAGES) >= 16
    assert len(PUBLISHED) >= 2
    assert {"README.md", "CONTRIBUTING.md", "docs/config.md", "docs/values.md"} <= set(map(name_of, PAGES))


def test_readme_is_short():
    assert len(text_of(ROOT / "README.md").splitlines()) <= 150


def test_links_lead_somewhere():
    anchored, dead = 0, []
    for page, target in LINKS:
        path, _, anchor = target.partition("#")
        there = (page.parent / path).resolve() if path else page
        anchored += bool(anchor)
        if not there.exists() or (anchor and anchor not in anchors(there)):
            dead.append((name_of(page), target))
    assert len(LINKS) >= 60
    assert anchored >= 15
    assert dead == []


def test_files_that_pages_name_exist():
    """Check paths and modules in inline code, except files that a run writes and files of the user."""
    paths, modules, missing = [], [], []
    for page, code in CODE:
        path, _, name = code.rpartition("/")
        if name in EXAMPLES:
            continue
        if re.fullmatch(r"(results/published|workflow|envs|profiles|benchmarks|docs|tests)/[\w./-]+", code):
            paths.append(code)
            if not (ROOT / code).exists():
                missing.append((name_of(page), code))
        elif re.fullmatch(r"([\w-]+/)*\w+\.(py|smk|tsv)", code):
            modules.append(code)
            if not (any((folder / code).exists() for folder in FOLDERS) if path else name in NAMES):
                missing.append((name_of(page), code))
        elif re.fullmatch(r"sentrep(\.\w+)+", code):
            modules.append(code)
            if not is_module_or_member(code):
                missing.append((name_of(page), code))
    assert len(paths) >= 20
    assert len(modules) >= 20
    assert missing == []


def is_module_or_member(name: str) -> bool:
    """Return whether a dotted name is a package or module, or a name that a module exports or defines."""
    path = LIBRARY.parent.joinpath(*name.split("."))
    if name.removeprefix("sentrep.") in sentrep.__all__ or path.is_dir() or path.with_suffix(".py").exists():
        return True
    for module in (path.parent.with_suffix(".py"), path.parent / "__init__.py"):
        if module.exists() and re.search(rf"^((async )?def |class )?{path.name}\b", text_of(module), re.MULTILINE):
            return True
    return False


def test_commands_exist():
    targets = set(re.findall(r"^([.a-z/-]+):", text_of(ROOT / "Makefile"), re.MULTILINE))
    assert len(targets) >= 8
    programs = [program for _, (program, *_) in COMMANDS]
    assert min(programs.count(program) for program in ("sentrep", "snakemake", "make")) >= 6, programs
    for page, (program, *words) in COMMANDS:
        if program == "sentrep":
            cli.parser().parse_args([word for word in words if word != "--help"] + ["a", "b"] * ("--help" in words))
        elif program == "snakemake":
            PARSER.parse_args(words)
        else:
            named = {word for word in words if "=" not in word}
            assert named <= targets, (name_of(page), words)
    usage = cli.parser().format_help()
    assert len(MENTIONED) >= 20
    for page, (program, *words) in MENTIONED:
        if program == "make":
            assert {word for word in words if "=" not in word} <= targets, (name_of(page), words)
        elif program == "sentrep" and words:
            assert re.search(rf"\b{words[0]}\b", usage), (name_of(page), words)


def test_snakemake_targets_exist(tmp_path):
    parsed = [PARSER.parse_args(words) for _, (program, *words) in COMMANDS if program == "snakemake"]
    targets = sorted({str(target) for arguments in parsed for target in arguments.targets or []})
    assert "results/table1.csv" in targets
    words = [sys.executable, "-m", "snakemake", "--snakefile", str(ROOT / "Snakefile"), "--dry-run", "--quiet", "all"]
    done = subprocess.run([*words, "--", *targets], cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_configurations_on_command_lines_are_valid():
    parsed = [(page, PARSER.parse_args(words)) for page, (program, *words) in COMMANDS if program == "snakemake"]
    overrides = [(page, arguments.config) for page, arguments in parsed if arguments.config]
    assert len(overrides) >= 3
    for page, values in overrides:
        pairs = dict(value.split("=", 1) for value in values)
        given = {key: yaml.safe_load(value) for key, value in pairs.items()}
        added = models_of(page) if "only" in given else {}  # models that the page adds
        make_plan(resolve({**added, **given}))


def models_of(page):
    """Return the models in the configuration blocks of a page, and their corpora."""
    found = {}
    for of, block in BLOCKS:
        values = yaml.safe_load(block) if of == page and re.search(r"^models:$", block, re.MULTILINE) else {}
        found |= {key: found.get(key, {}) | values[key] for key in ("corpora", "models") if key in values}
    return found


def test_configuration_blocks_are_valid():
    configurations = []
    for page, block in BLOCKS:
        try:
            values = yaml.safe_load(block)
        except yaml.YAMLError:
            continue
        invented = any(name.removesuffix(".py") in block for name in EXAMPLES)
        if isinstance(values, dict) and set(values) & SECTIONS and not (page.name == "CONTRIBUTING.md" and invented):
            configurations.append((page, values))
    assert len(configurations) >= 10
    for page, values in configurations:
        assert set(values) <= SECTIONS, (name_of(page), values)
        make_plan(resolve(values))


def is_key(code: str) -> bool:
    words = code.split(".")
    return any(
        len(path) == len(words) and all(a in ("<name>", b) for a, b in zip(path, words, strict=True)) for path in KEYS
    )


def test_keys_that_pages_name_exist():
    found = set()
    for page, code in CODE:
        named = re.match(r"([a-z_]+(\.[a-z_0-9]+)+)(:|$)", code)
        if named and named[1].split(".")[0] in SECTIONS and not named[1].endswith(SUFFIXES):
            found.add((name_of(page), named[1]))
    assert len(found) >= 30
    assert [(page, key) for page, key in sorted(found) if not is_key(key)] == []
    assert not is_key("aggregation.unknown")


@pytest.mark.parametrize("paper", ["siamese_cbow", "weighted_aggregation", "quick_thoughts", "cbos"])
def test_options_of_the_papers_pages_exist(paper):
    known = {field.name for name in FAMILIES for field in dataclasses.fields(family(name).Parameters)}
    known |= {name for section in (Corpus, TwitterSettings, WikipediaSettings) for name in section.model_fields}
    page = ROOT / "docs" / f"{paper}.md"
    options = []
    for table in re.findall(r"^\|[^\n]*\| option \|\n\|[-|]*\n((?:\|.*\n)+)", text_of(page), re.MULTILINE):
        options += [code for row in table.splitlines() for code in re.findall(r"`([^`]+)`", row.split("|")[-2])]
    options += [code for code in re.findall(r"\(`(\w+)`(?:, `(\w+)`)?\)", text_of(page)) for code in code if code]
    assert len(options) > 4
    for code in options:
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


def test_every_fault_of_the_table_names_its_test():
    rows = re.findall(r"^\|.*\| (.*) \|$", (ROOT / "docs/faults.md").read_text(encoding="utf-8"), re.MULTILINE)
    known = {path.stem: path.read_text(encoding="utf-8") for path in (ROOT / "tests").glob("test_*.py")}
    cells = [row for row in rows if row not in ("test", "---")]
    assert len(cells) > 50
    for cell in cells:
        files = re.findall(r"`(test_\w+)(?:::(test_\w+))?`", cell)
        assert files, cell
        module = ""
        for name, function in files:
            module = name if name in known else module
            assert module, cell
            wanted = function or (name if name not in known else "")
            assert not wanted or f"def {wanted}(" in known[module], cell
