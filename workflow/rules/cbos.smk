# CBOS (Yuan and Zhang): what its two parameters do, on the sets of SemEval 2014. Its table 1 is a setting of rule sts_table.
#
# needs: results/<preset>/scores/<model>/seed<seed>/scores.csv
# gives: results/cbos/figure3|4.svg, .pdf, .csv


use rule figure3 as cbos_figure3 with:
    input:
        scores=PLAN.sweep_files("cbos_context", PATHS.scores),
    output:
        **outputs("results/cbos/figure3", FIGURE),
    log:
        "logs/results/cbos/figure3.log",
    params:
        models=PLAN.sweep_points("cbos_context"),
        parameter="context",
        x_label="context sentences on each side, k",
        title="CBOS, figure 3: size of the context",
        years=[2014],
        logarithmic=False,
        preset=PRESET,
        sample=SAMPLE,
        code=code("parameter_figure"),


use rule figure3 as cbos_figure4 with:
    input:
        scores=PLAN.sweep_files("cbos_negatives", PATHS.scores),
    output:
        **outputs("results/cbos/figure4", FIGURE),
    log:
        "logs/results/cbos/figure4.log",
    params:
        models=PLAN.sweep_points("cbos_negatives"),
        parameter="negatives",
        x_label="negative sentences, m",
        title="CBOS, figure 4: number of negative sentences",
        years=[2014],
        logarithmic=False,
        preset=PRESET,
        sample=SAMPLE,
        code=code("parameter_figure"),
