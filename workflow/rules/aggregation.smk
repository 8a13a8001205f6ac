# Weighted aggregation (De Boom et al. 2016): how well ways of combining word vectors tell related texts apart.
#
# needs: results/<preset>/pairs/<pairs>/, results/<preset>/models/<model>/, workflow/reported/weighted_aggregation.csv
# gives: results/<preset>/aggregation/<column>/    metrics, tests between methods, histograms
#        results/weighted_aggregation/             table1|2.*, figure2|3.*, kappa.csv
KAPPA_MODEL = PLAN.models[AGGREGATION["kappa"]["model"]]
FIGURE3_MODELS = [PLAN.models[name] for name in AGGREGATION["figure3"]]


rule evaluate_pairs:
    """Judge all ways of comparing texts: {wildcards.column}."""
    input:
        unpack(column_inputs),
    output:
        metrics="results/{preset}/aggregation/{column}/metrics.csv",
        binomial="results/{preset}/aggregation/{column}/binomial.csv",
        histograms="results/{preset}/aggregation/{column}/histograms.csv",
    log:
        "logs/{preset}/aggregation/{column}.log",
    benchmark:
        "results/{preset}/benchmarks/aggregation/{column}.tsv"
    wildcard_constraints:
        column="[a-z0-9_]+",
    conda:
        ENVS / "training.yaml"
    params:
        learnt=learnt_rows,
        normalise_vectors=True,
        switches=AGGREGATION["switches"],
        code=code("evaluate_pairs", "sentrep.families.weighted_aggregation"),
    script:
        "../scripts/evaluate_pairs.py"


rule kappa:
    """Cross-validate kappa of the median loss."""
    input:
        pairs=f"{RUNS}/{KAPPA_MODEL.inputs['pairs']}",
        embeddings=f"{RUNS}/{KAPPA_MODEL.inputs['embeddings']}",
    output:
        csv="results/weighted_aggregation/kappa.csv",
    log:
        "logs/results/weighted_aggregation/kappa.log",
    conda:
        ENVS / "training.yaml"
    params:
        parameters=KAPPA_MODEL.parameters,
        couples=AGGREGATION["kappa"]["couples"],
        grid=AGGREGATION["kappa"]["grid"],
        folds=5,
        seed=1,
        device=CONFIG["device"],
        preset=PRESET,
        code=code("kappa", "sentrep.families.weighted_aggregation"),
    script:
        "../scripts/kappa.py"


rule weighted_aggregation_table1:
    """Weighted aggregation, table 1: Wikipedia."""
    input:
        **column_files(1),
        reported=REPORTED / "weighted_aggregation.csv",
    output:
        **paths("results/weighted_aggregation/table1", "csv", "md", "tex", "html"),
    log:
        "logs/results/weighted_aggregation/table1.log",
    conda:
        ENVS / "results.yaml"
    params:
        number=1,
        title="Weighted aggregation, table 1: related and other texts of Wikipedia",
        columns=table_columns(1),
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("weighted_aggregation_table"),
    script:
        "../scripts/weighted_aggregation_table.py"


use rule weighted_aggregation_table1 as weighted_aggregation_table2 with:
    input:
        **column_files(2),
        reported=REPORTED / "weighted_aggregation.csv",
    output:
        **paths("results/weighted_aggregation/table2", "csv", "md", "tex", "html"),
    log:
        "logs/results/weighted_aggregation/table2.log",
    params:
        number=2,
        title="Weighted aggregation, table 2: related and other tweets",
        columns=table_columns(2),
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("weighted_aggregation_table"),


rule weighted_aggregation_figure2:
    """Weighted aggregation, figure 2: distances of related and other pairs."""
    input:
        histograms=f"{RUNS}/aggregation/{AGGREGATION['figure2']}/histograms.csv",
    output:
        **paths("results/weighted_aggregation/figure2", "svg", "pdf"),
    log:
        "logs/results/weighted_aggregation/figure2.log",
    conda:
        ENVS / "results.yaml"
    params:
        method="Mean",
        title="Weighted aggregation, figure 2: similarities of tweets, mean of word vectors",
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("weighted_aggregation_figure2"),
    script:
        "../scripts/weighted_aggregation_figure2.py"


rule weighted_aggregation_figure3:
    """Weighted aggregation, figure 3: learnt weights by place in the idf order."""
    input:
        models=[model_directory(m, m.seeds[0]) for m in FIGURE3_MODELS],
        reported=REPORTED / "weighted_aggregation.csv",
    output:
        **paths("results/weighted_aggregation/figure3", "svg", "pdf", "csv"),
    log:
        "logs/results/weighted_aggregation/figure3.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=[{"loss": m.parameters["loss"], "seed": m.seeds[0]} for m in FIGURE3_MODELS],
        title="Weighted aggregation, figure 3: weights by place in the idf order",
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("weighted_aggregation_figure3"),
    script:
        "../scripts/weighted_aggregation_figure3.py"
