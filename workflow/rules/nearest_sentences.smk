# Nearest sentences (Logeswaran and Lee 2018, section 4.4.4): the sentences of a pool that are nearest to some queries.
#
# needs: results/<preset>/sentences/<corpus>/, results/<preset>/models/<model>/seed<seed>/
# gives: results/<preset>/evaluation/pool.txt, pool.json     sentences to search, what they are
#        results/<preset>/nearest/<model>/seed<seed>.csv     the nearest of them to each query


rule sentence_pool:
    """Draw the sentences that queries are compared with."""
    input:
        sentences=PLAN.nearest.sentences,
    output:
        pool=PATHS.pool,
        description=PATHS.pool_description,
    log:
        PATHS.log("evaluation/pool"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("sentence_pool"),
        corpus=CONFIG.nearest_sentences.corpus,
        size=CONFIG.nearest_sentences.pool,
        seed=CONFIG.nearest_sentences.seed,
        leave_out=PLAN.nearest.queries,
    script:
        "../scripts/run.py"


rule nearest_sentences:
    """Find the sentences nearest to each query by {wildcards.model}, seed {wildcards.seed}."""
    input:
        model=PATHS.model,
        pool=PATHS.pool,
    output:
        rows=PATHS.nearest,
    log:
        PATHS.log("nearest/{model}/seed{seed}"),
    conda:
        ENVS / "training.yaml"
    resources:
        gpu=gpu,
    params:
        **call("nearest_sentences", of_family=True),
        queries=PLAN.nearest.queries,
        neighbours=CONFIG.nearest_sentences.neighbours,
        identity=identity,
        device=device,
    script:
        "../scripts/run.py"
