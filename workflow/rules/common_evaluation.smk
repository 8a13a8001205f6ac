# Sentence pairs beside the SemEval sets that the configuration asks for. No rules here.
from sentrep.config.used import OWN_PAIRS


def own_pairs():
    """Manifest of the user's own sentence pairs, if there are any."""
    return {"own": f"{RUNS}/sources/{OWN_PAIRS}.json"} if EVALUATION["own"] else {}


def lee_files():
    """The Lee documents and their judged similarities, if the configuration asks for them."""
    if not EVALUATION["lee"]:
        return {}
    documents, similarities = local_files(EVALUATION["lee"], CONFIG["mirror"])
    return {"lee_documents": documents, "lee_similarities": similarities}
