# Retrieval (Logeswaran and Lee 2018, sections 4.4.3 and 4.4.4, appendix A): images and captions, nearest sentences, analogies.
#
# needs: results/<preset>/sources/<source>.json, sentences/<corpus>/, models/<model>/seed<seed>/
# gives: results/<preset>/evaluation/images/, retrieval/<model>/seed<seed>/        captions and features; scores, history
#        results/<preset>/evaluation/pool.txt, nearest/<model>/seed<seed>.csv      sentences to search; the nearest ones
#        results/<preset>/evaluation/analogies.jsonl, analogies/<model>/seed<seed>.csv    tuples of sentences; answers


rule retrieval_sample:
    """Generate synthetic captioned images."""
    input:
        BASE / "workflow" / "sample" / "patterns.yaml",
    output:
        folder=directory(PATHS.sample_images),
    log:
        PATHS.log("retrieval_sample"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("sentrep.evaluation.synthetic.write_captioned_images"),
    script:
        "../scripts/run.py"


rule retrieval_data:
    """Read captioned images and their features."""
    input:
        source=PLAN.retrieval.images,
    output:
        images=directory(PATHS.images),
    log:
        PATHS.log("evaluation/images"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("retrieval_data"),
        dimension=CONFIG.retrieval.dimension,
        captions_per_image=CONFIG.retrieval.captions_per_image,
    script:
        "../scripts/run.py"


rule retrieval:
    """Learn to match images and captions with {wildcards.model}, seed {wildcards.seed}."""
    input:
        model=PATHS.model,
        images=PATHS.images,
    output:
        scores=PATHS.retrieval_scores,
        history=PATHS.retrieval_history,
    log:
        PATHS.log("retrieval/{model}/seed{seed}"),
    benchmark:
        PATHS.benchmark("retrieval/{model}/seed{seed}")
    conda:
        ENVS / "training.yaml"
    resources:
        gpu=gpu,
    params:
        **call("retrieval", of_family=True),
        settings=CONFIG.retrieval.settings.model_dump(),
        identity=identity,
        device=device,
    script:
        "../scripts/run.py"


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
