"""What papers, tables and figures are called, by the paths of their files."""

from __future__ import annotations

import re
from pathlib import PurePosixPath

# Folder of a paper -> its name and its authors, in the order of the report; "" is what belongs to no single paper.
PAPERS = {
    "": ("All systems", "every model beside what any of the papers prints"),
    "siamese_cbow": ("Siamese CBOW", "Kenter, Borisov, de Rijke, ACL 2016"),
    "weighted_aggregation": ("Weighted aggregation", "De Boom et al., Pattern Recognition Letters 2016"),
    "quick_thoughts": ("Quick Thoughts", "Logeswaran, Lee, ICLR 2018"),
    "cbos": ("CBOS", "Yuan, Zhang"),
}


def paper_name(stem: str) -> str:
    """Return the name of the paper that a table or figure belongs to, from ``cbos/table1`` or its path."""
    parent = PurePosixPath(stem).parent.name
    return PAPERS.get(parent, PAPERS[""])[0]


def heading(stem: str) -> str:
    """Return what a table or figure is called: ``Table 1`` for ``cbos/table1``."""
    return re.sub(r"(\D)(\d+)$", r"\1 \2", PurePosixPath(stem).name.replace("_", " ")).capitalize()


def identity(stem: str) -> str:
    """Return a name for HTML elements: ``cbos-table1`` for ``cbos/table1``."""
    return re.sub(r"[^a-z0-9]+", "-", stem.lower())
