# What the rules of claims and differences ask of the plan: which of the files that they can read are made. No rules here.
from sentrep.claims.reading import read_claims
from sentrep.claims.run_tables import PRINTED
from sentrep.results.delta_values import table_files

CLAIMS_FILE = REPORTED / "claims.yaml"
try:
    CLAIMS = read_claims(CLAIMS_FILE)
except SentrepError as error:
    raise WorkflowError(str(error)) from None

# Data of a figure lie beside it.
PLANNED = {str(Path(path).with_suffix(".csv")) for path in RESULTS}


def planned(names):
    """Tables of the plan among some, by path below results/."""
    return sorted({name for name in names if f"results/{name}" in PLANNED})


CLAIM_TABLES = planned(
    path for claim in CLAIMS for path in (*claim.files.values(), "models.csv", "weighted_aggregation/pairs.csv")
)
DELTA_TABLES = planned(table_files())
# Models that a paper prints correlations of; every seed has its own similarities.
PRINTED_MODELS = [m for m in COLUMNS if m.reported]
RESULTS += ["results/claims.csv", "results/deltas.csv", "results/williams.csv"]
