# Quick Thoughts, table 4: retrieval of images and captions with fixed sentence vectors.
#
# needs: results/<preset>/sources/coco.json (nothing for the sample preset), results/<preset>/models/<model>/seed<seed>/
# gives: results/<preset>/evaluation/images/               captions and image features, split by split
#        results/<preset>/retrieval/<model>/seed<seed>/    scores.csv, history.csv
#        results/quick_thoughts/table4.*                   beside the paper's


rule retrieval_sample:
    """Generate synthetic captioned images."""
    input:
        Path(workflow.basedir) / "workflow" / "sample" / "patterns.yaml",
    output:
        directory("results/{preset}/sources/sample_images"),
    log:
        "logs/{preset}/retrieval_sample.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        code=code("retrieval_sample"),
    script:
        "../scripts/retrieval_sample.py"


rule retrieval_data:
    """Read captioned images and their features."""
    input:
        CAPTIONED,
    output:
        directory(f"{RUNS}/evaluation/images"),
    log:
        f"logs/{PRESET}/evaluation/images.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        dimension=RETRIEVAL["dimension"],
        captions_per_image=RETRIEVAL["captions_per_image"],
        code=code("retrieval_data"),
    script:
        "../scripts/retrieval_data.py"


rule retrieval:
    """Learn to match images and captions with {wildcards.model}, seed {wildcards.seed}."""
    input:
        model="results/{preset}/models/{model}/seed{seed}",
        images=rules.retrieval_data.output[0],
    output:
        scores="results/{preset}/retrieval/{model}/seed{seed}/scores.csv",
        history="results/{preset}/retrieval/{model}/seed{seed}/history.csv",
    log:
        "logs/{preset}/retrieval/{model}/seed{seed}.log",
    benchmark:
        "results/{preset}/benchmarks/retrieval/{model}/seed{seed}.tsv"
    conda:
        ENVS / "training.yaml"
    resources:
        gpu=lambda wildcards: int(model_device(wildcards) == "cuda"),
    params:
        settings=RETRIEVAL["settings"],
        identity=identity,
        device=model_device,
        code=lambda wildcards: code("retrieval", family_module(wildcards)),
    script:
        "../scripts/retrieval.py"


rule quick_thoughts_table4:
    """Quick Thoughts, table 4: image-caption retrieval."""
    input:
        scores=per_seed(RETRIEVING, f"{RUNS}/retrieval/{{model}}/seed{{seed}}/scores.csv"),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        **paths("results/quick_thoughts/table4", "csv", "md", "tex", "html"),
    log:
        "logs/results/quick_thoughts/table4.log",
    conda:
        ENVS / "results.yaml"
    params:
        systems=described(RETRIEVING, 4),
        settings=RETRIEVAL["settings"],
        preset=PRESET,
        code=code("quick_thoughts_table4"),
    script:
        "../scripts/quick_thoughts_table4.py"
