# What the rules of tables and of the models' costs ask of the configuration. No rules here.
from sentrep.config.systems import check_reported, headline, of_paper, unfilled
from sentrep.tables.reported import read_all


def daggers(baseline, models):
    """Models that may carry daggers, and what these compare with: nothing without both."""
    found = [name for name in models if {name, baseline} <= set(PLAN.models)]
    return {"baseline": baseline if found else None, "daggers": found}


TABLES = CONFIG["tables"]
PAPER_FILES = sorted(REPORTED.glob("*.csv"))
try:
    PAPERS = read_all(PAPER_FILES)
    check_reported(PLAN.models.values(), PAPERS)
    # What papers print and no model of the configuration is.
    UNFILLED = unfilled(PLAN.models.values(), PAPERS, TABLES["systems"])
    # Tables of the 20 sets, by what their files are called.
    STS_TABLES = {
        f"{paper}/table{table['number']}": {
            **table,
            **daggers(table["baseline"], table["daggers"]),
            "models": of_paper(COLUMNS, PAPERS, paper, table["number"]),
        }
        for paper, table in TABLES["sts"].items()
    }
except SentrepError as error:
    raise WorkflowError(str(error)) from None


def table_models(paper=None, table=None):
    """What a table needs to know of its models; for one paper, only what it prints and the floors."""
    return headline(COLUMNS, PAPERS) if paper is None else of_paper(COLUMNS, PAPERS, paper, table)


def sts_setting(key):
    """Parameter function: one setting of the table of the 20 sets named by the wildcard."""
    return lambda wildcards: STS_TABLES[wildcards.sts_table].get(key)


def model_folders(models):
    """Folders of all seeds of some models of the configuration."""
    return [model_directory(PLAN.models[m["id"]], seed) for m in models if m["id"] for seed in m["seeds"]]


def built_on(folders):
    """Folders of the models that some models are built on, directly or not."""
    by_folder = {model_directory(m, seed): m for m in PLAN.trained.values() for seed in m.seeds}
    found = {
        f"{RUNS}/{part}"
        for f in folders
        if f in by_folder
        for part in by_folder[f].inputs.values()
        if "models/" in part
    }
    return sorted(found | set(built_on(found))) if found else []


ALL_MODELS = [
    {**model, "papers": list(dict.fromkeys(entry["paper"] for entry in PLAN.models[model["id"]].reported))}
    for model in headline(PLAN.models.values(), PAPERS)
]
TIMED_SYSTEMS = [m for m in of_paper(PLAN.models.values(), PAPERS, "quick_thoughts", 1) if m["reported"]]
