# This rule trains the models of all families.
#
# needs: results/<preset>/stores/<corpus>/
# gives: results/<preset>/models/<model>/seed<seed>/   the model, for `sentrep encode` and `sentrep export`


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
    # Each model uses one core, because models train in parallel and results with one thread are bit-for-bit identical.
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
