"""Which result tables claims and differences read; without importing what reads them, which takes a second."""

from __future__ import annotations

from pathlib import Path

from sentrep.config.papers import strings
from sentrep.config.resolve import load_yaml
from sentrep.errors import SentrepError

# Claims are judged with the models' sizes and with the numbers of pairs, too.
WITH_CLAIMS = ("models.csv", "weighted_aggregation/pairs.csv")
# Tables that `sentrep.tables.delta_values` reads.
DELTA_TABLES = (
    *(f"quick_thoughts/table{number}.csv" for number in (1, 2, 3, 4, 6, 9)),
    "quick_thoughts/training_time.csv",
    "siamese_cbow/table3.csv",
    "weighted_aggregation/table1.csv",
    "weighted_aggregation/table2.csv",
)


def claim_tables(path: str | Path) -> set[str]:
    """Return the tables that claims name, by path below results/.

    Raises:
        SentrepError: there is no such file.
    """
    if not Path(path).exists():
        raise SentrepError(path, expected="the list of claims", found="no file", remedy="restore it")
    named = {text for text in strings(load_yaml(Path(path))) if text.endswith(".csv")}
    return {name for name in named if not name.startswith("reported/")} | set(WITH_CLAIMS)
