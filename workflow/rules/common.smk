# Configuration, the plan of what is to be made, and the functions that rules use. No rules here.
import sys
from dataclasses import asdict
from pathlib import Path

from snakemake.exceptions import WorkflowError

SCRIPTS = Path(workflow.basedir) / "workflow" / "scripts"
sys.path.insert(0, str(SCRIPTS))

from sentrep.errors import SentrepError
from sentrep.runtime.checkout import use_this_checkout
from sentrep.config.resolve import resolve
from sentrep.provenance.code_digest import code_digest
from sentrep.config.used import source_patterns, used_corpora, used_sources
from sentrep.config.plan import make_plan
from sentrep.report.names import heading, paper_name
from sentrep.sources.registry import local_files

use_this_checkout()
try:
    CONFIG = resolve(config)
    PLAN = make_plan(CONFIG)
except SentrepError as error:
    raise WorkflowError(str(error)) from None

PRESET = CONFIG["preset"]
COLUMNS = [model for model in PLAN.models.values() if model.column]
EVALUATION = CONFIG["evaluation"]
ENVS = Path(workflow.basedir) / "envs"
REPORTED = Path(workflow.basedir) / "workflow" / "reported"
RUNS = f"results/{PRESET}"
PAIRS = f"{RUNS}/evaluation/sts.jsonl"
SETS = f"{RUNS}/evaluation/sts.json"


wildcard_constraints:
    preset=PRESET,
    source="[a-z0-9_]+",
    corpus="[a-z0-9_]+",
    model="[a-z0-9_~=.-]+",
    seed="[0-9]+",


def code(script, *modules):
    """Digest of a script and all it imports: a change in either reruns the rule, a comment does not."""
    return code_digest(SCRIPTS / f"{script}.py", *modules)


# Formats that Snakemake's own report shows -> their captions, seen from a rule file.
CAPTIONS = {"html": "../report/table.rst", "svg": "../report/figure.rst"}


def paths(stem, *suffixes):
    """Output files of one table or figure, by format; those that Snakemake's report shows are marked."""

    def of_job(name):
        return lambda wildcards: name(stem.format(**dict(wildcards.items())))

    files = {suffix: f"{stem}.{suffix}" for suffix in suffixes}
    for suffix in set(suffixes) & set(CAPTIONS):
        files[suffix] = report(
            files[suffix],
            caption=CAPTIONS[suffix],
            category=of_job(paper_name),
            labels=of_job(lambda path: {"result": heading(path)}),
        )
    return files


def patterns_of(wildcards):
    """Files the user named for a source, or None."""
    return source_patterns(CONFIG, wildcards.source)


def source_state(wildcards):
    """Files of a source that are at hand, their sizes and times of change: what differs from last time has changed."""
    try:
        files = local_files(wildcards.source, CONFIG["mirror"], patterns_of(wildcards))
    except SentrepError as error:
        raise WorkflowError(str(error)) from None
    return [[str(path), path.stat().st_size, path.stat().st_mtime_ns] for path in files]


def corpus_manifest(wildcards):
    """Manifest of the source of a corpus."""
    return f"{RUNS}/sources/{CONFIG['corpora'][wildcards.corpus]['source']}.json"


def corpus_setting(key):
    """Parameter function: one setting of the corpus named by the wildcard."""
    return lambda wildcards: CONFIG["corpora"][wildcards.corpus][key]


def store_settings(wildcards):
    """What of a corpus' configuration makes its token store."""
    keys = (
        "tokeniser",
        "encoding_tokeniser",
        "minimum_count",
        "maximum_words",
        "keep_all_tokens",
        "fraction",
    )
    return {key: CONFIG["corpora"][wildcards.corpus][key] for key in keys}


def corpus_sentences(wildcards):
    """Sentences a corpus' store is made from."""
    return f"{RUNS}/sentences/{CONFIG['corpora'][wildcards.corpus]['sentences']}"


def model_inputs(wildcards):
    """Token store a model is trained on, and what else its configuration says it is built on."""
    model = PLAN.trained[wildcards.model]
    others = {name: f"{RUNS}/{folder}" for name, folder in model.inputs.items()}
    return {"store": f"{RUNS}/stores/{model.corpus}", **others}


def model_settings(wildcards):
    """What of a model's configuration makes its vectors."""
    model = PLAN.trained[wildcards.model]
    return {"family": model.family, "parameters": model.parameters}


def model_device(wildcards):
    """Where a model is trained."""
    return PLAN.trained[wildcards.model].device


def family_module(wildcards):
    """Module of a model's family, for code digests."""
    return f"sentrep.families.{PLAN.trained[wildcards.model].family}"


def model_directory(model, seed):
    """Folder of a trained model."""
    return f"{RUNS}/models/{model.id}/seed{seed}"


def per_seed(models, pattern):
    """Paths of ``pattern`` for every seed of every model."""
    return [pattern.format(model=m.id, seed=s) for m in models for s in m.seeds]
