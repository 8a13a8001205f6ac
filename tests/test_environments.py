"""Test that conda environments contain the packages that their rules import, in the versions of requirements.txt."""

import ast
import re
import sys

import pytest
import yaml

from conftest import ROOT
from sentrep.config.plan import make_plan
from sentrep.config.plan_values import collectors
from sentrep.config.resolve import resolve
from sentrep.provenance.code_digest import import_closure

# Import names whose distributions have a different name. triton is installed with torch if torch can use it.
DISTRIBUTIONS = {
    "yaml": "pyyaml",
    "markdown_it": "markdown-it-py",
    "sklearn": "scikit-learn",
    "triton": "torch",
    "pydantic_core": "pydantic",
}
# These packages are used only by `sentrep evaluate`, not by rules.
OPTIONAL = {"sentence_transformers"}
# These modules are imported by name at run time, so they are not found by following the imports of a script.
PACKAGE = ROOT / "workflow" / "scripts" / "sentrep"
FAMILIES = [f"sentrep.families.{path.stem}" for path in PACKAGE.glob("families/*.py")]
ENCODERS = [f"sentrep.encoders.{path.stem}" for path in PACKAGE.glob("encoders/*.py")]
NETWORKS = [f"sentrep.networks.{path.stem}" for path in PACKAGE.glob("networks/*.py")]
assert FAMILIES
assert ENCODERS
assert NETWORKS
BY_NAME = {
    "train": [*FAMILIES, *ENCODERS, *NETWORKS],
    "score": [*ENCODERS, *NETWORKS],
    "time_scoring": [*ENCODERS, *NETWORKS],
    "transfer_scores": [*ENCODERS, *NETWORKS],
    "retrieval": [*ENCODERS, *NETWORKS],
    "nearest_sentences": [*ENCODERS, *NETWORKS],
    "analogies": [*ENCODERS, *NETWORKS],
}


COLLECTORS = [
    c for preset in ("sample", "gutenberg") for c in collectors(make_plan(resolve({"preset": preset}))).values()
]


def pins(text: str) -> dict[str, str]:
    return dict(re.findall(r"^\s*(?:- )?([a-z0-9_-]+)==([^\s#]+)", text, re.MULTILINE))


def rules() -> list[tuple[str, str]]:
    """Return (environment, script or library function) of every rule."""
    found = []
    for path in sorted((ROOT / "workflow" / "rules").glob("*.smk")):
        for body in re.split(r"^rule ", path.read_text(), flags=re.MULTILINE)[1:]:
            environment = re.search(r'ENVS / "(\w+)\.yaml"', body)[1]
            called = re.search(r'\bcall(?:\(|=)"([\w.]+?)(?:\.main)?"', body)
            modules = {c.module for c in COLLECTORS} if body.startswith("values:") else set()
            found += [(environment, f"sentrep.tables.collect.{module}") for module in sorted(modules)]
            found += [(environment, called[1])] if called else []
    return found


def module_of(called: str) -> str:
    """Return the module that contains a library function, or a module or script itself."""
    return called if called.startswith("sentrep.tables.collect.") else called.rpartition(".")[0] or called


def imported(called: str) -> set[str]:
    """Return the third-party distributions that are imported by any module that a job reaches."""
    scripts = ROOT / "workflow" / "scripts"
    module = module_of(called)
    names = set()
    for path in import_closure(
        module if "." in module else scripts / f"{module}.py", scripts / "run.py", *BY_NAME.get(called, [])
    ):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.Import):
                names |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                names.add(node.module.split(".")[0])
    third_party = names - set(sys.stdlib_module_names) - {"sentrep"} - {path.stem for path in scripts.glob("*.py")}
    return {DISTRIBUTIONS.get(name, name) for name in third_party - OPTIONAL}


def test_every_rule_has_an_environment_and_a_script():
    text = "".join(path.read_text() for path in (ROOT / "workflow" / "rules").glob("*.smk"))
    bodies = re.split(r"^rule ", text, flags=re.MULTILINE)[1:]
    assert len(bodies) >= 30
    assert all('ENVS / "' in body and "../scripts/run.py" in body for body in bodies)
    assert len(rules()) >= len(bodies)


@pytest.mark.parametrize(("environment", "called"), rules())
def test_environment_is_complete(environment, called):
    held = pins((ROOT / "envs" / f"{environment}.yaml").read_text())
    missing = imported(called) - set(held)
    assert not missing, f"envs/{environment}.yaml lacks {missing}, imported by {called}"


def test_pairs_are_mined_without_torch():
    """All rules that mine pairs of texts use the environment that corpora need anyway."""
    text = (ROOT / "workflow" / "rules" / "pairs.smk").read_text()
    assert re.findall(r'ENVS / "(\w+)\.yaml"', text) == ["corpora"] * 3


@pytest.mark.parametrize("path", sorted((ROOT / "envs").glob("*.yaml")), ids=lambda path: path.stem)
def test_versions_are_those_of_requirements(path):
    required = pins((ROOT / "requirements.txt").read_text())
    held = pins(path.read_text())
    assert held
    assert held.items() <= required.items()
    parsed = yaml.safe_load(path.read_text())
    assert parsed["channels"] == ["conda-forge", "nodefaults"]
    assert all("=" in entry for entry in parsed["dependencies"] if isinstance(entry, str))
