# Analogies (Logeswaran and Lee 2018, appendix A): analogies between sentences.
#
# needs: results/<preset>/sentences/<corpus>/, results/<preset>/sources/<questions>.json, results/<preset>/models/<model>/
# gives: results/<preset>/evaluation/analogies.jsonl            tuples of four sentences
#        results/<preset>/evaluation/analogy_pool.txt, .json    other sentences of the same text
#        results/<preset>/analogies/<model>/seed<seed>.csv      what was retrieved for each question


rule analogy_sample:
    """Generate synthetic reviews."""
    input:
        BASE / "workflow" / "sample" / "patterns.yaml",
    output:
        PATHS.sample_reviews,
    log:
        PATHS.log("analogy_sample"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        code=code("analogy_sample"),
    script:
        "../scripts/analogy_sample.py"


rule analogy_tuples:
    """Mine tuples of sentences from pairs that differ by one word."""
    input:
        sentences=PLAN.analogies.sentences,
        questions=PLAN.analogies.manifests,
    output:
        PATHS.analogies,
    log:
        PATHS.log("evaluation/analogies"),
    benchmark:
        PATHS.benchmark("analogy_tuples")
    conda:
        ENVS / "evaluation.yaml"
    params:
        sets=list(PLAN.analogies.questions),
        relations=PLAN.analogies.relations,
        mining=CONFIG.analogies.mining.model_dump(),
        per_relation=CONFIG.analogies.tuples_per_relation,
        seed=CONFIG.analogies.seed,
        corpus=CONFIG.analogies.corpus,
        sample=CONFIG.analogies.corpus is None,
        code=code("analogy_tuples"),
    script:
        "../scripts/analogy_tuples.py"


use rule sentence_pool as analogy_pool with:
    input:
        sentences=PLAN.analogies.sentences,
    output:
        pool=PATHS.analogy_pool,
        description=PATHS.analogy_pool_description,
    log:
        PATHS.log("evaluation/analogy_pool"),
    params:
        corpus=CONFIG.analogies.corpus,
        size=CONFIG.analogies.pool,
        seed=CONFIG.analogies.seed,
        leave_out=[],
        code=code("sentence_pool"),


rule analogies:
    """Answer analogies with {wildcards.model}, seed {wildcards.seed}."""
    input:
        model=PATHS.model,
        tuples=PATHS.analogies,
        pool=PATHS.analogy_pool,
    output:
        PATHS.analogy_answers,
    log:
        PATHS.log("analogies/{model}/seed{seed}"),
    benchmark:
        PATHS.benchmark("analogies/{model}/seed{seed}")
    conda:
        ENVS / "training.yaml"
    resources:
        gpu=gpu,
    params:
        identity=identity,
        device=device,
        code=model_code("analogies"),
    script:
        "../scripts/analogies.py"
