# Claims of the papers with verdicts, and tests between correlations.
#
# needs: results/values.csv, workflow/reported/claims.yaml and <paper>.csv,
#        results/<preset>/scores/<model>/seed<seed>/similarities.csv, results/<preset>/evaluation/sts.jsonl
# gives: results/claims.* (csv, md, html)   what each paper states: holds, does not hold, not tested
#        results/williams.csv                whether the correlations of two models with the human scores differ


rule claims:
    """Judge the claims of the papers."""
    input:
        values="results/values.csv",
        claims=CLAIMS,
        reported=PUBLISHED,
    output:
        **outputs("results/claims", ("csv", "md", "html")),
    log:
        "logs/results/claims.log",
    conda:
        ENVS / "results.yaml"
    params:
        **call("sentrep.claims.table.write_claims"),
        preset=PRESET,
        sample=SAMPLE,
    script:
        "../scripts/run.py"


rule williams:
    """Test every pair of models on every set: do their correlations with the human scores differ?"""
    input:
        similarities=PLAN.first_seed(PLAN.columns, PATHS.similarities),
        pairs=PATHS.sts,
        description=PATHS.sts_description,
        wilcoxon="results/wilcoxon.csv",
    output:
        csv="results/williams.csv",
    log:
        "logs/results/williams.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("williams"),
        models=[m.id for m in PLAN.columns],
    script:
        "../scripts/run.py"
