# What the rules of transfer tasks ask of the configuration. No rules here.
from sentrep.config.transfer import check_tasks, cnn_vectors, scored_models, systems
from sentrep.tables.reported import read_reported

TRANSFER = CONFIG["transfer"]
try:
    check_tasks(TRANSFER)
    SCORED = scored_models(PLAN, TRANSFER)
    QUICK_THOUGHTS = read_reported(REPORTED / "quick_thoughts.csv")
except SentrepError as error:
    raise WorkflowError(str(error)) from None

TASK_MANIFESTS = {
    name: [f"{RUNS}/sources/{source}.json" for source in task["sources"]] for name, task in TRANSFER["tasks"].items()
}
TASK_FILES = [f"{RUNS}/evaluation/transfer/{name}.jsonl" for name in TRANSFER["tasks"]]
# The paper's tables of transfer tasks, by number.
TRANSFER_TITLES = {
    1: "Quick Thoughts, table 1: sentence vectors on transfer tasks",
    2: "Quick Thoughts, table 2: beside representations learnt from labelled data",
    3: "Quick Thoughts, table 3: an ensemble beside models made for one task",
}
# Columns of the paper whose scores are not those of a model's sentence vectors.
OTHER_SYSTEMS = {
    **({"Ensemble": "ensemble"} if TRANSFER["ensemble"] else {}),
    **({"CNN": "kim_cnn"} if TRANSFER["cnn"] else {}),
}
CNN_VECTORS = [model_directory(m, m.seeds[0]) for m in cnn_vectors(PLAN, TRANSFER)]
# Kim's network reads single sentences that have classes.
CNN_TASKS = [name for name, task in TRANSFER["tasks"].items() if TRANSFER["cnn"] and task["measure"] == "accuracy"]


def ensemble_predictions():
    """Predictions of the ensemble's members, first seeds."""
    members = [PLAN.models[name] for name in TRANSFER["ensemble"]]
    return [f"{RUNS}/transfer/{m.id}/seed{m.seeds[0]}/predictions.npz" for m in members]


def transfer_systems(number):
    """Lines of one of the paper's tables."""
    return systems(SCORED, QUICK_THOUGHTS, "quick_thoughts", number, OTHER_SYSTEMS)
