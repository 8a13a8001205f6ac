# This workflow replicates four papers on sentence embeddings.
# Data flow: source -> sentences -> token store -> model -> scores -> tables and figures.
# Jobs write intermediate files to results/<preset>/, and tables, figures and other final results to results/.
import atexit
import sys
import time
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.logging import logger
from snakemake.utils import min_version

min_version("9.14")
sys.path.insert(0, str(Path(workflow.basedir) / "workflow" / "scripts"))

from sentrep.errors import SentrepError
from sentrep.io.yaml_files import read_yaml
from sentrep.runtime.workflow_log import ReadableLog

STARTED = time.time()
logger.addFilter(ReadableLog(logger))

if (cores := workflow.resource_settings.cores) is not None and cores < 1:
    raise WorkflowError(f"--cores: expected `all` or a number of at least 1, found {cores}; use at least one core")

try:
    read_yaml(Path(workflow.basedir) / "config.yaml")  # Snakemake's own message does not locate the error
except SentrepError as error:
    raise WorkflowError(str(error)) from None


# Use the config.yaml of the project, regardless of the working directory.
configfile: Path(workflow.basedir) / "config.yaml"


# Introduction to the report that `snakemake --report` writes.
report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"


# The container image in which jobs run if `--software-deployment-method apptainer` is set.
container: CONFIG.container


include: "workflow/rules/outputs.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/training.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/tables.smk"
include: "workflow/rules/siamese_cbow.smk"
include: "workflow/rules/claims.smk"
include: "workflow/rules/provenance.smk"
include: "workflow/rules/report.smk"


if PLAN.has("weighted_aggregation"):

    include: "workflow/rules/pairs.smk"
    include: "workflow/rules/weighted_aggregation.smk"


if PLAN.has("quick_thoughts"):

    include: "workflow/rules/transfer.smk"
    include: "workflow/rules/retrieval.smk"
    include: "workflow/rules/quick_thoughts.smk"


# Show the docstring of a rule when one of its jobs starts, instead of a list of the job's files.
for each in workflow.rules:
    each.message = each.docstring


onstart:
    PLAN.sources.relocate()
    # Whenever the rate limiter of Snakemake 9 lets the scheduler look for jobs, the limiter starts another timer, and
    # each of these timers wakes the scheduler once a second. After a hundred jobs, the scheduler therefore uses most of
    # one core. Local jobs are already limited by the number of cores, so they need no rate limit.
    if workflow.local_exec:
        workflow.scheduler.job_rate_limiter = None


# The message about success or failure is shown at exit, so that it appears below Snakemake's own output.
onsuccess:
    atexit.register(say_at_the_end, "success", Path("results"), PRESET, STARTED)


onerror:
    atexit.register(say_at_the_end, "failure", log)


rule all:
    default_target: True
    input:
        PLAN.targets,
        "results/provenance.json",
