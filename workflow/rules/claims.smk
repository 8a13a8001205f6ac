# Claims of the papers with verdicts, and every printed number beside ours.
#
# needs: result tables of the plan, workflow/reported/claims.yaml and <paper>.csv,
#        results/<preset>/scores/<model>/seed<seed>/similarities.csv, results/<preset>/evaluation/sts.jsonl
# gives: results/claims.* (csv, md, html)   what each paper states: holds, does not hold, not tested
#        results/deltas.csv                  printed, ours, interval, difference, class
#        results/williams.csv                do two models agree differently with people? beside Wilcoxon's test


rule claims:
    """Judge the claims of the papers."""
    input:
        tables=[f"results/{name}" for name in CLAIM_TABLES],
        claims=CLAIMS_FILE,
        reported=PAPER_FILES,
    output:
        **paths("results/claims", "csv", "md", "html"),
    log:
        "logs/results/claims.log",
    conda:
        ENVS / "results.yaml"
    params:
        tables=CLAIM_TABLES,
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("claims"),
    script:
        "../scripts/claims.py"


rule deltas:
    """Put every printed number beside ours."""
    input:
        scores=rules.collect_scores.output.scores,
        similarities=per_seed(PRINTED_MODELS, f"{RUNS}/scores/{{model}}/seed{{seed}}/similarities.csv"),
        pairs=PAIRS,
        description=SETS,
        tables=[f"results/{name}" for name in planned(DELTA_TABLES)],
        reported=PAPER_FILES,
    output:
        csv="results/deltas.csv",
    log:
        "logs/results/deltas.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=[{"id": m.id, "seeds": list(m.seeds), "reported": list(m.reported)} for m in PRINTED_MODELS],
        similarities=[m.id for m in PRINTED_MODELS for _ in m.seeds],
        tables=planned(DELTA_TABLES),
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("deltas"),
    script:
        "../scripts/deltas.py"


rule williams:
    """Test every pair of models on every set: do their correlations with the human scores differ?"""
    input:
        similarities=[f"{RUNS}/scores/{m.id}/seed{m.seeds[0]}/similarities.csv" for m in COLUMNS],
        pairs=PAIRS,
        description=SETS,
        wilcoxon=rules.wilcoxon.output.wilcoxon,
    output:
        csv="results/williams.csv",
    log:
        "logs/results/williams.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        models=[m.id for m in COLUMNS],
        code=code("williams"),
    script:
        "../scripts/williams.py"
