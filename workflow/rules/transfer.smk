# These rules evaluate models on transfer tasks, in which sentence vectors are the features of a classifier (Logeswaran
# and Lee 2018, section 4.4).
#
# needs: results/<preset>/sources/<source>.json, results/<preset>/models/<model>/
# gives: results/<preset>/evaluation/transfer/<task>.jsonl    items of each task
#        results/<preset>/transfer/<model>/seed<seed>/        scores.csv, snapshots.csv, predictions.npz
#        results/<preset>/transfer_ensemble/                  scores.csv, predictions.npz of the ensemble
#        results/<preset>/kim_cnn/<task>.csv, <task>.npz      scores and predictions of the CNN of Kim (2014)
#        results/transfer.csv                                 all scores


rule transfer_tasks:
    """Convert the items of all transfer tasks to JSON Lines files."""
    input:
        sorted(PATHS.manifest.format(source=name) for name in PLAN.transfer.sources),
    output:
        item_files=PLAN.transfer.task_files,
    log:
        PATHS.log("evaluation/transfer_tasks"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("transfer_tasks"),
        tasks=PLAN.transfer.tasks,
        manifests=PLAN.transfer.manifests,
        sample=SAMPLE,
    script:
        "../scripts/run.py"


rule transfer:
    """Score {wildcards.model}, seed {wildcards.seed}, on all transfer tasks."""
    input:
        model=PATHS.model,
        tasks=PLAN.transfer.task_files,
    output:
        scores=PATHS.transfer_scores,
        predictions=PATHS.predictions,
        snapshots=PATHS.snapshot_scores,
    log:
        PATHS.log("transfer/{model}/seed{seed}"),
    benchmark:
        PATHS.benchmark("transfer/{model}/seed{seed}")
    conda:
        ENVS / "evaluation.yaml"
    resources:
        gpu=gpu,
    params:
        **call("transfer_scores", of_family=True),
        identity=identity,
        normalisation=CONFIG.transfer.protocols,
        device=device,
    script:
        "../scripts/run.py"


rule transfer_ensemble:
    """Score an ensemble of models on all transfer tasks."""
    input:
        members_predictions=PLAN.transfer.ensemble_predictions,
        tasks=PLAN.transfer.task_files,
    output:
        scores=PATHS.ensemble,
        predictions=PATHS.ensemble_predictions,
    log:
        PATHS.log("transfer_ensemble"),
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("transfer_ensemble"),
        members=CONFIG.transfer.ensemble,
        identity={"preset": PRESET, "model": "ensemble", "seed": 1},
    script:
        "../scripts/run.py"


rule kim_cnn:
    """Train and test the CNN of Kim (2014) on {wildcards.task}."""
    input:
        vectors=PLAN.transfer.cnn_vectors,
        item_file=PATHS.task,
    output:
        scores=PATHS.kim_cnn,
        predictions=PATHS.kim_cnn_predictions,
    log:
        PATHS.log("kim_cnn/{task}"),
    benchmark:
        PATHS.benchmark("kim_cnn/{task}")
    conda:
        ENVS / "evaluation.yaml"
    resources:
        gpu=int(uses_gpu(CONFIG.device)),
    params:
        **call("kim_cnn", "sentrep.families"),
        settings=PLAN.transfer.cnn_settings,
        identity={"preset": PRESET, "model": "kim_cnn", "seed": 1},
        device=CONFIG.device,
    script:
        "../scripts/run.py"


rule collect_transfer:
    """Combine the transfer scores of all models into one file."""
    input:
        score_files=PLAN.transfer.score_files,
    output:
        scores="results/transfer.csv",
    log:
        "logs/results/collect_transfer.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        **call("collect_transfer"),
    script:
        "../scripts/run.py"
