# Costs: sizes and training times of the models, beside those that the papers print.
#
# needs: results/<preset>/models/<model>/seed<seed>/, workflow/reported/<paper>.csv
# gives: results/models.csv, .md                  all models: family, size, time, state
#        results/quick_thoughts/training_time.*   two columns of its table 1 (csv, md, tex, html)


rule model_table:
    """All models: family, size, training time, state."""
    input:
        models=model_folders(ALL_MODELS),
        built_on=built_on(model_folders(ALL_MODELS)),
        reported=PAPER_FILES,
    output:
        **paths("results/models", "csv", "md"),
    log:
        "logs/results/models.log",
    conda:
        ENVS / "training.yaml"
    params:
        models=ALL_MODELS,
        unfilled=UNFILLED,
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("model_table"),
    script:
        "../scripts/model_table.py"


rule training_time:
    """Quick Thoughts, table 1: size of the vectors and training time."""
    input:
        models=model_folders(TIMED_SYSTEMS),
        built_on=built_on(model_folders(TIMED_SYSTEMS)),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        **paths("results/quick_thoughts/training_time", "csv", "md", "tex", "html"),
    log:
        "logs/results/quick_thoughts/training_time.log",
    conda:
        ENVS / "training.yaml"
    params:
        models=TIMED_SYSTEMS,
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("training_time"),
    script:
        "../scripts/training_time.py"
