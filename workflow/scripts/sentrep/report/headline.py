"""The headline: the averages of table 1 and what they say, in sentences that are computed."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from sentrep.tables.layout import correlation, difference

CLOSE = 0.02
_OURS = " pearson"


@dataclass(frozen=True)
class Average:
    """A model's mean over the sets.

    Attributes:
        label: name of the model.
        floor: it has learnt nothing.
        ours: our mean r.
        sd: its standard deviation over seeds, or None.
        reported: the paper's mean over the same sets, or None.
        difference: ours minus the paper's, or None.
    """

    label: str
    floor: bool
    ours: float
    sd: float | None
    reported: float | None
    difference: float | None


@dataclass(frozen=True)
class Headline:
    """The averages under the paper's protocol.

    Attributes:
        sets: "19 sets".
        sample: they are of sample data.
        averages: models, the highest first.
    """

    sets: str
    sample: bool
    averages: tuple[Average, ...]

    @property
    def trained(self) -> list[Average]:
        """Models that have learnt something."""
        return [average for average in self.averages if not average.floor]

    @property
    def floors(self) -> list[Average]:
        """Models that have learnt nothing."""
        return [average for average in self.averages if average.floor]

    @property
    def compared(self) -> list[Average]:
        """Models that a paper prints the same mean of."""
        return [average for average in self.averages if average.difference is not None]


def headline(rows: Sequence[Mapping[str, str]], labels: Sequence[str], floors: Collection[str]) -> Headline | None:
    """Read the averages from the lines of ``table1.csv``.

    Args:
        rows: its lines; the mean of all sets under the paper's protocol is looked for.
        labels: headings of the models, in the order of the columns; where their number is another, names are shown.
        floors: names of the models that have learnt nothing.

    Returns:
        None if the line is not there.
    """
    chosen = [row for row in rows if row["protocol"] == "paper" and row["dataset"].startswith("mean of")]
    if not chosen:
        return None
    row = chosen[0]
    sets = row["dataset"].removeprefix("mean of ")
    names = list(dict.fromkeys(c.removesuffix(_OURS).removesuffix(" reported") for c in row if c.endswith(_OURS)))
    shown = dict(zip(names, labels, strict=True)) if len(names) == len(labels) else {}
    averages = []
    for name in names:
        if not row.get(name + _OURS):
            continue
        reported, sd, apart = (row.get(f"{name} {what}") for what in ("reported pearson", "sd", "difference"))
        averages.append(
            Average(
                shown.get(name, name),
                name in floors,
                float(row[name + _OURS]),
                float(sd) if sd else None,
                float(reported) if reported else None,
                float(apart) if apart else None,
            )
        )
    ordered = tuple(sorted(averages, key=lambda average: -average.ours))
    return Headline(sets.removesuffix(" (sample)"), sets.endswith("(sample)"), ordered)


def sentences(found: Headline) -> list[str]:
    """Return what the averages say."""
    said = []
    trained, floors, compared = found.trained, found.floors, found.compared
    if trained:
        top = trained[0]
        said.append(
            f"Over {found.sets}, paper’s protocol, the highest mean Pearson’s r of the {_models(len(trained))} "
            f"trained here is {correlation(top.ours)}: {top.label}."
        )
    if trained and floors:
        above = [average for average in trained if average.ours > floors[0].ours]
        said.append(
            f"The best floor, which learns no vectors, is {floors[0].label} with {correlation(floors[0].ours)}; "
            f"{_count(len(above), len(trained))} of the trained models {'is' if len(above) == 1 else 'are'} above it."
        )
    if found.sample:
        said.append("These are sample data: no number can be compared with a paper’s.")
        return said
    if compared:
        close = [average for average in compared if abs(average.difference or 0.0) <= CLOSE]
        widest = max(compared, key=lambda average: abs(average.difference or 0.0))
        said.append(
            f"For {_systems(len(compared))} a paper prints values on the same sets: "
            f"{_count(len(close), len(compared))} of these means {'is' if len(close) == 1 else 'are'} within "
            f"{correlation(CLOSE, 2)} of ours; the widest difference is "
            f"{difference(widest.difference or 0.0).replace('-', '−')}: {widest.label}."
        )
    pairs = list(combinations(compared, 2))
    if pairs:
        kept = sum((a.ours - b.ours) * ((a.reported or 0.0) - (b.reported or 0.0)) > 0 for a, b in pairs)
        said.append(
            f"The one pair of these systems {'stands' if kept else 'does not stand'} in the printed order."
            if len(pairs) == 1
            else f"Of the {len(pairs)} pairs of these systems, {_count(kept, len(pairs))} "
            f"{'stands' if kept == 1 else 'stand'} in the printed order."
        )
    return said


def _models(number: int) -> str:
    return "model" if number == 1 else f"{number} models"


def _systems(number: int) -> str:
    return "one system" if number == 1 else f"{number} systems"


def _count(number: int, total: int) -> str:
    return "none" if number == 0 else "all" if number == total else str(number)
