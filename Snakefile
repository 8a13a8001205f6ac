# Replication of four papers on sentence embeddings learnt from neighbouring text.
# Data flows one way: source -> sentences -> token store -> model -> scores -> tables and figures.
# Jobs write below results/<preset>/, tables and figures below results/.
import sys
from pathlib import Path

from snakemake.exceptions import WorkflowError
from snakemake.utils import min_version

min_version("9.14")
sys.path.insert(0, str(Path(workflow.basedir) / "workflow" / "scripts"))

from sentrep.errors import SentrepError
from sentrep.io.yaml_files import read_yaml

try:
    read_yaml(Path(workflow.basedir) / "config.yaml")  # Snakemake does not say what is wrong, and where
except SentrepError as error:
    raise WorkflowError(str(error)) from None


# The project's own config.yaml, wherever Snakemake is started from.
configfile: Path(workflow.basedir) / "config.yaml"


# What `snakemake --report` says first.
report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
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


onstart:
    PLAN.relocate()


rule all:
    default_target: True
    input:
        PLAN.targets,
        "results/provenance.json",
