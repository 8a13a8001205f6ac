# This file makes the plan of the run and defines helper functions for rules. It contains no rules.
import logging
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
from sentrep.families import cpu_only
from sentrep.provenance.code_digest import code_digest
from sentrep.provenance.workflow_graph import WorkflowGraph
from sentrep.runtime.checkout import use_this_checkout
from sentrep.runtime.devices import uses_gpu

if not workflow.is_main_process:
    logging.getLogger("sentrep").setLevel(logging.ERROR)  # each job makes the plan again without repeating warnings

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
GRAPH = WorkflowGraph(workflow.rules)


wildcard_constraints:
    source="[a-z0-9_]+",
    corpus="[a-z0-9_]+(~fraction=[0-9.]+)?",
    model="[a-z0-9_~=.-]+",
    seed="[0-9]+",
    column="[a-z0-9_]+",


def call(function, *modules, of_family=False):
    """Return the parameters of a rule that calls the `main` function of a script or a function of the library.

    `function` is the name of the script or the dotted name of the library function. The parameter `code` is a digest of
    the code that is called, of `modules` and, if `of_family` is true, of the family of the job's model. If the digest
    changes, Snakemake reruns the job.
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
    """Return the plan of the model that a job trains or evaluates."""
    return PLAN.trained[wildcards.model]


def device(wildcards):
    """Return the device that is configured for a job's model."""
    return model(wildcards).device


def gpu(wildcards):
    """Return the number of GPUs that a job needs for its model, 0 or 1."""
    return int(uses_gpu(device(wildcards)))


def training_gpus(wildcards):
    """Return the number of GPUs that are needed to train a job's model: one for each process, or none on a CPU."""
    return 0 if cpu_only(model(wildcards).family) else CONFIG.processes * gpu(wildcards)


def identity(wildcards):
    """Return the preset, model and seed of a job, which identify the model in the job's output."""
    return {"preset": PRESET, "model": wildcards.model, "seed": int(wildcards.seed)}


def of_source(ask):
    """Turn `ask`, a function of a source name, into a function of wildcards for use as a parameter of a rule."""

    def answer(wildcards):
        try:
            return ask(wildcards.source)
        except SentrepError as error:
            raise WorkflowError(str(error)) from None

    return answer


def one_of(names):
    """Return a wildcard constraint that matches only the given names."""
    return "|".join(names) or "(?!)"


def say_at_the_end(function, *arguments):
    """Print to stderr the text that a function in sentrep.report.ending returns; print nothing if the text is empty."""
    from sentrep.report import ending  # imported here because the import is slow

    if text := getattr(ending, function)(*arguments):
        print(f"\n{text}", file=sys.stderr)
