# What the rules of claims and differences ask of the plan: which of the files that they can read are made. No rules here.
from sentrep.config.claim_tables import DELTA_TABLES, claim_tables

CLAIMS_FILE = REPORTED / "claims.yaml"
# Data of a figure lie beside it.
PLANNED = {str(Path(path).with_suffix(".csv")) for path in RESULTS}


def planned(names):
    """Tables of the plan among some, by path below results/."""
    return sorted(name for name in names if f"results/{name}" in PLANNED)


try:
    CLAIM_TABLES = planned(claim_tables(CLAIMS_FILE))
except SentrepError as error:
    raise WorkflowError(str(error)) from None
# Models that a paper prints correlations of; every seed has its own similarities.
PRINTED_MODELS = [m for m in COLUMNS if m.reported]
RESULTS += ["results/claims.csv", "results/deltas.csv", "results/williams.csv"]
