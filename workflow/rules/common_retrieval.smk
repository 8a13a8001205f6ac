# What the rules of retrieval, nearest sentences and analogies ask of the configuration. No rules here.
from sentrep.config.retrieval import check_retrieval, chosen_models, paper_queries
from sentrep.config.transfer import systems
from sentrep.tables.reported import read_reported

RETRIEVAL, NEAREST, ANALOGIES = (CONFIG[name] for name in ("retrieval", "nearest_sentences", "analogies"))
try:
    check_retrieval(CONFIG)
    QUICK_THOUGHTS = read_reported(REPORTED / "quick_thoughts.csv")
    RETRIEVING = chosen_models(PLAN, "retrieval", RETRIEVAL)
    SIDE_BY_SIDE = chosen_models(PLAN, "nearest_sentences", NEAREST)
    REASONING = chosen_models(PLAN, "analogies", ANALOGIES)
except SentrepError as error:
    raise WorkflowError(str(error)) from None

QUERIES = NEAREST["queries"] or paper_queries(QUICK_THOUGHTS)
RELATIONS = ANALOGIES["relations"] or QUICK_THOUGHTS.rows(6)
# The captioned images, and the text that analogies are mined from: a source or corpus, or made up.
CAPTIONED = f"{RUNS}/sources/{RETRIEVAL['source'] or 'sample_images'}" + (".json" if RETRIEVAL["source"] else "")
REVIEWS = (
    f"{RUNS}/sentences/{CONFIG['corpora'][ANALOGIES['corpus']]['sentences']}"
    if ANALOGIES["corpus"]
    else f"{RUNS}/sources/sample_reviews.txt"
)


def described(models, number):
    """Lines of one of the paper's tables."""
    return systems(models, QUICK_THOUGHTS, "quick_thoughts", number, {})


def identity(wildcards):
    """Columns that tell a model's rows from another's."""
    return {"preset": PRESET, "model": wildcards.model, "seed": int(wildcards.seed)}
