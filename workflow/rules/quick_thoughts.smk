# Quick Thoughts (Logeswaran and Lee 2018): sentence similarity, and quality against training time.
#
# needs: results/scores.csv, results/<preset>/{models,scores,transfer}/<model>/seed<seed>/, workflow/reported/quick_thoughts.csv
# gives: results/quick_thoughts/table8|9.* (csv, md, tex, html), figure2.svg, .pdf, .csv


rule quick_thoughts_table8:
    """Quick Thoughts, table 8: systems on the sets of SemEval 2014."""
    input:
        scores=rules.collect_scores.output.scores,
        reported=REPORTED / "quick_thoughts.csv",
        description=SETS,
    output:
        **paths("results/quick_thoughts/table8", "csv", "md", "tex", "html"),
    log:
        "logs/results/quick_thoughts/table8.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=table_models("quick_thoughts", 8),
        preset=PRESET,
        code=code("quick_thoughts_table8"),
    script:
        "../scripts/quick_thoughts_table8.py"


rule quick_thoughts_table9:
    """Quick Thoughts, table 9: size of the vectors, training time and accuracy."""
    input:
        models=sweep_files("representation_size", MODEL),
        built_on=built_on(sweep_files("representation_size", MODEL)),
        scores=sweep_files("representation_size", "transfer/{model}/seed{seed}/scores.csv"),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        **paths("results/quick_thoughts/table9", "csv", "md", "tex", "html"),
    log:
        "logs/results/quick_thoughts/table9.log",
    conda:
        ENVS / "training.yaml"
    params:
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("quick_thoughts_table9"),
    script:
        "../scripts/quick_thoughts_table9.py"


rule quick_thoughts_figure2:
    """Quick Thoughts, figure 2: quality against training time, two objectives for one encoder."""
    input:
        models=sweep_files("objectives", MODEL),
        scores=sweep_files("objectives"),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        **paths("results/quick_thoughts/figure2", "svg", "pdf", "csv"),
    log:
        "logs/results/quick_thoughts/figure2.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=sweep_points("objectives"),
        title="Quick Thoughts, figure 2: quality against training time, the same encoder under two objectives",
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("quick_thoughts_figure2"),
    script:
        "../scripts/quick_thoughts_figure2.py"
