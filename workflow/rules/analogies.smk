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
        path=PATHS.sample_reviews,
    log:
        PATHS.log("analogy_sample"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("sentrep.evaluation.synthetic.write_reviews"),
    script:
        "../scripts/run.py"


rule analogy_tuples:
    """Mine tuples of sentences from pairs that differ by one word."""
    input:
        sentences=PLAN.analogies.sentences,
        questions=PLAN.analogies.manifests,
    output:
        tuples=PATHS.analogies,
    log:
        PATHS.log("evaluation/analogies"),
    benchmark:
        PATHS.benchmark("analogy_tuples")
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("analogy_tuples"),
        sets=list(PLAN.analogies.questions),
        relations=PLAN.analogies.relations,
        mining=CONFIG.analogies.mining.model_dump(),
        per_relation=CONFIG.analogies.tuples_per_relation,
        seed=CONFIG.analogies.seed,
        corpus=CONFIG.analogies.corpus,
    script:
        "../scripts/run.py"


use rule sentence_pool as analogy_pool with:
    input:
        sentences=PLAN.analogies.sentences,
    output:
        pool=PATHS.analogy_pool,
        description=PATHS.analogy_pool_description,
    log:
        PATHS.log("evaluation/analogy_pool"),
    params:
        **call("sentence_pool"),
        corpus=CONFIG.analogies.corpus,
        size=CONFIG.analogies.pool,
        seed=CONFIG.analogies.seed,
        leave_out=[],


rule analogies:
    """Answer analogies with {wildcards.model}, seed {wildcards.seed}."""
    input:
        model=PATHS.model,
        tuples=PATHS.analogies,
        pool=PATHS.analogy_pool,
    output:
        answers=PATHS.analogy_answers,
    log:
        PATHS.log("analogies/{model}/seed{seed}"),
    benchmark:
        PATHS.benchmark("analogies/{model}/seed{seed}")
    conda:
        ENVS / "training.yaml"
    resources:
        gpu=gpu,
    params:
        **call("analogies", of_family=True),
        identity=identity,
        device=device,
    script:
        "../scripts/run.py"
