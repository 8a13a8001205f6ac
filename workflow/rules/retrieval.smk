# These rules evaluate the retrieval of images and captions (Logeswaran and Lee 2018, section 4.4.3).
#
# needs: results/<preset>/sources/<source>.json, results/<preset>/models/<model>/seed<seed>/
# gives: results/<preset>/evaluation/images/              captions and image features
#        results/<preset>/retrieval/<model>/seed<seed>/   scores and training history


rule retrieval_sample:
    """Generate synthetic image features and captions."""
    input:
        BASE / "workflow" / "sample" / "patterns.yaml",
    output:
        folder=directory(PATHS.sample_images),
    log:
        PATHS.log("retrieval_sample"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("sentrep.evaluation.synthetic.write_captioned_images"),
    script:
        "../scripts/run.py"


rule retrieval_data:
    """Convert captioned images to a data set of captions and image features."""
    input:
        source=PLAN.retrieval.images,
    output:
        images=directory(PATHS.images),
    log:
        PATHS.log("evaluation/images"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("retrieval_data"),
        dimension=CONFIG.retrieval.dimension,
        captions_per_image=CONFIG.retrieval.captions_per_image,
    script:
        "../scripts/run.py"


rule retrieval:
    """Train and score image-caption retrieval with the sentence vectors of {wildcards.model}, seed {wildcards.seed}."""
    input:
        model=PATHS.model,
        images=PATHS.images,
    output:
        scores=PATHS.retrieval_scores,
        history=PATHS.retrieval_history,
    log:
        PATHS.log("retrieval/{model}/seed{seed}"),
    benchmark:
        PATHS.benchmark("retrieval/{model}/seed{seed}")
    conda:
        ENVS / "training.yaml"
    resources:
        gpu=gpu,
    params:
        **call("retrieval", of_family=True),
        settings=CONFIG.retrieval.settings.model_dump(),
        identity=identity,
        device=device,
    script:
        "../scripts/run.py"
