# Configuration, the plan of what is to be made, and the functions that rules use. No rules here.
import sys
from dataclasses import asdict
from pathlib import Path

from snakemake.exceptions import WorkflowError

SCRIPTS = Path(workflow.basedir) / "workflow" / "scripts"
sys.path.insert(0, str(SCRIPTS))

from sentrep.errors import SentrepError
from sentrep.planning.checkout import use_this_checkout
from sentrep.planning.config import resolve
from sentrep.planning.digest import code_digest
from sentrep.planning.plan import make_plan
from sentrep.report.names import heading, paper_name
from sentrep.sources import local_files

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


def corpora_of(source):
    """Configurations of the corpora read directly from a source."""
    return [c for n, c in CONFIG["corpora"].items() if c["source"] == source and c["sentences"] == n]


def tasks_of(source):
    """Configurations of the transfer tasks read from a source."""
    return [task for task in CONFIG["transfer"]["tasks"].values() if source in task["sources"]]


def source_patterns(wildcards):
    """Files the user named for a source, or None."""
    users = [*corpora_of(wildcards.source), *tasks_of(wildcards.source)]
    users += [CONFIG["retrieval"]] if CONFIG["retrieval"]["source"] == wildcards.source else []
    named = [pattern for user in users for pattern in user.get("files") or []]
    return named or None


def source_files(wildcards):
    """Files of a source that are at hand, so that a change in one of them is noticed."""
    try:
        return local_files(wildcards.source, CONFIG["mirror"], source_patterns(wildcards))
    except SentrepError as error:
        raise WorkflowError(str(error)) from None


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


def lee_files():
    """The Lee documents and their judged similarities, if the configuration asks for them."""
    if not EVALUATION["lee"]:
        return {}
    documents, similarities = local_files(EVALUATION["lee"], CONFIG["mirror"])
    return {"lee_documents": documents, "lee_similarities": similarities}


def sweep_scores(sweep):
    """Score files of all points of a sweep, seed by seed."""
    return [
        f"{RUNS}/scores/{point.model.id}/seed{seed}/scores.csv"
        for point in PLAN.sweeps.get(sweep, [])
        for seed in point.model.seeds
    ]


def sweep_points(sweep):
    """What each of these score files is: model, label, values, seed."""
    return [
        {
            "id": point.of,
            "label": PLAN.models[point.of].label,
            "floor": PLAN.models[point.of].floor,
            "values": point.values,
            "seed": seed,
        }
        for point in PLAN.sweeps.get(sweep, [])
        for seed in point.model.seeds
    ]


def size_points(sweep):
    """As `sweep_points`, the corpus given as the fraction of the whole that it is."""
    fraction = {name: corpus["fraction"] for name, corpus in CONFIG["corpora"].items()}
    return [
        {
            **point,
            "values": {
                **point["values"],
                "fraction": fraction[point["values"]["corpus"]],
            },
        }
        for point in sweep_points(sweep)
    ]


NEIGHBOUR_MODELS = [PLAN.models[n] for n in EVALUATION["neighbours"]["models"] if n in PLAN.models]
TIMED = [name for name in EVALUATION["timed_models"] if name in PLAN.models]
TIMED_SEED = 1
AGGREGATION_RESULTS = ["table1.csv", "table2.csv", "figure2.svg", "figure3.svg", "kappa.csv", "pairs.csv"]
RESULTS = [
    "results/scores.csv",
    "results/wilcoxon.csv",
    "results/table1.csv",
    "results/siamese_cbow/table2.csv",
    "results/siamese_cbow/table3.csv",
    "results/neighbours.csv",
    *[f"results/weighted_aggregation/{name}" for name in AGGREGATION_RESULTS if CONFIG["aggregation"]],
    *[
        target
        for sweep, target in {
            "progress": "results/siamese_cbow/figure2.svg",
            "negatives": "results/siamese_cbow/figure3.svg",
            "dimensions": "results/siamese_cbow/figure4.svg",
            "corpus_size": "results/corpus_size.svg",
        }.items()
        if sweep in PLAN.sweeps
    ],
]


def used_corpora():
    """Corpora that a model is trained on."""
    used = {model.corpus for model in PLAN.trained.values()}
    return {name: corpus for name, corpus in CONFIG["corpora"].items() if name in used}


# Sources that other rule files' common part adds.
OTHER_SOURCES = set()


def used_sources():
    """Sources of the corpora and of the evaluation sets."""
    texts = {c["source"] for c in used_corpora().values()}
    tweets = {p["source"] for p in CONFIG["pairs"].values() if CONFIG["aggregation"] and p.get("source")}
    vectors = {Path(path).stem for m in PLAN.trained.values() for path in m.inputs.values() if path.endswith(".json")}
    tasks = {name for task in CONFIG["transfer"]["tasks"].values() for name in task["sources"]}
    return texts | tweets | vectors | tasks | set(EVALUATION["sources"].values()) | OTHER_SOURCES
