"""Test claims about the norms and the nearest neighbours of word vectors.

For each seed, a test either counts words or checks whether the result agrees with the claim (1 if it does, 0 if not).
There are no test items to resample, so confidence intervals reflect only the variation between seeds.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from sentrep.claims.data import Data, Names
from sentrep.claims.outcome import Outcome, Support, Untestable, all_of
from sentrep.tables.values import Value

ALL_WORDS, FREQUENT = "all words", "1,000 most frequent words"


def extreme_norms(data: Data, *, subjects: Names, case: str, words: Names, published: Names, count: int) -> Outcome:
    """Test whether at least ``count`` of a system's words with the lowest or highest norms are among ``words``.

    ``case`` is "lowest norm" or "highest norm", for which the run lists a few words of each system. With several seeds,
    the number of listed words that are among ``words`` is averaged over seeds, and the mean must be above ``count`` -
    0.5. The outcome also states how many of the listed words are in ``published``, the list in the paper. As baselines,
    it states how many of the words listed for each of the other systems are among ``words``. The lists of the other
    systems are restricted to the 1,000 most frequent words.
    """
    subject = subjects[0]
    lists = [[value.text for value in _ranked(data, subject, case, scope)] for scope in _scopes(data, subject)]
    if not lists:
        raise Untestable(f"this run does not list the words of {subject} with the {case}")
    fitting, same = ([sum(word in among for word in found) for found in lists] for among in (words, published))
    sentence = (
        f"{case}: {', '.join(lists[0])}; words that fit the claim: {_told(fitting)} of {len(lists[0])}; "
        f"words that the paper also lists: {_told(same)} of {len(published)}"
    )
    others = dict.fromkeys(value.system for value in data.cells if value.system and value.system not in subjects)
    frequent = {name: [value.text for value in _ranked(data, name, case, FREQUENT)] for name in others}
    baseline = "; ".join(
        f"{name} ({FREQUENT}), words that fit the claim: {sum(word in words for word in texts)} of {len(texts)}"
        for name, texts in frequent.items()
    )
    return Outcome(
        data.samples.of_seeds(fitting, whole=True) - count + 0.5, sentence, baseline, _support(data, subjects)
    )


def related_words(data: Data, *, subjects: Names, case: str, words: Names, match: str) -> Outcome:
    """Test whether ``words`` are related to the query word ``case`` in at least one of the systems.

    A word is related to the query if their cosine is above the paper's threshold. If ``match`` is "exactly", there must
    be no other related words. If it is "including", there may be other related words. If it is "nearest", ``words``
    contains a single word, which must be the nearest related word. More than half of the seeds of a system must agree
    with the claim.

    The run may list only some of the related words. Words that are not listed may therefore still be related to the
    query, and if ``match`` is "including", it may be unknown whether the claim holds.
    """
    parts, cut, agreeing = list[str](), list[str](), list[list[bool]]()
    for system in subjects:
        listed, found = _ranked(data, system, case, ALL_WORDS), _related(data, system, case, ALL_WORDS)
        rows = [value for value in listed if value.x <= found]
        scopes = _scopes(data, system)
        agreeing.append([_match(data, system, case, scope, words, match) for scope in scopes])
        if match == "including" and not set(words) <= {value.text for value in listed} and len(rows) < found:
            cut.append(f"this run lists only {len(rows)} of the {found:,} words related to '{case}' in {system}")
        shown = ", ".join(f"{value.text} {value.mean:.2f}" for value in rows[:5]) or "none"
        of_seeds = f"; seeds that agree with the claim: {sum(agreeing[-1])} of {len(scopes)}" if len(scopes) > 1 else ""
        counted = "" if match == "nearest" else f"; number of words above the cosine threshold: {found}"
        parts.append(f"{system}, {case}: {shown}{counted}{of_seeds}")
    best = max(agreeing, key=lambda of_seeds: fmean(of_seeds) if of_seeds else -1.0)
    open_lists = bool(cut) and fmean(best) <= 0.5
    # Words that are not listed could only support the claim.
    margin = data.samples.of_seeds([float(seed or open_lists) for seed in best], whole=True) - 0.5
    reason = "; ".join(cut) if open_lists else ""
    return Outcome(margin, "; ".join(parts), support=_support(data, subjects), short=float(open_lists), reason=reason)


def fewer_related(data: Data, *, subjects: Names, rivals: Names, cases: Names) -> Outcome:
    """Test whether, for every query word in ``cases``, a system has fewer related words than every rival.

    Related words are words whose cosine with the query is above the paper's threshold. ``subjects`` names the system.
    """
    names, parts, margins = [*subjects, *rivals], list[str](), []
    for query in cases:
        counts = {name: [_related(data, name, query, scope) for scope in _scopes(data, name)] for name in names}
        if not all(counts.values()):
            lacking = ", ".join(name for name, found in counts.items() if not found)
            raise Untestable(f"this run does not list the neighbours of '{query}' for {lacking}")
        numbers = {name: data.samples.of_seeds([float(n) for n in found], whole=True) for name, found in counts.items()}
        margins += [numbers[rival] - numbers[subjects[0]] for rival in rivals]
        listed = ", ".join(f"{name} {_told(found)}" for name, found in counts.items())
        parts.append(f"number of words related to '{query}': {listed}")
    return Outcome(all_of(margins), "; ".join(parts), support=_support(data, names))


def _match(data: Data, system: str, case: str, scope: str, words: Names, match: str) -> bool:
    related = _related(data, system, case, scope)
    texts = [value.text for value in _ranked(data, system, case, scope) if value.x <= related]
    if match == "nearest":
        return texts[:1] == list(words)
    if match == "exactly":
        return related == len(words) and set(texts) == set(words)
    return set(words) <= set(texts)


def _scopes(data: Data, system: str) -> list[str]:
    """Return the protocols of a system's results for the complete vocabulary, one protocol for each seed.

    The protocol of the first seed is "all words"; the protocols of the other seeds are "all words, seed <n>".
    """
    scopes = dict.fromkeys(value.protocol for value in data.cells if value.system == system)
    return [scope for scope in scopes if scope.startswith(ALL_WORDS)]


def _support(data: Data, systems: Names) -> Support:
    seeds = [len(_scopes(data, system)) for system in systems]
    most = str(max(seeds)) if len(set(seeds)) == 1 else f"{min(seeds)} to {max(seeds)}"
    return Support(most, 0, "seeds" if min(seeds) > 1 else "nothing: one seed")


def _told(numbers: Sequence[int]) -> str:
    """Format numbers, one per seed, as ``8, 9 and 10``, or as ``8`` if all numbers are equal."""
    texts = [str(number) for number in numbers]
    return texts[0] if len(set(texts)) == 1 else f"{', '.join(texts[:-1])} and {texts[-1]}"


def _ranked(data: Data, system: str, case: str, scope: str) -> list[Value]:
    """Return the values that list the words nearest to a query (``case``) for a system and protocol, sorted by rank."""
    rows = [v for v in data.cells if (v.system, v.row, v.protocol) == (system, case, scope) and v.text]
    return sorted(rows, key=lambda value: value.x)


def _related(data: Data, system: str, query: str, scope: str) -> int:
    """Return the number of a system's words whose cosine with the query word is above the paper's threshold.

    The result is 0 if the run gives such numbers for the query word, but not for this system and protocol (``scope``).

    Raises:
        Untestable: the run gives no such number for the query word.
    """
    found = {(v.system, v.protocol): round(v.mean) for v in data.cells if v.row == query and v.metric == "words found"}
    if not found:
        raise Untestable(f"this run does not list the neighbours of '{query}'")
    return found.get((system, scope), 0)
