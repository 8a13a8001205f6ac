# Siamese CBOW (Kenter et al. 2016): its tables 2 and 3, section 4.4, figures; and our own sweep of the corpus size.
#
# needs: results/scores.csv, results/<preset>/{models,scores,timing}/, workflow/reported/siamese_cbow.csv
# gives: results/siamese_cbow/table2|3.*, figure2|3|4.*, results/neighbours.csv, results/corpus_size.*


rule siamese_cbow_table2:
    """Siamese CBOW, table 2: FastSent and Siamese CBOW on SemEval 2014."""
    input:
        scores="results/scores.csv",
        reported=REPORTED / "siamese_cbow.csv",
        description=PATHS.sts_description,
    output:
        **outputs("results/siamese_cbow/table2", TABLE),
    log:
        "logs/results/siamese_cbow/table2.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=systems(PLAN.systems("siamese_cbow")),
        preset=PRESET,
        code=code("siamese_cbow_table2"),
    script:
        "../scripts/siamese_cbow_table2.py"


rule siamese_cbow_table3:
    """Siamese CBOW, table 3: seconds to encode and compare all pairs."""
    input:
        timings=[PATHS.timing.format(model=name) for name in CONFIG.evaluation.timed_models],
        reported=REPORTED / "siamese_cbow.csv",
        description=PATHS.sts_description,
    output:
        **outputs("results/siamese_cbow/table3", TABLE),
    log:
        "logs/results/siamese_cbow/table3.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=systems(PLAN.timed_systems_of_siamese_cbow),
        preset=PRESET,
        code=code("siamese_cbow_table3"),
    script:
        "../scripts/siamese_cbow_table3.py"


rule neighbours:
    """Siamese CBOW, section 4.4: words with extreme norms, nearest words."""
    input:
        models=PLAN.first_seed(PLAN.neighbour_models, PATHS.model),
        stores=[PATHS.store.format(corpus=m.corpus) for m in PLAN.neighbour_models],
    output:
        csv="results/neighbours.csv",
    log:
        "logs/results/neighbours.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=[{"id": m.id, "label": m.label} for m in PLAN.neighbour_models],
        queries=CONFIG.evaluation.neighbours.words,
        minimum_cosine=CONFIG.evaluation.neighbours.minimum_cosine,
        preset=PRESET,
        code=code("neighbours"),
    script:
        "../scripts/neighbours.py"


rule figure2:
    """Siamese CBOW, figure 2: scores over five epochs."""
    input:
        scores=PLAN.sweep_files("progress", PATHS.scores),
    output:
        **outputs("results/siamese_cbow/figure2", FIGURE),
    log:
        "logs/results/siamese_cbow/figure2.log",
    conda:
        ENVS / "results.yaml"
    params:
        title="Siamese CBOW, figure 2: performance across epochs",
        preset=PRESET,
        sample=SAMPLE,
        code=code("progress_figure"),
    script:
        "../scripts/progress_figure.py"


rule figure3:
    """Siamese CBOW, figure 3: scores by number of negative examples."""
    input:
        scores=PLAN.sweep_files("negatives", PATHS.scores),
    output:
        **outputs("results/siamese_cbow/figure3", FIGURE),
    log:
        "logs/results/siamese_cbow/figure3.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=PLAN.sweep_points("negatives"),
        parameter="negatives",
        x_label="negative examples",
        title="Siamese CBOW, figure 3: number of negative examples",
        preset=PRESET,
        sample=SAMPLE,
        code=code("parameter_figure"),
    script:
        "../scripts/parameter_figure.py"


use rule figure3 as figure4 with:
    input:
        scores=PLAN.sweep_files("dimensions", PATHS.scores),
    output:
        **outputs("results/siamese_cbow/figure4", FIGURE),
    log:
        "logs/results/siamese_cbow/figure4.log",
    params:
        models=PLAN.sweep_points("dimensions"),
        parameter="dimension",
        x_label="vector dimensions",
        title="Siamese CBOW, figure 4: vector dimensions",
        preset=PRESET,
        sample=SAMPLE,
        code=code("parameter_figure"),


rule corpus_size:
    """Our own sweep: corpus size and epochs, Siamese CBOW and word2vec beside the untrained floor."""
    input:
        scores=PLAN.sweep_files("corpus_size", PATHS.scores),
    output:
        **outputs("results/corpus_size", FIGURE),
    log:
        "logs/results/corpus_size.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=PLAN.sweep_points("corpus_size"),
        title="Corpus size and epochs",
        preset=PRESET,
        sample=SAMPLE,
        code=code("corpus_size_figure"),
    script:
        "../scripts/corpus_size_figure.py"
