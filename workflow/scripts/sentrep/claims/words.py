"""Tests on the norms and the nearest neighbours of word vectors."""

from __future__ import annotations

from sentrep.claims.data import Data, Names
from sentrep.claims.outcome import Outcome, Untestable
from sentrep.tables.values import Value

ALL_WORDS, FREQUENT = "all words", "1,000 most frequent words"


def extreme_norms(data: Data, *, subjects: Names, case: str, words: Names, published: Names, count: int) -> Outcome:
    """At least this many of a system's words of lowest or highest norm are among ``words``.

    The sentence also says how many are on the paper's own list, ``published``.
    """
    found = [value.text for value in _ranked(data, subjects[0], case, ALL_WORDS)]
    fitting, same = (sum(word in among for word in found) for among in (words, published))
    sentence = (
        f"{case}: {', '.join(found)}; {fitting} of {len(found)} fit, {same} are among the paper's {len(published)}"
    )
    others = dict.fromkeys(value.system for value in data.cells if value.system and value.system not in subjects)
    frequent = {name: [value.text for value in _ranked(data, name, case, FREQUENT)] for name in others}
    baseline = "; ".join(
        f"{name} ({FREQUENT}): {sum(word in words for word in texts)} fit" for name, texts in frequent.items()
    )
    return Outcome(fitting >= count, sentence, baseline, data.seeds(subjects))


def related_words(data: Data, *, subjects: Names, case: str, words: Names, match: str) -> Outcome:
    """For one of the systems the words that are nearest to a query are these.

    ``match`` is "exactly" (no others are above the paper's cosine), "including" (others may be) or "nearest" (this word
    is the nearest). A list that ends before the paper's cosine is reached leaves open whether other words are related.
    """
    parts, holds, cut = list[str](), False, list[str]()
    for system in subjects:
        rows, found = _ranked(data, system, case), _related(data, system, case)
        texts = [value.text for value in rows]
        if match == "nearest":
            holds = holds or texts[:1] == list(words)
        elif match == "exactly":
            holds = holds or (found == len(words) and set(texts) == set(words))
        else:
            holds = holds or set(words) <= set(texts)
            cut += [f"the table lists {len(rows)} of {found:,} words of {system}"] if len(rows) < found else []
        shown = ", ".join(f"{value.text} {value.mean:.2f}" for value in rows[:5]) or "none"
        parts.append(f"{system}, {case}: {shown}" + ("" if match == "nearest" else f"; {found} words above the cosine"))
    undecided = not holds and bool(cut)
    reason = "; ".join(cut) if undecided else ""
    return Outcome(None if undecided else holds, "; ".join(parts), seeds=data.seeds(subjects), reason=reason)


def fewer_related(data: Data, *, subjects: Names, rivals: Names, cases: Names) -> Outcome:
    """For every query the one subject has fewer words above the paper's cosine than every rival."""
    names = [*subjects, *rivals]
    counts = {query: {name: _related(data, name, query) for name in names} for query in cases}
    sentence = "; ".join(f"{q}: {', '.join(f'{name} {n}' for name, n in row.items())}" for q, row in counts.items())
    holds = all(row[subjects[0]] < row[rival] for row in counts.values() for rival in rivals)
    return Outcome(holds, sentence, seeds=data.seeds(names))


def _ranked(data: Data, system: str, case: str, scope: str = ALL_WORDS) -> list[Value]:
    """Return a system's list of words by rank."""
    rows = [v for v in data.cells if (v.system, v.row, v.protocol) == (system, case, scope) and v.text]
    return sorted(rows, key=lambda value: value.x)


def _related(data: Data, system: str, query: str) -> int:
    """Return the number of words above the paper's cosine."""
    found = {v.system: round(v.mean) for v in data.cells if v.row == query and v.metric == "words found"}
    if not found:
        raise Untestable(f"this run has no neighbours of '{query}'")
    return found.get(system, 0)
