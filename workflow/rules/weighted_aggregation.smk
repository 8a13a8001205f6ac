# These rules measure how well text-similarity methods distinguish related from non-related pairs of texts, for the
# weighted aggregation paper (De Boom et al. 2016).
#
# needs: results/<preset>/pairs/<pairs>/, results/<preset>/models/<model>/
# gives: results/<preset>/aggregation/<column>/seed<seed>/    metrics, tests between methods, histograms,
#                                                             misclassified pairs
#        results/weighted_aggregation/{kappa,pairs}.csv      errors by kappa; numbers of text pairs


rule evaluate_pairs:
    """Evaluate text-similarity methods on the text pairs of table column {wildcards.column}, seed {wildcards.seed}."""
    input:
        unpack(lambda wildcards: PLAN.aggregation_columns[wildcards.column].inputs(int(wildcards.seed), PATHS)),
    output:
        metrics=PATHS.aggregation.replace("{kind}", "metrics"),
        binomial=PATHS.aggregation.replace("{kind}", "binomial"),
        histograms=PATHS.aggregation.replace("{kind}", "histograms"),
        mistakes=PATHS.mistakes,
    log:
        PATHS.log("aggregation/{column}/seed{seed}"),
    benchmark:
        PATHS.benchmark("aggregation/{column}/seed{seed}")
    conda:
        ENVS / "training.yaml"
    params:
        **call("evaluate_pairs", "sentrep.families.weighted_aggregation"),
        learnt=lambda wildcards: list(PLAN.aggregation_columns[wildcards.column].learnt),
        options=lambda wildcards: PLAN.aggregation_columns[wildcards.column].options.model_dump(),
    script:
        "../scripts/run.py"


rule kappa:
    """Compare values of kappa, the parameter of the median loss, by cross-validation."""
    input:
        pairs=PLAN.aggregation.kappa_model.inputs_of(PLAN.aggregation.kappa_model.seeds[0])["pairs"],
        embeddings=PLAN.aggregation.kappa_model.inputs_of(PLAN.aggregation.kappa_model.seeds[0])["embeddings"],
    output:
        csv="results/weighted_aggregation/kappa.csv",
    log:
        "logs/results/weighted_aggregation/kappa.log",
    conda:
        ENVS / "training.yaml"
    params:
        **call("kappa", "sentrep.families.weighted_aggregation"),
        parameters=PLAN.aggregation.kappa_model.parameters,
        number_of_pairs=CONFIG.aggregation.kappa.pairs,
        grid=CONFIG.aggregation.kappa.grid,
        folds=5,
        seed=1,
        device=CONFIG.device,
    script:
        "../scripts/run.py"


rule count_pairs:
    """Count the pairs in each split of each set of text pairs, and the pairs or texts that were omitted."""
    input:
        pairs=[PATHS.pairs.format(pairs=name) for name in CONFIG.pairs],
    output:
        csv="results/weighted_aggregation/pairs.csv",
    log:
        "logs/results/weighted_aggregation/pairs.log",
    conda:
        ENVS / "results.yaml"
    params:
        **call("count_pairs"),
        names=list(CONFIG.pairs),
        preset=PRESET,
    script:
        "../scripts/run.py"
