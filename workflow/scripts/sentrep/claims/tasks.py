"""Test claims about the scores of sentence vectors on transfer tasks."""

from __future__ import annotations

import math

import numpy as np

from sentrep.claims.comparisons import complete, leads_of, present
from sentrep.claims.data import Data, Names, Number, averaged, measured
from sentrep.claims.outcome import Outcome, Untestable, above, more_than

_SIZES = "table9"
_MODELS = "models"


def ranks_low(data: Data, *, subjects: Names, rivals: Names, cases: Names, of: int) -> Outcome:
    """Test whether a system's mean score over the tasks ``cases`` is below the means of more than half of the rivals.

    ``subjects`` names the system. ``of`` is the number of rivals in the paper, including those without results in the
    run.
    """
    grid, (subject,), names = data.grid(), subjects, [*subjects, *rivals]
    ((title, means),) = averaged(
        {case: grid[case] for case in present(grid, cases, data)}, data.view.noun, "cases"
    ).items()
    data.check(means, names)
    ahead = np.sum([above(lead) for lead in leads_of(data, means, subjects, rivals, True)], axis=0)
    margin, short, reason = more_than(ahead, of // 2, len(rivals), of)
    sentence = f"{title}: {data.listed(means, names)}; {subject} is below {measured(ahead):.0f} of {len(rivals)} rivals"
    baseline = data.baselines_in({title: means})
    return Outcome(margin, sentence, baseline, data.support([subject, *rivals], cases), short, reason)


def above_published(data: Data, *, subjects: Names, columns: Names, cases: Names, least: int) -> Outcome:
    """Test whether a system's value is above the best published value on at least ``least`` of the ``cases``.

    ``subjects`` names the system. The best published value of a case is the highest value that the paper's tables give
    for this case in the columns named in ``columns``.
    """
    grid, (subject,), wins, parts = data.grid(), subjects, list[Number](), list[str]()
    known = complete(data, grid, cases, subjects)
    for case, row in known.items():
        published = [
            value.published_value
            for value in data.cells
            if (value.row, value.metric) in {(case, metric) for metric in data.view.metrics}
            and value.column in columns
            and math.isfinite(value.published_value)
        ]
        if not published:
            raise Untestable(f"there is no published value for {case} in the columns {', '.join(columns)}")
        wins.append(above(row[subject], max(published)))
        parts.append(f"{case} {data.show(row[subject])} (published {data.show(max(published))})")
    count = np.sum(wins, axis=0)
    margin, short, reason = more_than(count, least - 1, len(known), len(cases))
    sentence = (
        f"{subject} is above the best published value on {measured(count):.0f} of {len(known)} tasks; its values: "
        f"{', '.join(parts)}"
    )
    return Outcome(margin, sentence, support=data.support(subjects, known), short=short, reason=reason)


def better_at_size(data: Data, *, subjects: Names, rivals: Names, cases: Names, share: float) -> Outcome:
    """Test whether a system has a higher mean accuracy than a rival whose vectors have more dimensions.

    ``subjects`` and ``rivals`` each name one system. Our version of table 9 of Logeswaran and Lee (2018) gives the mean
    accuracy of the system for several numbers of dimensions. The test uses the largest of these numbers that is at most
    ``share`` times the number of dimensions of the rival's vectors. The mean accuracy of the rival is computed over the
    tasks ``cases``.

    Raises:
        Untestable: the run lacks one of the tasks, the rival's value on one of the tasks, the number of dimensions of
            the rival's vectors, or a value of the system for a sufficiently small number of dimensions.
    """
    (subject,), (rival,) = subjects, rivals
    grid = data.grid()
    ((title, means),) = averaged(
        {case: grid[case] for case in present(grid, cases, data)}, data.view.noun, "cases"
    ).items()
    data.check(means, rivals)
    theirs = next((v.mean for v in data.cells if (v.item, v.metric, v.system) == (_MODELS, "dimension", rival)), 0)
    if not theirs:
        raise Untestable(f"this run does not record the number of dimensions of {rival}")
    sized = {
        int(value.row): value
        for value in data.cells
        if (value.item, value.metric) == (_SIZES, "accuracy") and math.isfinite(value.mean)
    }
    dimension = max((size for size in sized if size <= share * theirs), default=0)
    if not dimension:
        raise Untestable(f"this run has no mean accuracy of {subject} with at most {share * theirs:,.0f} dimensions")
    ours = data.samples.of(sized[dimension])
    sentence = (
        f"{title}: {subject} ({dimension:,} dimensions) {data.show(ours)}, {rival} ({theirs:,.0f} dimensions) "
        f"{data.show(means[rival])}"
    )
    return Outcome(ours - means[rival], sentence, data.baselines_in({title: means}), data.support(rivals, cases))
