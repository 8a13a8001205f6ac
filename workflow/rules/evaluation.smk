# These rules score models on sentence pairs: a score is the correlation of a model's similarities with human scores.
#
# needs: results/<preset>/sources/sts_*.json, results/<preset>/models/<model>/seed<seed>/
# gives: results/<preset>/evaluation/sts.jsonl, sts.json   sentence pairs; sizes of sets, missing sets
#        results/<preset>/scores/<model>/seed<seed>/       correlations; similarities with unknown words omitted, and
#                                                          with random vectors for unknown words
#        results/<preset>/evaluation/ablation/<paper>.csv  differences from untrained baselines, with 95% intervals
#        results/<preset>/timing/<model>.csv               seconds per pair (table 3 of the Siamese CBOW paper)
#        results/scores.csv                                scores of the models in results/table1
#        results/wilcoxon.csv                              Wilcoxon's test for each pair of these models


rule sts_sets:
    """Convert all sets of sentence pairs to one JSON Lines file."""
    input:
        **PLAN.sts_inputs(),
    output:
        pairs=PATHS.sts,
        description=PATHS.sts_description,
    log:
        PATHS.log("evaluation/sts_sets"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("sts_sets"),
        years=list(CONFIG.evaluation.sources),
        sample=SAMPLE,
        source_names=", ".join(CONFIG.evaluation.sources.values()),
    script:
        "../scripts/run.py"


rule score:
    """Score {wildcards.model}, seed {wildcards.seed}, on all sentence-pair sets under two protocols."""
    input:
        model=PATHS.model,
        pairs=PATHS.sts,
        description=PATHS.sts_description,
    output:
        scores=PATHS.scores,
        similarities=PATHS.similarities,
        unknown_words=PATHS.unknown_words,
    log:
        PATHS.log("scores/{model}/seed{seed}"),
    benchmark:
        PATHS.benchmark("scores/{model}/seed{seed}")
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("score", of_family=True),
        device=device,
    script:
        "../scripts/run.py"


rule ablation:
    """Compare the model variants for the paper {wildcards.paper} with untrained baselines."""
    input:
        similarities=lambda wildcards: PLAN.ablations[wildcards.paper].files(PATHS.similarities),
        unknown_words=lambda wildcards: PLAN.ablations[wildcards.paper].files(PATHS.unknown_words),
        models=lambda wildcards: PLAN.ablations[wildcards.paper].files(PATHS.model),
        pairs=PATHS.sts,
        description=PATHS.sts_description,
    output:
        csv=PATHS.ablation,
    log:
        PATHS.log("evaluation/ablation/{paper}"),
    wildcard_constraints:
        paper=one_of(PLAN.ablations),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("sentrep.evaluation.statistics.ablation.ablation"),
        runs=lambda wildcards: PLAN.ablations[wildcards.paper].runs,
        systems=lambda wildcards: PLAN.ablations[wildcards.paper].systems,
    script:
        "../scripts/run.py"


rule time_scoring:
    """Measure how long {wildcards.model} takes per sentence pair while no other job of the workflow runs."""
    input:
        model=lambda wildcards: PLAN.first_seed([PLAN.models[wildcards.model]], PATHS.model)[0],
        pairs=PATHS.sts,
        description=PATHS.sts_description,
    output:
        timing=PATHS.timing,
    log:
        PATHS.log("timing/{model}"),
    wildcard_constraints:
        model=one_of(CONFIG.evaluation.timed_models),
    conda:
        ENVS / "evaluation.yaml"
    # The rule reserves all cores so that no other job runs at the same time; the job itself uses one core.
    threads: workflow.cores
    params:
        **call("time_scoring", of_family=True),
        cores=1,
        limit=CONFIG.evaluation.timed_pairs,
    script:
        "../scripts/run.py"


rule collect_scores:
    """Collect in one file the scores of all models that are columns of results/table1."""
    input:
        score_files=PLAN.per_seed(PLAN.columns, PATHS.scores),
    output:
        scores="results/scores.csv",
    log:
        "logs/results/collect_scores.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("collect_scores"),
        models=[{"id": m.id, "seed": s} for m in PLAN.columns for s in m.seeds],
        preset=PRESET,
    script:
        "../scripts/run.py"


rule wilcoxon:
    """Test whether the similarities of two models differ, for each set and each pair of models."""
    input:
        similarities=PLAN.first_seed(PLAN.columns, PATHS.similarities),
    output:
        wilcoxon="results/wilcoxon.csv",
    log:
        "logs/results/wilcoxon.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("wilcoxon"),
        models=[m.id for m in PLAN.columns],
    script:
        "../scripts/run.py"
