# What the rules of the weighted aggregation paper ask of the configuration. No rules here.
AGGREGATION = CONFIG["aggregation"]


def names_of(miner):
    """Wildcard constraint: the pairs that a miner makes."""
    return "|".join(name for name, pairs in CONFIG["pairs"].items() if pairs["miner"] == miner) or "(?!)"


def pairs_corpus(step):
    """Input function: what the named step made of the corpus of some pairs."""

    def path(wildcards):
        corpus = CONFIG["pairs"][wildcards.pairs]["corpus"]
        return f"{RUNS}/{step}/{CONFIG['corpora'][corpus]['sentences'] if step == 'sentences' else corpus}"

    return path


def pairs_settings(wildcards):
    """Settings of the miner of some pairs."""
    return CONFIG["pairs"][wildcards.pairs]["settings"]


def made_up(wildcards):
    """Whether pairs are mined from the sample preset's made-up tweets."""
    return CONFIG["pairs"][wildcards.pairs].get("source") is None


def tweets_of(wildcards):
    """Manifest of the tweets, or the sample preset's made-up ones."""
    source = CONFIG["pairs"][wildcards.pairs].get("source")
    return f"{RUNS}/sources/{source}.json" if source else f"{RUNS}/sources/sample_tweets.jsonl"


def first_seed(name):
    """Folder of a model's first seed."""
    return model_directory(PLAN.models[name], PLAN.models[name].seeds[0])


def column_inputs(wildcards):
    """Pairs, word vectors and learnt models of one column of the paper's tables."""
    column = AGGREGATION["columns"][wildcards.column]
    learnt = {name: first_seed(name) for name in column["learnt"]}
    return {"pairs": f"{RUNS}/pairs/{column['pairs']}", "embeddings": first_seed(column["embeddings"]), **learnt}


def learnt_rows(wildcards):
    """Learnt model -> name of its row, for one column."""
    return AGGREGATION["columns"][wildcards.column]["learnt"]


def table_columns(number):
    """Columns of one of the paper's tables."""
    return [{"name": name, **c} for name, c in AGGREGATION["columns"].items() if c["table"] == number]


def column_files(number):
    """Metrics and tests of each of them."""
    return {
        f"{c['name']}_{kind}": f"{RUNS}/aggregation/{c['name']}/{kind}.csv"
        for c in table_columns(number)
        for kind in ("metrics", "binomial")
    }
