# These rules collect the values of all tables and figures, and write the tables and figures, which are views of these
# values. For each table or figure, sentrep.config.plan_values determines the inputs from which its values are collected.
#
# needs: results/scores.csv, results/wilcoxon.csv and other collected results, results/<preset>/*/,
#        workflow/reported/<paper>.csv
# gives: results/<preset>/values/<paper>/<item>.csv   values of one table or figure
#        results/values.csv                           values of all items
#        results/table1.*, results/<paper>/table<n>.* (csv, md, tex, html), results/<paper>/figure<n>.* (svg, pdf, csv)
#        results/deltas.csv                           every published value next to ours, with the class of agreement


rule intervals:
    """Compute 95% bootstrap confidence intervals for the correlations of all models that have published values."""
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


rule values:
    """Collect the values of {wildcards.item}."""
    input:
        unpack(lambda wildcards: COLLECTORS[wildcards.item].inputs),
    output:
        csv=PATHS.values,
    log:
        PATHS.log("values/{item}"),
    wildcard_constraints:
        item=one_of(COLLECTORS),
    conda:
        ENVS / "results.yaml"
    params:
        call="values.main",
        code=lambda wildcards: call("values", f"sentrep.tables.collect.{COLLECTORS[wildcards.item].module}")["code"],
        preset=PRESET,
        item="{item}",
        collector=lambda wildcards: COLLECTORS[wildcards.item].function,
        settings=lambda wildcards: COLLECTORS[wildcards.item].settings,
    script:
        "../scripts/run.py"


rule all_values:
    """Combine the values of all tables and figures of the run into one file."""
    input:
        source=[PATHS.values.format(item=name) for name in PLAN.items],
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
    """Write table {wildcards.table}, as declared in workflow/tables.yaml."""
    input:
        source=lambda wildcards: [PATHS.values.format(item=name) for name in VIEWS.items(item_of(wildcards.table))],
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
        caption=lambda wildcards: caption_of(wildcards.table),
    script:
        "../scripts/run.py"


rule figure:
    """Draw figure {wildcards.figure}, as declared in workflow/tables.yaml."""
    input:
        source=lambda wildcards: [PATHS.values.format(item=name) for name in VIEWS.items(item_of(wildcards.figure))],
    output:
        **outputs("results/{figure}", FIGURE),
    log:
        "logs/results/{figure}.log",
    wildcard_constraints:
        figure=one_of(file_of(name) for name in VIEWS.figures),
    conda:
        ENVS / "results.yaml"
    params:
        call="table.main",
        code=lambda wildcards: call("table", VIEWS.module(item_of(wildcards.figure)))["code"],
        name=lambda wildcards: item_of(wildcards.figure),
        caption=lambda wildcards: caption_of(wildcards.figure),
    script:
        "../scripts/run.py"


rule deltas:
    """Compare every published value with our value."""
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
