# Siamese CBOW (Kenter et al. 2016): values of its tables 2 and 3, and section 4.4. Its table 1 and its figures, and our own
# sweep of the corpus size, are correlations on the sentence-pair sets: see tables.smk.
#
# needs: results/scores.csv, results/<preset>/{models,timing}/, workflow/reported/siamese_cbow.csv
# gives: results/<preset>/values/siamese_cbow/{table2,table3,neighbours}.csv, results/neighbours.csv


# Values of Siamese CBOW's table 2: FastSent and Siamese CBOW on SemEval 2014.
rule siamese_cbow_table2:
    """Values of one table of Siamese CBOW."""
    input:
        scores="results/scores.csv",
        intervals=PATHS.intervals,
        reported=REPORTED / "siamese_cbow.csv",
        sets=PATHS.sts_description,
    output:
        csv=values_of("siamese_cbow/table2"),
    log:
        PATHS.log("values/siamese_cbow/table2"),
    conda:
        ENVS / "results.yaml"
    params:
        **collecting(
            "siamese_cbow/table2",
            "siamese_cbow.table2_values",
            models=systems(PLAN.tables.systems("siamese_cbow")),
        ),
    script:
        "../scripts/run.py"


# Values of Siamese CBOW's table 3: seconds to encode and compare all pairs.
use rule siamese_cbow_table2 as siamese_cbow_table3 with:
    input:
        timings=[PATHS.timing.format(model=name) for name in CONFIG.evaluation.timed_models],
        reported=REPORTED / "siamese_cbow.csv",
        sets=PATHS.sts_description,
    output:
        csv=values_of("siamese_cbow/table3"),
    log:
        PATHS.log("values/siamese_cbow/table3"),
    params:
        **collecting(
            "siamese_cbow/table3",
            "siamese_cbow.timing_values",
            models=systems(PLAN.tables.encoding_systems),
        ),


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
        **call("neighbours"),
        models=[{"id": m.id, "label": m.label} for m in PLAN.neighbour_models],
        queries=CONFIG.evaluation.neighbours.words,
        minimum_cosine=CONFIG.evaluation.neighbours.minimum_cosine,
        preset=PRESET,
    script:
        "../scripts/run.py"


# Values of section 4.4.
use rule siamese_cbow_table2 as neighbour_values with:
    input:
        table="results/neighbours.csv",
    output:
        csv=values_of("siamese_cbow/neighbours"),
    log:
        PATHS.log("values/siamese_cbow/neighbours"),
    params:
        **collecting(
            "siamese_cbow/neighbours",
            "words.word_values",
            models=[{"id": m.id, "label": m.label} for m in PLAN.neighbour_models],
        ),
