# The plan of the run, and the few functions that rules need besides it. No rules here.
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError

BASE = Path(workflow.basedir)
SCRIPTS = BASE / "workflow" / "scripts"

from sentrep.config.plan import CLAIMS, PUBLISHED, make_plan
from sentrep.config.plan_draws import draws_inputs, draws_settings
from sentrep.config.plan_values import collectors
from sentrep.config.resolve import resolve
from sentrep.errors import SentrepError
from sentrep.provenance.code_digest import code_digest
from sentrep.provenance.workflow_graph import WorkflowGraph
from sentrep.report.papers import heading, paper_name
from sentrep.runtime.checkout import use_this_checkout
from sentrep.tables.views import read_views

try:
    use_this_checkout()
    PLAN = make_plan(resolve(config))
    COLLECTORS = collectors(PLAN)
except SentrepError as error:
    raise WorkflowError(str(error)) from None

CONFIG = PLAN.config
config["places"] = PLAN.sources.places()
PATHS = PLAN.paths
PRESET = CONFIG.preset
SAMPLE = CONFIG.evaluation.sample
ENVS = BASE / "envs"
VIEWS = read_views()
GRAPH = WorkflowGraph(workflow.rules)
TABLE = ("csv", "md", "tex", "html")
FIGURE = ("svg", "pdf", "csv")


wildcard_constraints:
    source="[a-z0-9_]+",
    corpus="[a-z0-9_]+(~fraction=[0-9.]+)?",
    model="[a-z0-9_~=.-]+",
    seed="[0-9]+",
    column="[a-z0-9_]+",


def call(function, *modules, of_family=False):
    """Parameters of a rule that calls a function, ``main`` of a script, or a function of the library by dotted name.

    With `of_family`, the code of the family of the job's model counts, too.
    """
    library, _, name = function.rpartition(".")
    roots = (SCRIPTS / "run.py", library or SCRIPTS / f"{name}.py", *modules)

    def of_model(wildcards):
        return code_digest(*roots, f"sentrep.families.{model(wildcards).family}")

    return {
        "call": function if library else f"{name}.main",
        "code": of_model if of_family else code_digest(*roots),
    }


def model(wildcards):
    """The planned model that a job is about."""
    return PLAN.trained[wildcards.model]


def device(wildcards):
    """Device that a job's model is trained and used on."""
    return model(wildcards).device


def gpu(wildcards):
    """Number of GPUs that a job uses for its model."""
    return int(device(wildcards) == "cuda")


def identity(wildcards):
    """Columns that tell a model's rows from another's."""
    return {"preset": PRESET, "model": wildcards.model, "seed": int(wildcards.seed)}


def of_source(ask):
    """Parameter function: what the plan says of the source of a job."""

    def answer(wildcards):
        try:
            return ask(wildcards.source)
        except SentrepError as error:
            raise WorkflowError(str(error)) from None

    return answer


def one_of(names):
    """Wildcard constraint: one of some names."""
    return "|".join(names) or "(?!)"


def collecting(group):
    """Parameters of a rule that collects values of tables and figures, as the plan gives them."""

    def of(wildcards):
        return COLLECTORS[group][wildcards.item]

    return {
        "call": "values.main",
        "code": lambda wildcards: call("values", f"sentrep.tables.collect.{of(wildcards).module}")["code"],
        "preset": PRESET,
        "item": "{item}",
        "collector": lambda wildcards: of(wildcards).function,
        "keywords": lambda wildcards: of(wildcards).settings,
    }


def say_at_the_end(function, *arguments):
    """Print what a function of sentrep.report.ending returns; it is imported late because it is slow to import."""
    from sentrep.report import ending

    if text := getattr(ending, function)(*arguments):
        print(f"\n{text}", file=sys.stderr)


def item_of(stem):
    """Name of the table or figure whose files below results/ are called so."""
    if "/" in stem:
        return stem
    return f"sentrep/{stem}"


def file_of(name):
    """Stem below results/ of the files of a table or figure."""
    return name.removeprefix("sentrep/")


# Formats that Snakemake's own report shows.
SHOWN = {"html", "svg"}


def outputs(stem, suffixes):
    """Output files of one table or figure, by format; those that Snakemake's report shows are marked."""

    def of_job(name):
        return lambda wildcards: name(stem.format(**dict(wildcards.items())))

    files = {suffix: f"{stem}.{suffix}" for suffix in suffixes}
    for suffix in SHOWN.intersection(suffixes):
        files[suffix] = report(
            files[suffix],
            caption="../report/result.rst",  # relative to a rule file
            category=of_job(paper_name),
            labels=of_job(lambda path: {"result": heading(path)}),
        )
    return files
