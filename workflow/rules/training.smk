# Training: one rule for every model of every family.
#
# needs: results/<preset>/stores/<corpus>/
# gives: results/<preset>/models/<model>/seed<seed>/   what `sentrep encode` and `sentrep export` read


rule train:
    """Train {wildcards.model}, seed {wildcards.seed}."""
    input:
        unpack(model_inputs),
    output:
        directory("results/{preset}/models/{model}/seed{seed}"),
    log:
        "logs/{preset}/models/{model}/seed{seed}.log",
    benchmark:
        "results/{preset}/benchmarks/models/{model}/seed{seed}.tsv"
    conda:
        ENVS / "training.yaml"
    # One core each: models train side by side, and one thread makes the result the same to the last bit.
    threads: 1
    resources:
        gpu=lambda wildcards: CONFIG["processes"] if model_device(wildcards) == "cuda" else 0,
    params:
        model=model_settings,
        device=model_device,
        processes=CONFIG["processes"],
        code=lambda wildcards: code("train", family_module(wildcards)),
    script:
        "../scripts/train.py"
