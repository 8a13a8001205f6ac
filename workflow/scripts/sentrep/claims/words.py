"""Tests on the norms and the nearest neighbours of word vectors, seed by seed.

Intervals are based only on seeds: each seed either agrees with a claim or has a number of words that agree.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from sentrep.claims.data import Data, Names
from sentrep.claims.outcome import Outcome, Support, Untestable, all_of
from sentrep.tables.values import Value

ALL_WORDS, FREQUENT = "all words", "1,000 most frequent words"


def extreme_norms(data: Data, *, subjects: Names, case: str, words: Names, published: Names, count: int) -> Outcome:
    """At least ``count`` of a system's words of lowest or highest norm are among ``words``.

    The sentence also states how many are on the paper's list, ``published``.
    """
    subject = subjects[0]
    lists = [[value.text for value in _ranked(data, subject, case, scope)] for scope in _scopes(data, subject)]
    if not lists:
        raise Untestable(f"this run has no {case} of {subject}")
    fitting, same = ([sum(word in among for word in found) for found in lists] for among in (words, published))
    sentence = (
        f"{case}: {', '.join(lists[0])}; {_told(fitting)} of {len(lists[0])} fit, {_told(same)} are among the paper's "
        f"{len(published)}"
    )
    others = dict.fromkeys(value.system for value in data.cells if value.system and value.system not in subjects)
    frequent = {name: [value.text for value in _ranked(data, name, case, FREQUENT)] for name in others}
    baseline = "; ".join(
        f"{name} ({FREQUENT}): {sum(word in words for word in texts)} fit" for name, texts in frequent.items()
    )
    return Outcome(data.samples.of_seeds(fitting) - count + 0.5, sentence, baseline, _support(data, subjects))


def related_words(data: Data, *, subjects: Names, case: str, words: Names, match: str) -> Outcome:
    """For one of the systems, the nearest words to a query are as given, for more than half of its seeds.

    ``match`` is "exactly" (no other words are above the paper's cosine), "including" (others may be) or "nearest" (the
    given word is the nearest). If a list ends before the paper's cosine is reached, it is unknown whether other words
    are related.
    """
    parts, cut, agreeing = list[str](), list[str](), list[list[bool]]()
    for system in subjects:
        rows, found = _ranked(data, system, case, ALL_WORDS), _related(data, system, case, ALL_WORDS)
        scopes = _scopes(data, system)
        agreeing.append([_match(data, system, case, scope, words, match) for scope in scopes])
        if match == "including" and not all(agreeing[-1]) and len(rows) < found:
            cut.append(f"the table lists {len(rows)} of {found:,} words of {system}")
        shown = ", ".join(f"{value.text} {value.mean:.2f}" for value in rows[:5]) or "none"
        of_seeds = f"; {sum(agreeing[-1])} of {len(scopes)} seeds agree" if len(scopes) > 1 else ""
        counted = "" if match == "nearest" else f"; {found} words above the cosine"
        parts.append(f"{system}, {case}: {shown}{counted}{of_seeds}")
    best = max(agreeing, key=lambda of_seeds: fmean(of_seeds) if of_seeds else -1.0)
    open_lists = bool(cut) and fmean(best) <= 0.5
    # unlisted words could only agree with the claim
    margin = data.samples.of_seeds([float(seed or open_lists) for seed in best]) - 0.5
    reason = "; ".join(cut) if open_lists else ""
    return Outcome(margin, "; ".join(parts), support=_support(data, subjects), short=float(open_lists), reason=reason)


def fewer_related(data: Data, *, subjects: Names, rivals: Names, cases: Names) -> Outcome:
    """For every query, the only subject has fewer words above the paper's cosine than every rival."""
    names, parts, margins = [*subjects, *rivals], list[str](), []
    for query in cases:
        counts = {name: [_related(data, name, query, scope) for scope in _scopes(data, name)] for name in names}
        if not all(counts.values()):
            raise Untestable(f"this run has no neighbours of '{query}'")
        numbers = {name: data.samples.of_seeds([float(n) for n in found]) for name, found in counts.items()}
        margins += [numbers[rival] - numbers[subjects[0]] for rival in rivals]
        parts.append(f"{query}: {', '.join(f'{name} {_told(found)}' for name, found in counts.items())}")
    return Outcome(all_of(margins), "; ".join(parts), support=_support(data, names))


def _match(data: Data, system: str, case: str, scope: str, words: Names, match: str) -> bool:
    texts = [value.text for value in _ranked(data, system, case, scope)]
    if match == "nearest":
        return texts[:1] == list(words)
    if match == "exactly":
        return _related(data, system, case, scope) == len(words) and set(texts) == set(words)
    return set(words) <= set(texts)


def _scopes(data: Data, system: str) -> list[str]:
    """Return the names of a system's lists among all words: that of the first seed, then those of other seeds."""
    scopes = dict.fromkeys(value.protocol for value in data.cells if value.system == system)
    return [scope for scope in scopes if scope.startswith(ALL_WORDS)]


def _support(data: Data, systems: Names) -> Support:
    seeds = [len(_scopes(data, system)) for system in systems]
    most = str(max(seeds)) if len(set(seeds)) == 1 else f"{min(seeds)} to {max(seeds)}"
    return Support(most, 0, "seeds" if min(seeds) > 1 else "nothing: one seed")


def _told(numbers: Sequence[int]) -> str:
    """Format a number per seed: ``8`` if all are equal, or ``8, 9 and 10``, starting with the first seed."""
    texts = [str(number) for number in numbers]
    return texts[0] if len(set(texts)) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _ranked(data: Data, system: str, case: str, scope: str) -> list[Value]:
    """Return a system's list of words by rank."""
    rows = [v for v in data.cells if (v.system, v.row, v.protocol) == (system, case, scope) and v.text]
    return sorted(rows, key=lambda value: value.x)


def _related(data: Data, system: str, query: str, scope: str) -> int:
    """Return the number of words above the paper's cosine."""
    found = {(v.system, v.protocol): round(v.mean) for v in data.cells if v.row == query and v.metric == "words found"}
    if not found:
        raise Untestable(f"this run has no neighbours of '{query}'")
    return found.get((system, scope), 0)
