# Tables of all models: the headline, the papers' tables of sentence-pair sets, sizes and training times.
#
# needs: results/scores.csv, results/wilcoxon.csv, results/<preset>/models/, workflow/reported/<paper>.csv
# gives: results/table1.*, results/<paper>/table1.* (csv, md, tex, html), results/models.csv, .md


rule table1:
    """The headline: 20 sets x every model, beside the reported values."""
    input:
        scores="results/scores.csv",
        wilcoxon="results/wilcoxon.csv",
        reported=PUBLISHED,
        description=PATHS.sts_description,
    output:
        **outputs("results/table1", TABLE),
    log:
        "logs/results/table1.log",
    conda:
        ENVS / "results.yaml"
    params:
        **PLAN.daggers("word2vec_cbow", ["siamese_cbow"]),
        models=systems(PLAN.systems()),
        preset=PRESET,
        title="Table 1. Correlation with human judgements on 20 STS sets",
        code=code("table1"),
    script:
        "../scripts/table1.py"


use rule table1 as sts_table with:
    output:
        **outputs("results/{sts_table}", TABLE),
    log:
        "logs/results/{sts_table}.log",
    wildcard_constraints:
        sts_table=one_of(PLAN.sts_tables),
    params:
        models=lambda wildcards: PLAN.sts_tables[wildcards.sts_table]["models"],
        preset=PRESET,
        baseline=lambda wildcards: PLAN.sts_tables[wildcards.sts_table]["baseline"],
        daggers=lambda wildcards: PLAN.sts_tables[wildcards.sts_table]["daggers"],
        title=lambda wildcards: PLAN.sts_tables[wildcards.sts_table]["title"],
        year_means=lambda wildcards: PLAN.sts_tables[wildcards.sts_table]["year_means"],
        code=code("table1"),


rule model_table:
    """All models: family, size, training time, state."""
    input:
        models=PLAN.system_folders(PLAN.all_systems),
        built_on=PLAN.built_on(PLAN.system_folders(PLAN.all_systems)),
        reported=PUBLISHED,
    output:
        **outputs("results/models", ("csv", "md")),
    log:
        "logs/results/models.log",
    conda:
        ENVS / "training.yaml"
    params:
        models=PLAN.model_rows,
        unfilled=systems(PLAN.unfilled_systems),
        preset=PRESET,
        sample=SAMPLE,
        code=code("model_table"),
    script:
        "../scripts/model_table.py"


rule models_values:
    """Values of all models: family, size, training time, state."""
    input:
        models=PLAN.system_folders(PLAN.all_systems),
        built_on=PLAN.built_on(PLAN.system_folders(PLAN.all_systems)),
        reported=PUBLISHED,
    output:
        values_of("sentrep/models"),
    log:
        PATHS.log("values/sentrep/models"),
    conda:
        ENVS / "training.yaml"
    params:
        **collecting(
            "sentrep/models",
            "costs.collect_models",
            models=PLAN.model_rows,
            published_only=systems(PLAN.unfilled_systems),
        ),
    script:
        "../scripts/values.py"
