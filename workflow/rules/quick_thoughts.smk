# Quick Thoughts (Logeswaran and Lee 2018): sentence similarity, and quality against training time.
#
# needs: results/scores.csv, results/<preset>/{models,scores,transfer}/<model>/seed<seed>/, workflow/reported/quick_thoughts.csv
# gives: results/quick_thoughts/table8|9.* (csv, md, tex, html), figure2.svg, .pdf, .csv
# The paper's tables of transfer tasks, by number.


rule quick_thoughts_transfer_values:
    """Quick Thoughts, table {wildcards.number}: models on the transfer tasks."""
    input:
        scores="results/transfer.csv",
        models=PLAN.per_seed(PLAN.transfer.models, PATHS.model),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/table{number}"),
    log:
        PATHS.log("values/quick_thoughts/table{number}"),
    wildcard_constraints:
        number="[123]",
    conda:
        ENVS / "training.yaml"
    params:
        **collecting("quick_thoughts/table{number}", "transfer.collect", tasks=PLAN.transfer.task_labels),
        number=lambda wildcards: int(wildcards.number),
        systems=lambda wildcards: systems(PLAN.transfer.systems(int(wildcards.number))),
    script:
        "../scripts/run.py"


rule quick_thoughts_table4_values:
    """Quick Thoughts, table 4: image-caption retrieval."""
    input:
        scores=PLAN.per_seed(PLAN.retrieval.models, PATHS.retrieval_scores),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/table4"),
    log:
        PATHS.log("values/quick_thoughts/table4"),
    conda:
        ENVS / "results.yaml"
    params:
        **collecting(
            "quick_thoughts/table4",
            "retrieval.collect",
            sample=CONFIG.retrieval.source is None,
            systems=systems(PLAN.retrieval.systems()),
            settings=CONFIG.retrieval.settings.model_dump(),
        ),
    script:
        "../scripts/run.py"


rule quick_thoughts_table5_values:
    """Quick Thoughts, table 5: nearest sentences."""
    input:
        neighbours=PLAN.per_seed(PLAN.nearest.models, PATHS.nearest),
        pool=PATHS.pool_description,
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/table5"),
    log:
        PATHS.log("values/quick_thoughts/table5"),
    conda:
        ENVS / "results.yaml"
    params:
        **collecting("quick_thoughts/table5", "sentences.collect_nearest", systems=systems(PLAN.nearest.systems())),
    script:
        "../scripts/run.py"


rule quick_thoughts_table6_values:
    """Quick Thoughts, table 6: sentence analogies by relation."""
    input:
        answers=PLAN.per_seed(PLAN.analogies.models, PATHS.analogy_answers),
        tuples=PATHS.analogies,
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/table6"),
    log:
        PATHS.log("values/quick_thoughts/table6"),
    conda:
        ENVS / "results.yaml"
    params:
        **collecting(
            "quick_thoughts/table6",
            "sentences.collect_analogies",
            sample=CONFIG.analogies.corpus is None,
            systems=systems(PLAN.analogies.systems()),
            relations=PLAN.analogies.relations,
        ),
    script:
        "../scripts/run.py"


use rule quick_thoughts_table6_values as quick_thoughts_table7_values with:
    output:
        csv=values_of("quick_thoughts/table7"),
    log:
        PATHS.log("values/quick_thoughts/table7"),
    params:
        **collecting(
            "quick_thoughts/table7",
            "sentences.collect_answers",
            sample=CONFIG.analogies.corpus is None,
            systems=systems(PLAN.analogies.systems()),
        ),


rule quick_thoughts_table9_values:
    """Quick Thoughts, table 9: size of the vectors, training time and accuracy."""
    input:
        models=PLAN.sweep_files("representation_size", PATHS.model),
        built_on=PLAN.built_on(PLAN.sweep_files("representation_size", PATHS.model)),
        scores=PLAN.sweep_files("representation_size", PATHS.transfer_scores),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/table9"),
    log:
        PATHS.log("values/quick_thoughts/table9"),
    conda:
        ENVS / "training.yaml"
    params:
        **collecting("quick_thoughts/table9", "costs.collect_sizes"),
    script:
        "../scripts/run.py"


rule training_time_values:
    """Quick Thoughts, table 1: size of the vectors and training time."""
    input:
        models=PLAN.system_folders(PLAN.timed_systems),
        built_on=PLAN.built_on(PLAN.system_folders(PLAN.timed_systems)),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/training_time"),
    log:
        PATHS.log("values/quick_thoughts/training_time"),
    conda:
        ENVS / "training.yaml"
    params:
        **collecting("quick_thoughts/training_time", "costs.collect_times", systems=systems(PLAN.timed_systems)),
    script:
        "../scripts/run.py"


rule quick_thoughts_figure2_values:
    """Quick Thoughts, figure 2: quality against training time, two objectives for one encoder."""
    input:
        models=PLAN.sweep_files("objectives", PATHS.model),
        scores=PLAN.sweep_files("objectives", PATHS.scores),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/figure2"),
    log:
        PATHS.log("values/quick_thoughts/figure2"),
    conda:
        ENVS / "training.yaml"
    params:
        **collecting("quick_thoughts/figure2", "costs.collect_curves", points=PLAN.sweep_points("objectives")),
    script:
        "../scripts/run.py"
