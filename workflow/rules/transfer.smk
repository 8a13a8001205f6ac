# Transfer tasks (Logeswaran and Lee 2018, section 4.4): sentence vectors as features of a classifier.
#
# needs: results/<preset>/sources/<source>.json, results/<preset>/models/<model>/, workflow/reported/quick_thoughts.csv
# gives: results/<preset>/evaluation/transfer/<task>.jsonl    items of each task
#        results/<preset>/transfer/<model>/seed<seed>/        scores.csv, predictions.npz
#        results/<preset>/kim_cnn/<task>.csv                  scores of Kim's network
#        results/transfer.csv                                 all scores
#        results/quick_thoughts/table1|2|3.*                  beside the paper's


rule transfer_tasks:
    """Read the items of all transfer tasks."""
    input:
        sorted({path for paths in TASK_MANIFESTS.values() for path in paths}),
    output:
        TASK_FILES,
    log:
        f"logs/{PRESET}/evaluation/transfer_tasks.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        tasks=TRANSFER["tasks"],
        manifests=TASK_MANIFESTS,
        sample=EVALUATION["sample"],
        code=code("transfer_tasks"),
    script:
        "../scripts/transfer_tasks.py"


rule transfer:
    """Score {wildcards.model}, seed {wildcards.seed}, on all transfer tasks."""
    input:
        model="results/{preset}/models/{model}/seed{seed}",
        tasks=TASK_FILES,
    output:
        scores="results/{preset}/transfer/{model}/seed{seed}/scores.csv",
        predictions="results/{preset}/transfer/{model}/seed{seed}/predictions.npz",
    log:
        "logs/{preset}/transfer/{model}/seed{seed}.log",
    benchmark:
        "results/{preset}/benchmarks/transfer/{model}/seed{seed}.tsv"
    conda:
        ENVS / "evaluation.yaml"
    params:
        identity=lambda wildcards: {"preset": PRESET, "model": wildcards.model, "seed": int(wildcards.seed)},
        normalisation=TRANSFER["protocols"],
        surface=TRANSFER["surface_features"],
        device=model_device,
        code=lambda wildcards: code("transfer_scores", family_module(wildcards)),
    script:
        "../scripts/transfer_scores.py"


rule transfer_ensemble:
    """Score the ensemble on all transfer tasks."""
    input:
        predictions=ensemble_predictions(),
        tasks=TASK_FILES,
    output:
        scores=f"{RUNS}/transfer_ensemble/scores.csv",
    log:
        f"logs/{PRESET}/transfer_ensemble.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        members=TRANSFER["ensemble"],
        identity={"preset": PRESET, "model": "ensemble", "seed": 1},
        code=code("transfer_ensemble"),
    script:
        "../scripts/transfer_ensemble.py"


rule kim_cnn:
    """Train and test the network of Kim on {wildcards.task}."""
    input:
        vectors=CNN_VECTORS,
        task="results/{preset}/evaluation/transfer/{task}.jsonl",
    output:
        scores="results/{preset}/kim_cnn/{task}.csv",
    log:
        "logs/{preset}/kim_cnn/{task}.log",
    benchmark:
        "results/{preset}/benchmarks/kim_cnn/{task}.tsv"
    conda:
        ENVS / "training.yaml"
    resources:
        gpu=int(CONFIG["device"] == "cuda"),
    params:
        settings=(TRANSFER["cnn"] or {}).get("settings"),
        identity={"preset": PRESET, "model": "kim_cnn", "seed": 1},
        device=CONFIG["device"],
        code=code("kim_cnn", "sentrep.families"),
    script:
        "../scripts/kim_cnn.py"


rule collect_transfer:
    """Put the transfer scores of all models into one file."""
    input:
        scores=[
            *per_seed(SCORED, f"{RUNS}/transfer/{{model}}/seed{{seed}}/scores.csv"),
            *([rules.transfer_ensemble.output.scores] if TRANSFER["ensemble"] else []),
            *[f"{RUNS}/kim_cnn/{task}.csv" for task in CNN_TASKS],
        ],
    output:
        scores="results/transfer.csv",
    log:
        "logs/results/collect_transfer.log",
    conda:
        ENVS / "evaluation.yaml"
    params:
        code=code("collect_transfer"),
    script:
        "../scripts/collect_transfer.py"


rule quick_thoughts_transfer:
    """Quick Thoughts, table {wildcards.number}: models on the transfer tasks."""
    input:
        scores=rules.collect_transfer.output.scores,
        models=per_seed(SCORED, f"{RUNS}/models/{{model}}/seed{{seed}}"),
        reported=REPORTED / "quick_thoughts.csv",
    output:
        **paths("results/quick_thoughts/table{number}", "csv", "md", "tex", "html"),
    log:
        "logs/results/quick_thoughts/table{number}.log",
    wildcard_constraints:
        number="|".join(map(str, TRANSFER_TITLES)),
    conda:
        ENVS / "results.yaml"
    params:
        number=lambda wildcards: int(wildcards.number),
        title=lambda wildcards: TRANSFER_TITLES[int(wildcards.number)],
        systems=lambda wildcards: transfer_systems(int(wildcards.number)),
        tasks={name: {key: task[key] for key in ("label", "measure")} for name, task in TRANSFER["tasks"].items()},
        preset=PRESET,
        sample=EVALUATION["sample"],
        code=code("quick_thoughts_transfer"),
    script:
        "../scripts/quick_thoughts_transfer.py"
