"""Define the names of the papers and the headings of their tables and figures."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import PurePosixPath

from sentrep.sources.published import OURS

# Name of each paper, and its authors and place of publication, in the order of the report. The key OURS stands for the
# tables and figures that belong to no single paper.
PAPERS = {
    OURS: ("All systems", "every model and every published value"),
    "siamese_cbow": ("Siamese CBOW", "Kenter, Borisov, de Rijke, ACL 2016"),
    "weighted_aggregation": ("Weighted aggregation", "De Boom et al., Pattern Recognition Letters 2016"),
    "quick_thoughts": ("Quick Thoughts", "Logeswaran, Lee, ICLR 2018"),
    "cbos": ("CBOS", "Yuan, Zhang, IALP 2017"),
}


def paper_name(path: str) -> str:
    """Return the name of the paper that contains a table or figure, or "All systems" if no paper contains it.

    Args:
        path: path of the table or figure, such as ``results/cbos/table1``.
    """
    parent = PurePosixPath(path).parent.name
    return PAPERS.get(parent, PAPERS[OURS])[0]


def number(path: str) -> str:
    """Return the number of a table or figure, such as ``Table 1`` for ``cbos/table1``; return "" if there is none."""
    found = re.fullmatch(r"(table|figure)(\d+)(?:_(.*))?", PurePosixPath(path).name)
    return f"{found[1].capitalize()} {found[2]}{f' ({found[3]})' if found[3] else ''}" if found else ""


def heading(path: str) -> str:
    """Return the number of a table or figure, such as ``Table 1``, or its name if it has no number.

    For example, the heading of ``quick_thoughts/training_time`` is ``Training time``.
    """
    return number(path) or PurePosixPath(path).name.replace("_", " ").capitalize()


def subject(title: str) -> str:
    """Return a title without the paper's name and the table or figure number, which the report shows separately."""
    names = "|".join(re.escape(name) for name, _ in PAPERS.values())
    known = rf"^(?:(?:{names})(?: as released)?, )?(?:table|figure) \d+[.:] |^(?:{names}): "
    rest = re.sub(known, "", title, flags=re.IGNORECASE)
    return rest[:1].upper() + rest[1:]


def by_paper(rows: Iterable[Mapping[str, str]]) -> dict[str, list[Mapping[str, str]]]:
    """Group rows by the name of their paper, in the order in which the report shows the papers."""
    order = list(PAPERS)
    groups: dict[str, list[Mapping[str, str]]] = {}
    for row in sorted(rows, key=lambda row: order.index(row["paper"]) if row["paper"] in order else len(order)):
        groups.setdefault(PAPERS.get(row["paper"], (row["paper"], ""))[0], []).append(row)
    return groups
