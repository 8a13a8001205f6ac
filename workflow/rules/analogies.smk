# Quick Thoughts, tables 6 and 7: analogies between sentences.
#
# needs: results/<preset>/sentences/<corpus>/, results/<preset>/sources/<questions>.json, results/<preset>/models/<model>/
# gives: results/<preset>/evaluation/analogies.jsonl            tuples of four sentences
#        results/<preset>/evaluation/analogy_pool.txt, .json    other sentences of the same text
#        results/<preset>/analogies/<model>/seed<seed>.csv      what was retrieved for each question
#        results/quick_thoughts/table6|7.*                      beside the paper's


rule analogy_sample:
    """Generate synthetic reviews."""
    input:
        Path(workflow.basedir) / "workflow" / "sample" / "patterns.yaml",
    output:
        "results/{preset}/sources/sample_reviews.txt",
    log:
        "logs/{preset}/analogy_sample.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        code=code("analogy_sample"),
    script:
        "../scripts/analogy_sample.py"


rule analogy_tuples:
    """Mine tuples of sentences from pairs that differ by one word."""
    input:
        sentences=REVIEWS,
        questions=[f"{RUNS}/sources/{source}.json" for source in ANALOGIES["questions"].values() if source],
    output:
        f"{RUNS}/evaluation/analogies.jsonl",
    log:
        f"logs/{PRESET}/evaluation/analogies.log",
    benchmark:
        f"{RUNS}/benchmarks/analogy_tuples.tsv"
    conda:
        ENVS / "evaluation.yaml"
    params:
        sets=[name for name, source in ANALOGIES["questions"].items() if source],
        relations=RELATIONS,
        mining=ANALOGIES["mining"],
        per_relation=ANALOGIES["tuples_per_relation"],
        seed=ANALOGIES["seed"],
        corpus=ANALOGIES["corpus"],
        sample=ANALOGIES["corpus"] is None,
        code=code("analogy_tuples"),
    script:
        "../scripts/analogy_tuples.py"


use rule sentence_pool as analogy_pool with:
    input:
        sentences=REVIEWS,
    output:
        pool=f"{RUNS}/evaluation/analogy_pool.txt",
        description=f"{RUNS}/evaluation/analogy_pool.json",
    log:
        f"logs/{PRESET}/evaluation/analogy_pool.log",
    params:
        corpus=ANALOGIES["corpus"],
        size=ANALOGIES["pool"],
        seed=ANALOGIES["seed"],
        leave_out=[],
        code=code("sentence_pool"),


rule analogies:
    """Answer analogies with {wildcards.model}, seed {wildcards.seed}."""
    input:
        model="results/{preset}/models/{model}/seed{seed}",
        tuples=rules.analogy_tuples.output[0],
        pool=rules.analogy_pool.output.pool,
    output:
        "results/{preset}/analogies/{model}/seed{seed}.csv",
    log:
        "logs/{preset}/analogies/{model}/seed{seed}.log",
    benchmark:
        "results/{preset}/benchmarks/analogies/{model}/seed{seed}.tsv"
    conda:
        ENVS / "training.yaml"
    resources:
        gpu=lambda wildcards: int(model_device(wildcards) == "cuda"),
    params:
        identity=identity,
        device=model_device,
        code=lambda wildcards: code("analogies", family_module(wildcards)),
    script:
        "../scripts/analogies.py"


rule quick_thoughts_table6:
    """Quick Thoughts, table 6: sentence analogies by relation."""
    input:
        answers=per_seed(REASONING, f"{RUNS}/analogies/{{model}}/seed{{seed}}.csv"),
        tuples=rules.analogy_tuples.output[0],
        reported=REPORTED / "quick_thoughts.csv",
    output:
        **paths("results/quick_thoughts/table6", "csv", "md", "tex", "html"),
    log:
        "logs/results/quick_thoughts/table6.log",
    conda:
        ENVS / "results.yaml"
    params:
        number=6,
        systems=described(REASONING, 6),
        relations=RELATIONS,
        preset=PRESET,
        code=code("quick_thoughts_analogies"),
    script:
        "../scripts/quick_thoughts_analogies.py"


use rule quick_thoughts_table6 as quick_thoughts_table7 with:
    output:
        **paths("results/quick_thoughts/table7", "csv", "md", "tex", "html"),
    log:
        "logs/results/quick_thoughts/table7.log",
    params:
        number=7,
        systems=described(REASONING, 6),
        relations=RELATIONS,
        preset=PRESET,
        code=code("quick_thoughts_analogies"),
