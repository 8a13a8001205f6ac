# These rules compute bootstrap draws, judge the claims of the papers, and test differences between correlations.
#
# needs: results/values.csv, workflow/reported/claims.yaml and <paper>.csv,
#        results/<preset>/scores/<model>/seed<seed>/similarities.csv, results/<preset>/evaluation/sts.jsonl,
#        results/<preset>/{transfer,transfer_ensemble,kim_cnn,analogies,aggregation}/: results for individual test items
# gives: results/draws.npz                   model scores in each bootstrap draw of test items and seeds
#        results/claims.* (csv, md, html)    verdicts: holds, does not hold, undecided, not tested
#        results/williams.csv                tests of the difference between two models' correlations with human scores


rule draws:
    """Draw test items and seeds with replacement, and compute the scores of all models for each draw."""
    input:
        **draws_inputs(PLAN),
    output:
        npz="results/draws.npz",
    log:
        "logs/results/draws.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("sentrep.evaluation.statistics.draw_sources.run_draws"),
        **draws_settings(PLAN),
    script:
        "../scripts/run.py"


rule claims:
    """Judge the claims of the papers by the values measured in this run."""
    input:
        values="results/values.csv",
        draws="results/draws.npz",
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
        caption=caption("Verdicts on the claims of the papers"),
    script:
        "../scripts/run.py"


rule williams:
    """Test whether the correlations of two models with human scores differ, for each set and each pair of models."""
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
