# Pairs: related and non-related texts for the weighted aggregation paper.
#
# needs: results/<preset>/sentences|stores/<corpus>/, results/<preset>/sources/<tweets>.json
# gives: results/<preset>/pairs/<pairs>/   train, validation and test pairs as word ids, counts, what was left out


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
