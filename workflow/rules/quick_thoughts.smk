# These rules find nearest sentences (section 4.4.4) and answer analogies (appendix A) for the Quick Thoughts paper
# (Logeswaran and Lee 2018). Transfer tasks and image retrieval have their own rule files.
#
# needs: results/<preset>/{sources,sentences,models}/
# gives: results/<preset>/evaluation/{pool,analogy_pool}.txt                    sentences that are searched
#        results/<preset>/nearest/<model>/seed<seed>.csv                        nearest sentences
#        results/<preset>/evaluation/analogies.jsonl                            tuples of sentences
#        results/<preset>/analogies/<model>/seed<seed>.csv                      answers to analogies


rule sentence_pool:
    """Draw random sentences in which to search for nearest sentences or answers to analogies ({wildcards.pool})."""
    input:
        sentences=lambda wildcards: PLAN.pools[wildcards.pool].sentences,
    output:
        pool=PATHS.pool,
        description=PATHS.pool_description,
    log:
        PATHS.log("evaluation/{pool}"),
    wildcard_constraints:
        pool=one_of(PLAN.pools),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("sentence_pool"),
        keywords=lambda wildcards: PLAN.pools[wildcards.pool].pool_settings(),
    script:
        "../scripts/run.py"


rule nearest_sentences:
    """Find the sentences nearest to each query according to {wildcards.model}, seed {wildcards.seed}."""
    input:
        model=PATHS.model,
        pool=PATHS.pool.format(pool="pool"),
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
    """Generate synthetic reviews, from which sentence analogies are mined if no corpus is configured."""
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
    """Mine sentence analogies: tuples of sentences, built from pairs of sentences that differ in one word."""
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


rule analogies:
    """Answer sentence analogies with {wildcards.model}, seed {wildcards.seed}."""
    input:
        model=PATHS.model,
        tuples=PATHS.analogies,
        pool=PATHS.pool.format(pool="analogy_pool"),
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
