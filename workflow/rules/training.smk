# This rule trains the models of all families.
#
# needs: results/<preset>/stores/<corpus>/ and, for some families, other models, text pairs or sources
# gives: results/<preset>/models/<model>/seed<seed>/   model folder, for use with `sentrep encode` and `sentrep export`


rule train:
    """Train {wildcards.model}, seed {wildcards.seed}."""
    input:
        unpack(lambda wildcards: PLAN.model_inputs(wildcards.model, int(wildcards.seed))),
    output:
        output=directory(PATHS.model),
    log:
        PATHS.log("models/{model}/seed{seed}"),
    benchmark:
        PATHS.benchmark("models/{model}/seed{seed}")
    conda:
        ENVS / "training.yaml"
    # Each job reserves one core, because several models are trained at the same time, and because the results of some
    # families depend on the number of threads.
    threads: 1
    resources:
        gpu=training_gpus,
    params:
        **call("train", of_family=True),
        settings=lambda wildcards: model(wildcards).settings(),
        identity=identity,
        device=device,
        processes=CONFIG.processes,
    script:
        "../scripts/run.py"
