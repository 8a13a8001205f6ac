# These rules collect the values of tables 2 and 3 and of section 4.4 in the Siamese CBOW paper (Kenter et al. 2016).
# The values of table 1 and of the figures in this paper, and the values of our own sweep of the corpus size, are
# collected in tables.smk.
#
# needs: results/scores.csv, results/<preset>/{evaluation,models,stores,timing}/, workflow/reported/siamese_cbow.csv
# gives: results/<preset>/values/siamese_cbow/{table2,table3,neighbours}.csv, results/neighbours.csv


rule siamese_cbow_values:
    """Collect the values of {wildcards.item}."""
    input:
        unpack(lambda wildcards: COLLECTORS["siamese_cbow"][wildcards.item].inputs),
    output:
        csv=PATHS.values,
    log:
        PATHS.log("values/{item}"),
    wildcard_constraints:
        item=one_of(COLLECTORS["siamese_cbow"]),
    conda:
        ENVS / "results.yaml"
    params:
        **collecting("siamese_cbow"),
    script:
        "../scripts/run.py"


rule neighbours:
    """List words with the lowest and highest vector norms, and nearest neighbours (Siamese CBOW paper, section 4.4)."""
    input:
        models=PLAN.per_seed(PLAN.neighbour_models, PATHS.model),
        stores=[PATHS.store.format(corpus=m.corpus) for m in PLAN.neighbour_models for _ in m.seeds],
    output:
        csv="results/neighbours.csv",
    log:
        "logs/results/neighbours.log",
    conda:
        ENVS / "training.yaml"
    params:
        **call("neighbours"),
        models=[{"id": m.id, "seed": seed} for m in PLAN.neighbour_models for seed in m.seeds],
        queries=CONFIG.evaluation.neighbours.words,
        minimum_cosine=CONFIG.evaluation.neighbours.minimum_cosine,
        preset=PRESET,
    script:
        "../scripts/run.py"
