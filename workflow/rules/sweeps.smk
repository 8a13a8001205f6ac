# Sweeps: a model trained once per combination of values, drawn as a figure.
#
# needs: results/<preset>/scores/<model>/seed<seed>/scores.csv
# gives: results/siamese_cbow/figure2|3|4.svg, .pdf, .csv    results/corpus_size.svg, .pdf, .csv


rule figure2:
    """Siamese CBOW, figure 2: scores over five epochs."""
    input:
        scores=sweep_files("progress"),
    output:
        **paths("results/siamese_cbow/figure2", "svg", "pdf", "csv"),
    log:
        "logs/results/siamese_cbow/figure2.log",
    conda:
        ENVS / "results.yaml"
    params:
        title="Siamese CBOW, figure 2: performance across epochs",
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("progress_figure"),
    script:
        "../scripts/progress_figure.py"


rule figure3:
    """Siamese CBOW, figure 3: scores by number of negative examples."""
    input:
        scores=sweep_files("negatives"),
    output:
        **paths("results/siamese_cbow/figure3", "svg", "pdf", "csv"),
    log:
        "logs/results/siamese_cbow/figure3.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=sweep_points("negatives"),
        parameter="negatives",
        x_label="negative examples",
        title="Siamese CBOW, figure 3: number of negative examples",
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("parameter_figure"),
    script:
        "../scripts/parameter_figure.py"


use rule figure3 as figure4 with:
    input:
        scores=sweep_files("dimensions"),
    output:
        **paths("results/siamese_cbow/figure4", "svg", "pdf", "csv"),
    log:
        "logs/results/siamese_cbow/figure4.log",
    params:
        models=sweep_points("dimensions"),
        parameter="dimension",
        x_label="vector dimensions",
        title="Siamese CBOW, figure 4: vector dimensions",
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("parameter_figure"),


rule corpus_size:
    """Our own sweep: corpus size and epochs, Siamese CBOW and word2vec beside the untrained floor."""
    input:
        scores=sweep_files("corpus_size"),
    output:
        **paths("results/corpus_size", "svg", "pdf", "csv"),
    log:
        "logs/results/corpus_size.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=size_points("corpus_size"),
        title="Corpus size and epochs",
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("corpus_size_figure"),
    script:
        "../scripts/corpus_size_figure.py"
