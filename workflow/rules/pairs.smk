# These rules mine related and non-related pairs of texts for the weighted aggregation paper (De Boom et al. 2016).
#
# needs: results/<preset>/sentences|stores/<corpus>/, results/<preset>/sources/<tweets>.json
# gives: results/<preset>/sources/sample_tweets.jsonl   synthetic tweets for the preset `sample`
#        results/<preset>/pairs/<pairs>/                text pairs of each split, vocabulary, numbers of pairs


rule wikipedia_pairs:
    """Mine the text pairs {wildcards.pairs} from Wikipedia paragraphs."""
    input:
        sentences=lambda wildcards: PLAN.aggregation.sentences(wildcards.pairs),
        store=lambda wildcards: PLAN.aggregation.store(wildcards.pairs),
    output:
        output=directory(PATHS.pairs),
    log:
        PATHS.log("pairs/{pairs}"),
    benchmark:
        PATHS.benchmark("pairs/{pairs}")
    wildcard_constraints:
        pairs=one_of(PLAN.aggregation.names("wikipedia")),
    conda:
        ENVS / "corpora.yaml"
    threads: workflow.cores
    params:
        **call("sentrep.pairs.wikipedia.mine"),
        keywords=lambda wildcards: PLAN.aggregation.pairs_settings(wildcards.pairs),
    script:
        "../scripts/run.py"


rule sample_tweets:
    """Generate synthetic tweets from sentences of news stories."""
    output:
        path=PATHS.sample_tweets,
    log:
        PATHS.log("sample_tweets"),
    conda:
        ENVS / "corpora.yaml"
    params:
        **call("sentrep.pairs.twitter.sample.write"),
    script:
        "../scripts/run.py"


rule twitter_pairs:
    """Mine the text pairs {wildcards.pairs} from tweets."""
    input:
        tweets=lambda wildcards: PLAN.aggregation.tweets(wildcards.pairs),
        store=lambda wildcards: PLAN.aggregation.store(wildcards.pairs),
    output:
        output=directory(PATHS.pairs),
    log:
        PATHS.log("pairs/{pairs}"),
    benchmark:
        PATHS.benchmark("pairs/{pairs}")
    wildcard_constraints:
        pairs=one_of(PLAN.aggregation.names("twitter")),
    conda:
        ENVS / "corpora.yaml"
    params:
        **call("sentrep.pairs.twitter.build.build_twitter_pairs"),
        keywords=lambda wildcards: PLAN.aggregation.pairs_settings(wildcards.pairs),
        sample=lambda wildcards: PLAN.aggregation.is_sample(wildcards.pairs),
    script:
        "../scripts/run.py"
