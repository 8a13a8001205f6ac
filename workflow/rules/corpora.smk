# These rules fetch data sources and build corpora: they split text into sentences and write token stores.
#
# needs: workflow/sources.tsv and, except for the preset `sample`, local copies of the sources or internet access
# gives: results/<preset>/sources/<source>.json    manifest: files with sizes and checksums, licence
#        results/<preset>/collections/<corpus>.csv, .txt.zst, .json    decision on each book, cleaned text, manifest
#        results/<preset>/sentences/<corpus>/      shards of text, one sentence per line
#        results/<preset>/stores/<corpus>/         vocabulary and memory-mapped word ids


rule fetch:
    """Find the files of source {wildcards.source}, or download them."""

    # Local files are not declared as input, because jobs fail if the time stamp of an input is in the future. The
    # first parameter changes if the content of the files changes. The location of the files is not a parameter but
    # part of `config`, so moving files triggers no reruns.
    output:
        manifest=PATHS.manifest,
    log:
        PATHS.log("fetch/{source}"),
    conda:
        ENVS / "corpora.yaml"
    params:
        of_source(PLAN.sources.state),
        **call("fetch"),
        source="{source}",
        row=of_source(PLAN.sources.row),
        downloads=PATHS.downloads,
    script:
        "../scripts/run.py"


rule books_collection:
    """Choose and clean the books of corpus {wildcards.corpus}."""
    input:
        manifests=lambda wildcards: expand(PATHS.manifest, source=PLAN.corpora[wildcards.corpus].sources),
    output:
        manifest=PATHS.collection.format(corpus="{corpus}", suffix="json"),
        table=PATHS.collection.format(corpus="{corpus}", suffix="csv"),
        text=PATHS.collection.format(corpus="{corpus}", suffix="txt.zst"),
    log:
        PATHS.log("collections/{corpus}"),
    benchmark:
        PATHS.benchmark("collections/{corpus}")
    conda:
        ENVS / "corpora.yaml"
    threads: min(8, workflow.cores)
    params:
        **call("sentrep.corpora.book_collection.build_collection"),
        criteria=lambda wildcards: PLAN.corpora[wildcards.corpus].settings.collection.criteria(),
    script:
        "../scripts/run.py"


rule sentences:
    """Split corpus {wildcards.corpus} into sentences."""
    input:
        manifest_path=lambda wildcards: PLAN.manifest(wildcards.corpus),
    output:
        output=directory(PATHS.sentences),
    log:
        PATHS.log("sentences/{corpus}"),
    benchmark:
        PATHS.benchmark("sentences/{corpus}")
    priority: 1  # almost all other jobs depend on a corpus
    conda:
        ENVS / "corpora.yaml"
    # The job requests at most eight cores. If it requested all cores of a large machine, it could start only after all
    # other jobs had ended.
    threads: min(8, workflow.cores)
    params:
        **call("sentrep.corpora.sentences.build_sentences"),
        keywords=lambda wildcards: PLAN.corpora[wildcards.corpus].sentence_settings(),
    script:
        "../scripts/run.py"


rule store:
    """Count the words of corpus {wildcards.corpus} and write its token store."""
    input:
        sentences=lambda wildcards: PLAN.sentences(wildcards.corpus),
    output:
        output=directory(PATHS.store),
    log:
        PATHS.log("stores/{corpus}"),
    benchmark:
        PATHS.benchmark("stores/{corpus}")
    priority: 1  # almost all other jobs depend on a corpus
    conda:
        ENVS / "corpora.yaml"
    # The job requests at most eight cores. If it requested all cores of a large machine, it could start only after all
    # other jobs had ended.
    threads: min(8, workflow.cores)
    params:
        **call("sentrep.corpora.build_store.build_store"),
        keywords=lambda wildcards: PLAN.corpora[wildcards.corpus].store_settings(),
    script:
        "../scripts/run.py"
