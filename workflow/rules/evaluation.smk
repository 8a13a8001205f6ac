# Evaluation: sentence pairs with human judgements, and how models' similarities agree with them.
#
# needs: results/<preset>/sources/sts_*.json, results/<preset>/models/<model>/seed<seed>/
# gives: results/<preset>/evaluation/sts.jsonl, sts.json   pairs; counts and what is missing
#        results/<preset>/scores/<model>/seed<seed>/       correlations, similarities
#        results/<preset>/timing/<model>.csv               seconds per pair (table 3)
#        results/scores.csv, results/wilcoxon.csv          all models; tests between all pairs of models


rule sts_sets:
    """Read the sentence-pair sets of all years into one file."""
    input:
        **lee_files(),
        **own_pairs(),
        sources=[f"{RUNS}/sources/{name}.json" for name in EVALUATION["sources"].values()],
    output:
        pairs="results/{preset}/evaluation/sts.jsonl",
        description="results/{preset}/evaluation/sts.json",
    log:
        "logs/{preset}/evaluation/sts_sets.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        years=list(EVALUATION["sources"]),
        sample=EVALUATION["sample"],
        description=", ".join(EVALUATION["sources"].values()),
        code=code("sts_sets"),
    script:
        "../scripts/sts_sets.py"


rule score:
    """Score {wildcards.model}, seed {wildcards.seed}, on all sets under both protocols."""
    input:
        model="results/{preset}/models/{model}/seed{seed}",
        pairs="results/{preset}/evaluation/sts.jsonl",
        description="results/{preset}/evaluation/sts.json",
    output:
        scores="results/{preset}/scores/{model}/seed{seed}/scores.csv",
        similarities="results/{preset}/scores/{model}/seed{seed}/similarities.csv",
    log:
        "logs/{preset}/scores/{model}/seed{seed}.log",
    benchmark:
        "results/{preset}/benchmarks/scores/{model}/seed{seed}.tsv"
    conda:
        ENVS / "evaluation.yaml"
    params:
        device=model_device,
        code=lambda wildcards: code("score", family_module(wildcards)),
    script:
        "../scripts/score.py"


rule time_scoring:
    """Time {wildcards.model} on one pair after the other, alone on the machine."""
    input:
        model=f"results/{{preset}}/models/{{model}}/seed{TIMED_SEED}",
        pairs="results/{preset}/evaluation/sts.jsonl",
        description="results/{preset}/evaluation/sts.json",
    output:
        timing="results/{preset}/timing/{model}.csv",
    log:
        "logs/{preset}/timing/{model}.log",
    conda:
        ENVS / "evaluation.yaml"
    # All cores are reserved so that nothing else runs; the script itself uses one.
    threads: workflow.cores
    params:
        code=lambda wildcards: code("time_scoring", family_module(wildcards)),
    script:
        "../scripts/time_scoring.py"


rule collect_scores:
    """Put the scores of all models of table 1 into one file."""
    input:
        scores=per_seed(COLUMNS, f"{RUNS}/scores/{{model}}/seed{{seed}}/scores.csv"),
    output:
        scores="results/scores.csv",
    log:
        "logs/results/collect_scores.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        models=[{"id": m.id, "seed": s} for m in COLUMNS for s in m.seeds],
        preset=PRESET,
        code=code("collect_scores"),
    script:
        "../scripts/collect_scores.py"


rule wilcoxon:
    """Test every pair of models on every set: do their similarities differ?"""
    input:
        similarities=[f"{RUNS}/scores/{m.id}/seed{m.seeds[0]}/similarities.csv" for m in COLUMNS],
    output:
        wilcoxon="results/wilcoxon.csv",
    log:
        "logs/results/wilcoxon.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        models=[m.id for m in COLUMNS],
        preset=PRESET,
        code=code("wilcoxon"),
    script:
        "../scripts/wilcoxon.py"
