"""Plan corpora: inherit settings, join corpora, reduce them to fractions, and check that they suit their uses."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sentrep.config.configuration import Configuration
from sentrep.config.corpora import Corpus as CorpusSettings
from sentrep.config.planned import Corpus
from sentrep.errors import SentrepError


def plan_corpus(name: str, corpora: Mapping[str, CorpusSettings], above: tuple[str, ...] = ()) -> Corpus:
    """Return a corpus with its added corpora and with the settings inherited from its base.

    Args:
        name: name of the corpus, a key of ``corpora``.
        corpora: configured settings of all corpora, by name.
        above: names of the corpora that led to this corpus through ``base`` or ``added``, to detect cycles.

    Raises:
        SentrepError: the corpus depends on itself through ``base`` or ``added``; or its base and added corpora cannot
            be joined, because one of them has a ``fraction`` below 1 or two of them have the same sentences.
    """
    if name in above:
        raise SentrepError(
            f"config.corpora.{above[0]}",
            expected="a corpus that does not depend on itself",
            found=f"the cycle {' -> '.join([*above, name])}",
            remedy="correct `base` or `added`",
        )
    own, above = corpora[name], (*above, name)
    if own.base is None:
        return Corpus(name, name, own)
    base = plan_corpus(own.base, corpora, above)
    changes = {key: getattr(own, key) for key in own.model_fields_set - {"base"}}
    added = [plan_corpus(other, corpora, above) for other in own.added]
    joined = Corpus(name, base.sentences, base.settings.model_copy(update=changes), (*base.added, *added))
    if added:
        _check_joined(joined, added if "fraction" in changes else [base, *added])
    return joined


def plan_corpora(corpora: Mapping[str, CorpusSettings], fractions: Iterable[float]) -> dict[str, Corpus]:
    """Return all corpora by name, both in full and reduced to each of the given fractions.

    Raises:
        SentrepError: a corpus depends on itself, or its base and added corpora cannot be joined.
    """
    planned = {name: plan_corpus(name, corpora) for name in corpora}
    parts = {
        part_of_corpus(name, fraction): replace(
            whole, name=part_of_corpus(name, fraction), settings=_with_fraction(whole.settings, fraction)
        )
        for name, whole in planned.items()
        for fraction in fractions
        if fraction != 1
    }
    return planned | parts


def part_of_corpus(name: str, fraction: float) -> str:
    """Return the name of a fraction of a corpus; for a fraction of 1, this is the name of the corpus itself."""
    return name if fraction == 1 else f"{name}~fraction={fraction:g}"


def check_uses(config: Configuration, corpora: Mapping[str, Corpus]) -> None:
    """Check the corpora from which text pairs are mined, and those from which sentences are drawn for evaluations.

    These corpora must not have a ``fraction`` below 1, because ``fraction`` reduces only token stores, whereas mining
    and drawing use all sentences of a corpus.

    Raises:
        SentrepError: a corpus for nearest sentences, analogies or pairs from Wikipedia has a ``fraction`` below 1, or a
            corpus for pairs from Wikipedia has ``added`` corpora.
    """
    uses: dict[str, str | None] = {}
    if "quick_thoughts" in config.papers:
        parts = {"nearest_sentences": config.nearest_sentences, "analogies": config.analogies}
        uses |= {f"config.{name}.corpus": part.corpus for name, part in parts.items() if part.models}
    mined: dict[str, str | None] = {}
    if "weighted_aggregation" in config.papers:
        pairs = {name: part for name, part in config.pairs.items() if part.miner == "wikipedia"}
        mined = {f"config.pairs.{name}.corpus": part.corpus for name, part in pairs.items()}
    for where, name in (uses | mined).items():
        if name is not None and (fraction := corpora[name].settings.fraction) != 1:
            raise SentrepError(
                where,
                expected="a corpus of which all sentences are used",
                found=f"'{name}', which has `fraction: {fraction:g}`",
                remedy="name a corpus without `fraction`",
            )
        if where in mined and name is not None and corpora[name].added:
            raise SentrepError(
                where,
                expected="a corpus that does not combine several corpora",
                found=f"'{name}', which consists of {' and '.join(corpora[name].parts)}",
                remedy="name a corpus without `added`",
            )


def _check_joined(joined: Corpus, whole: Iterable[Corpus]) -> None:
    """Check that a corpus and its ``added`` corpora can be joined.

    Args:
        joined: the corpus with its ``added`` corpora.
        whole: corpora that must not be reduced to a fraction.
    """
    for part in whole:
        if part.settings.fraction != 1:
            raise SentrepError(
                f"config.corpora.{joined.name}",
                expected="corpora in `base` and `added` that are not reduced to a fraction",
                found=f"'{part.name}', which has `fraction: {part.settings.fraction:g}`",
                remedy=f"name corpora without `fraction`; to reduce the joined text, set `fraction` in {joined.name}",
            )
    for place, name in enumerate(joined.parts):
        if name in joined.parts[:place]:
            raise SentrepError(
                f"config.corpora.{joined.name}.added",
                expected="corpora with different sentences",
                found=f"the sentences of '{name}' twice",
                remedy="remove one of the corpora that share these sentences",
            )


def _with_fraction(settings: CorpusSettings, fraction: float) -> CorpusSettings:
    return settings.model_copy(update={"fraction": settings.fraction * fraction})
