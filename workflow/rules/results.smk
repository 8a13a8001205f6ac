# Results: tables beside the papers', and the record of the run. The headline is results/table1.csv.
#
# needs: results/scores.csv, results/wilcoxon.csv, results/<preset>/timing/*.csv, workflow/reported/<paper>.csv
# gives: results/table1.*, results/<paper>/table1.* (csv, md, tex, html), results/siamese_cbow/table2|3.*, neighbours.csv,
#        provenance.json                           what the results were made from and with
#        results/<preset>/steps.json               every step and the checksum of every file, for `sentrep verify`


rule table1:
    """The headline: 20 sets x every model, beside the reported values."""
    input:
        scores=rules.collect_scores.output.scores,
        wilcoxon=rules.wilcoxon.output.wilcoxon,
        reported=PAPER_FILES,
        description=SETS,
    output:
        **paths("results/table1", "csv", "md", "tex", "html"),
    log:
        "logs/results/table1.log",
    conda:
        ENVS / "results.yaml"
    params:
        **daggers("word2vec_cbow", ["siamese_cbow"]),
        models=table_models(),
        preset=PRESET,
        title="Table 1. Correlation with human judgements on 20 STS sets",
        code=code("table1"),
    script:
        "../scripts/table1.py"


use rule table1 as sts_table with:
    output:
        **paths("results/{sts_table}", "csv", "md", "tex", "html"),
    log:
        "logs/results/{sts_table}.log",
    wildcard_constraints:
        sts_table="|".join(STS_TABLES) or "(?!)",
    params:
        models=sts_setting("models"),
        preset=PRESET,
        baseline=sts_setting("baseline"),
        daggers=sts_setting("daggers"),
        title=sts_setting("title"),
        year_means=sts_setting("year_means"),
        code=code("table1"),


rule siamese_cbow_table2:
    """Siamese CBOW, table 2: FastSent and Siamese CBOW on SemEval 2014."""
    input:
        scores=rules.collect_scores.output.scores,
        reported=REPORTED / "siamese_cbow.csv",
        description=SETS,
    output:
        **paths("results/siamese_cbow/table2", "csv", "md", "tex", "html"),
    log:
        "logs/results/siamese_cbow/table2.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=table_models("siamese_cbow"),
        preset=PRESET,
        code=code("siamese_cbow_table2"),
    script:
        "../scripts/siamese_cbow_table2.py"


rule siamese_cbow_table3:
    """Siamese CBOW, table 3: seconds to encode and compare all pairs."""
    input:
        timings=[f"{RUNS}/timing/{name}.csv" for name in EVALUATION["timed_models"]],
        reported=REPORTED / "siamese_cbow.csv",
        description=SETS,
    output:
        **paths("results/siamese_cbow/table3", "csv", "md", "tex", "html"),
    log:
        "logs/results/siamese_cbow/table3.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=[m for m in table_models() if m["id"] in EVALUATION["timed_models"]],
        preset=PRESET,
        code=code("siamese_cbow_table3"),
    script:
        "../scripts/siamese_cbow_table3.py"


rule neighbours:
    """Siamese CBOW, section 4.4: words with extreme norms, nearest words."""
    input:
        models=[model_directory(m, m.seeds[0]) for m in NEIGHBOUR_MODELS],
        stores=[f"{RUNS}/stores/{m.corpus}" for m in NEIGHBOUR_MODELS],
    output:
        csv="results/neighbours.csv",
    log:
        "logs/results/neighbours.log",
    conda:
        ENVS / "results.yaml"
    params:
        models=[{"id": m.id, "label": m.label} for m in NEIGHBOUR_MODELS],
        queries=EVALUATION["neighbours"]["words"],
        minimum_cosine=EVALUATION["neighbours"]["minimum_cosine"],
        preset=PRESET,
        code=code("neighbours"),
    script:
        "../scripts/neighbours.py"


rule provenance:
    """What every result was made from and with: sources, corpora, models, versions, checksums."""
    input:
        sources=sorted({f"{RUNS}/sources/{name}.json" for name in used_sources(CONFIG, PLAN)}),
        sentences=sorted({f"{RUNS}/sentences/{c['sentences']}" for c in used_corpora(CONFIG, PLAN).values()}),
        stores=[f"{RUNS}/stores/{name}" for name in used_corpora(CONFIG, PLAN)],
        models=[model_directory(m, seed) for m in PLAN.trained.values() for seed in m.seeds],
        description=SETS,
        intermediate=intermediate_files,
        results=result_files,
    output:
        provenance="results/provenance.json",
        steps=f"{RUNS}/steps.json",
    log:
        "logs/results/provenance.log",
    conda:
        ENVS / "results.yaml"
    params:
        preset=PRESET,
        configuration=CONFIG,
        steps=lambda wildcards, input: steps_behind(*input),
        after=lambda wildcards, output: files_after(output.provenance),
        code=code("provenance"),
    script:
        "../scripts/provenance.py"
