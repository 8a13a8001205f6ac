# Replication of four papers on sentence embeddings learnt from neighbouring text.
# Data flows one way: source -> sentences -> token store -> model -> scores -> tables and figures.
# Steps write below results/<preset>/, tables and figures below results/.
from pathlib import Path

from snakemake.utils import min_version

min_version("9.14")


# The project's own config.yaml, wherever Snakemake is started from.
configfile: Path(workflow.basedir) / "config.yaml"


# What `snakemake --report` says first.
report: "workflow/report/workflow.rst"


include: "workflow/rules/common.smk"
include: "workflow/rules/common_evaluation.smk"
include: "workflow/rules/common_sweeps.smk"
include: "workflow/rules/common_tables.smk"


if "weighted_aggregation" in CONFIG["papers"]:

    include: "workflow/rules/common_pairs.smk"


if "quick_thoughts" in CONFIG["papers"]:

    include: "workflow/rules/common_transfer.smk"
    include: "workflow/rules/common_retrieval.smk"


include: "workflow/rules/common_results.smk"
include: "workflow/rules/common_provenance.smk"
include: "workflow/rules/common_claims.smk"
include: "workflow/rules/corpora.smk"
include: "workflow/rules/training.smk"
include: "workflow/rules/evaluation.smk"
include: "workflow/rules/sweeps.smk"
include: "workflow/rules/results.smk"
include: "workflow/rules/costs.smk"
include: "workflow/rules/cbos.smk"
include: "workflow/rules/claims.smk"


if "weighted_aggregation" in CONFIG["papers"]:

    include: "workflow/rules/pairs.smk"
    include: "workflow/rules/aggregation.smk"


if "quick_thoughts" in CONFIG["papers"]:

    include: "workflow/rules/quick_thoughts.smk"
    include: "workflow/rules/transfer.smk"
    include: "workflow/rules/retrieval.smk"
    include: "workflow/rules/nearest_sentences.smk"
    include: "workflow/rules/analogies.smk"


include: "workflow/rules/report.smk"


rule all:
    default_target: True
    input:
        RESULTS,
        "results/provenance.json",
