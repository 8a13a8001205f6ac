"""Names of the papers, and headings of their tables and figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from sentrep.sources.published import OURS

# Paper -> its name and its authors, in the order of the report.
PAPERS = {
    OURS: ("All systems", "every model and every published value"),
    "siamese_cbow": ("Siamese CBOW", "Kenter, Borisov, de Rijke, ACL 2016"),
    "weighted_aggregation": ("Weighted aggregation", "De Boom et al., Pattern Recognition Letters 2016"),
    "quick_thoughts": ("Quick Thoughts", "Logeswaran, Lee, ICLR 2018"),
    "cbos": ("CBOS", "Yuan, Zhang"),
}


def paper_name(path: str) -> str:
    """Return the name of the paper that a table or figure belongs to, from its path such as ``results/cbos/table1``."""
    parent = PurePosixPath(path).parent.name
    return PAPERS.get(parent, PAPERS[OURS])[0]


def heading(path: str) -> str:
    """Return the heading of a table or figure: ``Table 1`` for ``cbos/table1``."""
    return re.sub(r"(\D)(\d+)$", r"\1 \2", PurePosixPath(path).name.replace("_", " ")).capitalize()


def by_paper(rows: Iterable[Mapping[str, str]]) -> dict[str, list[Mapping[str, str]]]:
    """Return the rows of each paper, by the paper's name, in the order of the report."""
    order = list(PAPERS)
    groups: dict[str, list[Mapping[str, str]]] = {}
    for row in sorted(rows, key=lambda row: order.index(row["paper"]) if row["paper"] in order else len(order)):
        groups.setdefault(PAPERS.get(row["paper"], (row["paper"], ""))[0], []).append(row)
    return groups
