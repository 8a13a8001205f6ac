# This rule examines the word vectors of Siamese CBOW, as in section 4.4 of its paper (Kenter et al. 2016).
#
# needs: results/<preset>/{models,stores}/
# gives: results/neighbours.csv


rule neighbours:
    """List words with the lowest and highest vector norms, and nearest neighbours (Siamese CBOW paper, section 4.4)."""
    input:
        folders=PLAN.per_seed(PLAN.neighbour_models, PATHS.model),
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
