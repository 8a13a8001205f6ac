# Quick Thoughts, table 5: the sentences of a pool that are nearest to some queries.
#
# needs: results/<preset>/sentences/<corpus>/, results/<preset>/models/<model>/seed<seed>/
# gives: results/<preset>/evaluation/pool.txt, pool.json     sentences to search, what they are
#        results/<preset>/nearest/<model>/seed<seed>.csv     the nearest of them to each query
#        results/quick_thoughts/table5.*                     beside the paper's


rule sentence_pool:
    """Draw the sentences that queries are compared with."""
    input:
        sentences=f"{RUNS}/sentences/{CONFIG['corpora'][NEAREST['corpus']]['sentences']}",
    output:
        pool=f"{RUNS}/evaluation/pool.txt",
        description=f"{RUNS}/evaluation/pool.json",
    log:
        f"logs/{PRESET}/evaluation/pool.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        corpus=NEAREST["corpus"],
        size=NEAREST["pool"],
        seed=NEAREST["seed"],
        leave_out=QUERIES,
        code=code("sentence_pool"),
    script:
        "../scripts/sentence_pool.py"


rule nearest_sentences:
    """Find the sentences nearest to each query by {wildcards.model}, seed {wildcards.seed}."""
    input:
        model="results/{preset}/models/{model}/seed{seed}",
        pool=rules.sentence_pool.output.pool,
    output:
        "results/{preset}/nearest/{model}/seed{seed}.csv",
    log:
        "logs/{preset}/nearest/{model}/seed{seed}.log",
    conda:
        ENVS / "training.yaml"
    resources:
        gpu=lambda wildcards: int(model_device(wildcards) == "cuda"),
    params:
        queries=QUERIES,
        neighbours=NEAREST["neighbours"],
        identity=identity,
        device=model_device,
        code=lambda wildcards: code("nearest_sentences", family_module(wildcards)),
    script:
        "../scripts/nearest_sentences.py"


rule quick_thoughts_table5:
    """Quick Thoughts, table 5: nearest sentences, models side by side."""
    input:
        neighbours=per_seed(SIDE_BY_SIDE, f"{RUNS}/nearest/{{model}}/seed{{seed}}.csv"),
        pool=rules.sentence_pool.output.description,
        reported=REPORTED / "quick_thoughts.csv",
    output:
        **paths("results/quick_thoughts/table5", "csv", "md", "tex", "html"),
    log:
        "logs/results/quick_thoughts/table5.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=[{"id": m.id, "label": m.label} for m in SIDE_BY_SIDE],
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("quick_thoughts_table5"),
    script:
        "../scripts/quick_thoughts_table5.py"
