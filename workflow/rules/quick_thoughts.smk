# Quick Thoughts (Logeswaran and Lee 2018): sentence similarity, and quality against training time.
#
# needs: results/scores.csv, results/<preset>/{models,scores,transfer}/<model>/seed<seed>/, workflow/reported/quick_thoughts.csv
# gives: results/<preset>/values/quick_thoughts/*.csv    values of its tables and figures, which tables.smk renders


# Table 9: size of the vectors, training time and accuracy.
rule quick_thoughts_table9_values:
    """Values of one table or figure of Quick Thoughts."""
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
        ENVS / "results.yaml"
    params:
        **collecting("quick_thoughts/table9", "costs.size_values"),
    script:
        "../scripts/run.py"


# Tables 1 to 3: models on the transfer tasks.
use rule quick_thoughts_table9_values as quick_thoughts_transfer_values with:
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
    params:
        **collecting("quick_thoughts/table{number}", "transfer.transfer_values", tasks=PLAN.transfer.task_labels),
        number=lambda wildcards: int(wildcards.number),
        systems=lambda wildcards: systems(PLAN.transfer.systems(int(wildcards.number))),


# Quick Thoughts, table 4: image-caption retrieval.
use rule quick_thoughts_table9_values as quick_thoughts_table4_values with:
    input:
        scores=PLAN.per_seed(PLAN.retrieval.models, PATHS.retrieval_scores),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/table4"),
    log:
        PATHS.log("values/quick_thoughts/table4"),
    params:
        **collecting(
            "quick_thoughts/table4",
            "retrieval.retrieval_values",
            sample=CONFIG.retrieval.source is None,
            systems=systems(PLAN.retrieval.systems()),
            settings=CONFIG.retrieval.settings.model_dump(),
        ),


# Quick Thoughts, table 5: nearest sentences.
use rule quick_thoughts_table9_values as quick_thoughts_table5_values with:
    input:
        neighbours=PLAN.per_seed(PLAN.nearest.models, PATHS.nearest),
        pool=PATHS.pool_description,
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/table5"),
    log:
        PATHS.log("values/quick_thoughts/table5"),
    params:
        **collecting("quick_thoughts/table5", "sentences.nearest_values", systems=systems(PLAN.nearest.systems())),


# Quick Thoughts, table 6: sentence analogies by relation.
use rule quick_thoughts_table9_values as quick_thoughts_table6_values with:
    input:
        answers=PLAN.per_seed(PLAN.analogies.models, PATHS.analogy_answers),
        text=PATHS.analogies,
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/table6"),
    log:
        PATHS.log("values/quick_thoughts/table6"),
    params:
        **collecting(
            "quick_thoughts/table6",
            "sentences.analogy_values",
            sample=CONFIG.analogies.corpus is None,
            systems=systems(PLAN.analogies.systems()),
            relations=PLAN.analogies.relations,
        ),


# Table 7: answers to analogies.
use rule quick_thoughts_table9_values as quick_thoughts_table7_values with:
    input:
        answers=PLAN.per_seed(PLAN.analogies.models, PATHS.analogy_answers),
        text=PATHS.analogies,
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/table7"),
    log:
        PATHS.log("values/quick_thoughts/table7"),
    params:
        **collecting(
            "quick_thoughts/table7",
            "sentences.answer_values",
            sample=CONFIG.analogies.corpus is None,
            systems=systems(PLAN.analogies.systems()),
        ),


# Table 1: size of the vectors and training time.
use rule quick_thoughts_table9_values as training_time_values with:
    input:
        models=PLAN.system_folders(PLAN.tables.trained_systems),
        built_on=PLAN.built_on(PLAN.system_folders(PLAN.tables.trained_systems)),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/training_time"),
    log:
        PATHS.log("values/quick_thoughts/training_time"),
    params:
        **collecting("quick_thoughts/training_time", "costs.time_values", systems=systems(PLAN.tables.trained_systems)),


# Quick Thoughts, figure 2: quality against training time, two objectives for one encoder.
use rule quick_thoughts_table9_values as quick_thoughts_figure2_values with:
    input:
        models=PLAN.sweep_files("objectives", PATHS.model),
        scores=PLAN.sweep_files("objectives", PATHS.scores),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        csv=values_of("quick_thoughts/figure2"),
    log:
        PATHS.log("values/quick_thoughts/figure2"),
    params:
        **collecting("quick_thoughts/figure2", "costs.curve_values", points=PLAN.sweep_points("objectives")),
