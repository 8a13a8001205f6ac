# Tables and figures as views of the table of values, and the values that several papers share: correlations on
# sentence-pair sets, and sweeps. Values of other items are made in the rule file of their paper.
#
# needs: results/scores.csv, results/wilcoxon.csv, results/<preset>/{models,scores}/, workflow/reported/<paper>.csv
# gives: results/<preset>/values/<paper>/<item>.csv   values of one table or figure
#        results/values.csv                           values of all items
#        results/table1.*, results/<paper>/table<n>.* (csv, md, tex, html), results/<paper>/figure<n>.* (svg, pdf, csv)
#        results/deltas.csv                           every published number next to ours, with a class


rule intervals:
    """Confidence intervals of the correlations of models that papers report, over sentence pairs."""
    input:
        similarities=PLAN.per_seed(PLAN.reported_columns, PATHS.similarities),
        pairs=PATHS.sts,
        description=PATHS.sts_description,
    output:
        csv=PATHS.intervals,
    log:
        PATHS.log("evaluation/intervals"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("intervals"),
        models=[m.id for m in PLAN.reported_columns for _ in m.seeds],
    script:
        "../scripts/run.py"


rule sts_values:
    """Values of {wildcards.sts_table}: correlations on sentence-pair sets."""
    input:
        scores="results/scores.csv",
        wilcoxon="results/wilcoxon.csv",
        intervals=PATHS.intervals,
        reported=PUBLISHED,
        sets=PATHS.sts_description,
    output:
        csv=PATHS.values.replace("{paper}/{item}", "{sts_table}"),
    log:
        PATHS.log("values/{sts_table}"),
    wildcard_constraints:
        sts_table=one_of(PLAN.tables.sts),
    conda:
        ENVS / "results.yaml"
    params:
        **collecting("{sts_table}", "sts.sts_values"),
        keywords=lambda wildcards: PLAN.tables.sts[wildcards.sts_table],
    script:
        "../scripts/run.py"


rule sweep_values:
    """Values of {wildcards.sweep_figure}: correlations against a parameter."""
    input:
        scores=lambda wildcards: PLAN.sweep_files(SWEEP_FIGURES[wildcards.sweep_figure]["sweep"], PATHS.scores),
    output:
        csv=PATHS.values.replace("{paper}/{item}", "{sweep_figure}"),
    log:
        PATHS.log("values/{sweep_figure}"),
    wildcard_constraints:
        sweep_figure=one_of(SWEEP_FIGURES),
    conda:
        ENVS / "results.yaml"
    params:
        **collecting("{sweep_figure}", "sweeps.figure_values"),
        figure=lambda wildcards: SWEEP_FIGURES[wildcards.sweep_figure],
        points=lambda wildcards: PLAN.sweep_points(SWEEP_FIGURES[wildcards.sweep_figure]["sweep"]),
    script:
        "../scripts/run.py"


rule ablation_values:
    """Values of {wildcards.paper}'s ablations."""
    input:
        table=PATHS.ablation,
    output:
        csv=PATHS.values.replace("{item}", "ablation"),
    log:
        PATHS.log("values/{paper}/ablation"),
    wildcard_constraints:
        paper=one_of(CONFIG.papers),
    conda:
        ENVS / "results.yaml"
    params:
        **collecting("{paper}/ablation", "ablation.ablation_values"),
    script:
        "../scripts/run.py"


rule model_values:
    """Values of all models: family, size, training time, state."""
    input:
        models=PLAN.system_folders(PLAN.tables.all_systems),
        built_on=PLAN.built_on(PLAN.system_folders(PLAN.tables.all_systems)),
        reported=PUBLISHED,
    output:
        csv=values_of("sentrep/models"),
    log:
        PATHS.log("values/sentrep/models"),
    conda:
        ENVS / "training.yaml"
    params:
        **collecting(
            "sentrep/models",
            "costs.model_values",
            rows=PLAN.tables.model_rows,
            published_only=systems(PLAN.tables.unfilled_systems),
        ),
    script:
        "../scripts/run.py"


rule all_values:
    """Values of all tables and figures of the run."""
    input:
        source=[values_of(name) for name in PLAN.items],
    output:
        csv="results/values.csv",
    log:
        "logs/results/values.log",
    conda:
        ENVS / "results.yaml"
    params:
        **call("all_values"),
    script:
        "../scripts/run.py"


rule table:
    """Table {wildcards.table}, as it is declared in workflow/tables.yaml."""
    input:
        source=lambda wildcards: values_of(VIEWS.item(item_of(wildcards.table))),
    output:
        **outputs("results/{table}", TABLE),
    log:
        "logs/results/{table}.log",
    wildcard_constraints:
        table=one_of(file_of(name) for name in VIEWS.tables),
    conda:
        ENVS / "results.yaml"
    params:
        **call("table"),
        name=lambda wildcards: item_of(wildcards.table),
        declaration=lambda wildcards: VIEWS.declaration(item_of(wildcards.table)),
        preset=PRESET,  # for the caption in Snakemake's report, as is `sample`
        sample=SAMPLE,
    script:
        "../scripts/run.py"


rule figure:
    """Figure {wildcards.figure}, as it is declared in workflow/tables.yaml."""
    input:
        source=lambda wildcards: values_of(VIEWS.item(item_of(wildcards.figure))),
    output:
        **outputs("results/{figure}", FIGURE),
    log:
        "logs/results/{figure}.log",
    wildcard_constraints:
        figure=one_of(file_of(name) for name in VIEWS.figures),
    conda:
        ENVS / "results.yaml"
    params:
        name=lambda wildcards: item_of(wildcards.figure),
        declaration=lambda wildcards: VIEWS.declaration(item_of(wildcards.figure)),
        preset=PRESET,
        sample=SAMPLE,
        call="table.main",
        code=lambda wildcards: call("table", VIEWS.module(item_of(wildcards.figure)))["code"],
    script:
        "../scripts/run.py"


rule deltas:
    """Put every published number next to ours."""
    input:
        source="results/values.csv",
        reported=PUBLISHED,
    output:
        csv="results/deltas.csv",
    log:
        "logs/results/deltas.log",
    conda:
        ENVS / "results.yaml"
    params:
        **call("deltas"),
        preset=PRESET,
        sample=SAMPLE,
    script:
        "../scripts/run.py"
