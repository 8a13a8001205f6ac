# Corpora: where text comes from, and its way to a token store.
#
# needs: workflow/sources.tsv, a mirror folder or the network (nothing for the sample preset)
# gives: results/<preset>/sources/<source>.json    manifest: files, bytes, checksums, licence
#        results/<preset>/sentences/<corpus>/      shards of text, a sentence per line
#        results/<preset>/stores/<corpus>/         vocabulary and memory-mapped word ids


rule fetch:
    """Find source {wildcards.source} in the mirror or download it."""

    # Files of a mirror are no input: one dated in the future would be newer than every output. `state` notices changes.
    output:
        "results/{preset}/sources/{source}.json",
    log:
        "logs/{preset}/fetch/{source}.log",
    conda:
        ENVS / "corpora.yaml"
    params:
        source=lambda wildcards: wildcards.source,
        files=patterns_of,
        state=source_state,
        mirror=CONFIG["mirror"],
        downloads=f"{RUNS}/downloads",
        code=code("fetch"),
    script:
        "../scripts/fetch.py"


rule sentences:
    """Split corpus {wildcards.corpus} into sentences."""
    input:
        corpus_manifest,
    output:
        directory("results/{preset}/sentences/{corpus}"),
    log:
        "logs/{preset}/sentences/{corpus}.log",
    benchmark:
        "results/{preset}/benchmarks/sentences/{corpus}.tsv"
    conda:
        ENVS / "corpora.yaml"
    # Not all cores of a large machine: other jobs would have to end first.
    threads: min(8, workflow.cores)
    params:
        reader=corpus_setting("reader"),
        punkt_characters=corpus_setting("punkt_characters"),
        expected_sentences=corpus_setting("expected_sentences"),
        unit=corpus_setting("unit"),
        normalisation=corpus_setting("normalisation"),
        code=code("sentences"),
    script:
        "../scripts/sentences.py"


rule store:
    """Count words and write the token store of corpus {wildcards.corpus}."""
    input:
        corpus_sentences,
    output:
        directory("results/{preset}/stores/{corpus}"),
    log:
        "logs/{preset}/stores/{corpus}.log",
    benchmark:
        "results/{preset}/benchmarks/stores/{corpus}.tsv"
    conda:
        ENVS / "corpora.yaml"
    # Not all cores of a large machine: other jobs would have to end first.
    threads: min(8, workflow.cores)
    params:
        corpus=store_settings,
        code=code("store"),
    script:
        "../scripts/store.py"
