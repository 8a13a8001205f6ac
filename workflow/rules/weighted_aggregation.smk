# Weighted aggregation (De Boom et al. 2016): how well ways of combining word vectors tell related texts apart.
#
# needs: results/<preset>/pairs/<pairs>/, results/<preset>/models/<model>/, workflow/reported/weighted_aggregation.csv
# gives: results/<preset>/aggregation/<column>/    metrics, tests between methods, histograms
#        results/weighted_aggregation/             table1|2.*, figure2|3.*, kappa.csv


rule evaluate_pairs:
    """Judge all ways of comparing texts: {wildcards.column}."""
    input:
        unpack(lambda wildcards: PLAN.aggregation.column_inputs(wildcards.column)),
    output:
        metrics=PATHS.aggregation.replace("{kind}", "metrics"),
        binomial=PATHS.aggregation.replace("{kind}", "binomial"),
        histograms=PATHS.aggregation.replace("{kind}", "histograms"),
    log:
        PATHS.log("aggregation/{column}"),
    benchmark:
        PATHS.benchmark("aggregation/{column}")
    conda:
        ENVS / "training.yaml"
    params:
        **call("evaluate_pairs", "sentrep.families.weighted_aggregation"),
        learnt=lambda wildcards: CONFIG.aggregation.columns[wildcards.column].learnt,
        options=CONFIG.aggregation.options.model_dump(),
    script:
        "../scripts/run.py"


rule kappa:
    """Cross-validate kappa of the median loss."""
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
    """Pairs per split and source, and what was left out."""
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


# The cross-validation of kappa.
rule kappa_values:
    """Values of one table or figure of weighted aggregation."""
    input:
        table="results/weighted_aggregation/kappa.csv",
    output:
        csv=values_of("weighted_aggregation/kappa"),
    log:
        PATHS.log("values/weighted_aggregation/kappa"),
    conda:
        ENVS / "results.yaml"
    params:
        **collecting("weighted_aggregation/kappa", "aggregation.kappa_values"),
    script:
        "../scripts/run.py"


# Tables 1 and 2: Wikipedia, tweets.
use rule kappa_values as weighted_aggregation_table1_values with:
    input:
        metrics=PLAN.aggregation.column_files(1, "metrics"),
        binomial=PLAN.aggregation.column_files(1, "binomial"),
        reported=REPORTED / "weighted_aggregation.csv",
    output:
        csv=values_of("weighted_aggregation/table1"),
    log:
        PATHS.log("values/weighted_aggregation/table1"),
    params:
        **collecting(
            "weighted_aggregation/table1",
            "aggregation.error_values",
            number=1,
            columns=PLAN.aggregation.columns(1),
        ),


use rule kappa_values as weighted_aggregation_table2_values with:
    input:
        metrics=PLAN.aggregation.column_files(2, "metrics"),
        binomial=PLAN.aggregation.column_files(2, "binomial"),
        reported=REPORTED / "weighted_aggregation.csv",
    output:
        csv=values_of("weighted_aggregation/table2"),
    log:
        PATHS.log("values/weighted_aggregation/table2"),
    params:
        **collecting(
            "weighted_aggregation/table2",
            "aggregation.error_values",
            number=2,
            columns=PLAN.aggregation.columns(2),
        ),


# Weighted aggregation, figure 2: distances of related and other pairs.
use rule kappa_values as weighted_aggregation_figure2_values with:
    input:
        histograms=PATHS.aggregation.format(column=CONFIG.aggregation.figure2, kind="histograms"),
    output:
        csv=values_of("weighted_aggregation/figure2"),
    log:
        PATHS.log("values/weighted_aggregation/figure2"),
    params:
        **collecting("weighted_aggregation/figure2", "aggregation.distance_values", method="Mean"),


# Weighted aggregation, figure 3: learnt weights by their place in the order of idf.
use rule kappa_values as weighted_aggregation_figure3_values with:
    input:
        learnt=PLAN.first_seed(PLAN.aggregation.figure3_models, PATHS.model),
        reported=REPORTED / "weighted_aggregation.csv",
    output:
        csv=values_of("weighted_aggregation/figure3"),
    log:
        PATHS.log("values/weighted_aggregation/figure3"),
    params:
        **collecting(
            "weighted_aggregation/figure3",
            "aggregation.weight_values",
            models=[
                {"id": m.id, "loss": m.parameters["loss"], "seed": m.seeds[0]} for m in PLAN.aggregation.figure3_models
            ],
        ),


# Numbers of pairs.
use rule kappa_values as pairs_values with:
    input:
        table="results/weighted_aggregation/pairs.csv",
    output:
        csv=values_of("weighted_aggregation/pairs"),
    log:
        PATHS.log("values/weighted_aggregation/pairs"),
    params:
        **collecting("weighted_aggregation/pairs", "aggregation.pair_values"),
