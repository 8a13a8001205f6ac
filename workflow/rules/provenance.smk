# This rule writes the record of the run.
#
# needs: all results and their inputs
# gives: results/provenance.json            inputs, code and software versions that produced the results
#        results/ro-crate-metadata.json     part of the record, as the metadata of a Workflow Run RO-Crate
#        results/Snakefile                  copy of the Snakefile, for the RO-Crate
#        results/<preset>/steps.json        every job and the checksum of every file, for `sentrep verify`


rule provenance:
    """Record the sources, corpora, models, software versions and checksums behind every result."""
    input:
        lambda wildcards: GRAPH.intermediate(PLAN.targets),
        sources=[PATHS.manifest.format(source=name) for name in PLAN.used_sources],
        sentences=sorted({folder for name in PLAN.used_corpora for folder in PLAN.sentences(name)}),
        stores=[PATHS.store.format(corpus=name) for name in PLAN.used_corpora],
        models=PLAN.per_seed(PLAN.trained.values(), PATHS.model),
        description=PATHS.sts_description,
        results=lambda wildcards: GRAPH.outputs_of(PLAN.targets),
    output:
        record="results/provenance.json",
        crate="results/ro-crate-metadata.json",
        workflow="results/Snakefile",
        steps=PATHS.steps,
    log:
        "logs/results/provenance.log",
    conda:
        ENVS / "results.yaml"
    params:
        CONFIG.mirror,  # not read by the job; if the mirror is moved, the job is rerun to update file paths
        **call("provenance"),
        preset=PRESET,
        configuration=PLAN.record(),
        jobs=lambda wildcards, input: GRAPH.jobs_behind(*input),
        after=lambda wildcards, output: GRAPH.after(output.record, PLAN.targets),
    script:
        "../scripts/run.py"
