# Pairs: related and non-related texts for the weighted aggregation paper.
#
# needs: results/<preset>/sentences|stores/<corpus>/, results/<preset>/sources/<tweets>.json
# gives: results/<preset>/pairs/<pairs>/             train, validation and test pairs as word ids, what was left out
#        results/weighted_aggregation/pairs.csv     counts of all of them


rule wikipedia_pairs:
    """Mine pairs {wildcards.pairs} from paragraphs."""
    input:
        sentences=pairs_corpus("sentences"),
        store=pairs_corpus("stores"),
    output:
        directory("results/{preset}/pairs/{pairs}"),
    log:
        "logs/{preset}/pairs/{pairs}.log",
    benchmark:
        "results/{preset}/benchmarks/pairs/{pairs}.tsv"
    wildcard_constraints:
        pairs=names_of("wikipedia"),
    conda:
        ENVS / "corpora.yaml"
    threads: workflow.cores
    params:
        pairs=pairs_settings,
        code=code("wikipedia_pairs"),
    script:
        "../scripts/wikipedia_pairs.py"


rule sample_tweets:
    """Make the sample preset's tweets from news stories."""
    output:
        "results/{preset}/sources/sample_tweets.jsonl",
    log:
        "logs/{preset}/sample_tweets.log",
    conda:
        ENVS / "corpora.yaml"
    params:
        code=code("sample_tweets"),
    script:
        "../scripts/sample_tweets.py"


rule twitter_pairs:
    """Mine pairs {wildcards.pairs} from tweets."""
    input:
        tweets=tweets_of,
        store=pairs_corpus("stores"),
    output:
        directory("results/{preset}/pairs/{pairs}"),
    log:
        "logs/{preset}/pairs/{pairs}.log",
    benchmark:
        "results/{preset}/benchmarks/pairs/{pairs}.tsv"
    wildcard_constraints:
        pairs=names_of("twitter"),
    conda:
        ENVS / "training.yaml"
    params:
        settings=pairs_settings,
        sample=made_up,
        code=code("twitter_pairs"),
    script:
        "../scripts/twitter_pairs.py"


rule count_pairs:
    """Pairs per split and source, and what was left out."""
    input:
        pairs=[f"{RUNS}/pairs/{name}" for name in CONFIG["pairs"]],
    output:
        csv="results/weighted_aggregation/pairs.csv",
    log:
        "logs/results/weighted_aggregation/pairs.log",
    conda:
        ENVS / "results.yaml"
    params:
        sources=list(CONFIG["pairs"]),
        preset=PRESET,
        code=code("count_pairs"),
    script:
        "../scripts/count_pairs.py"
