"""Mine related and non-related text pairs from Wikipedia paragraphs (De Boom et al. 2016, section 4.1).

A related pair consists of two texts from one paragraph. The first text consists of the first n words of the paragraph
that are in the vocabulary (known words). The next two words are skipped, and the following m known words form the
second text. By default, n and m are 20; alternatively, the length of each text is drawn at random from a range. A
paragraph yields a pair only if it has at least a quarter more words than both texts together. The paper specifies
neither the gap of two words nor the minimum length of a paragraph; both are taken from extract_pairs.py in the code
that the authors released.

There are two methods for forming non-related pairs. ``other_article``, the method in the paper, combines each first
text with a second text from another article in the same split. ``released_code`` follows extract_pairs.py: every
twentieth first text and every twentieth second text are collected in pools of 100 texts. Each pool is shuffled ten
times, and after each shuffle, the 99 pairs of adjacent texts become non-related pairs, even if both texts of a pair are
from the same article. If the last pool is not full, the released code drops it; sentrep uses it, because small corpora
would otherwise have no non-related pairs.

Whole articles are assigned at random to the splits train, validation and test, so that the numbers of pairs have
approximately the configured proportions. The released code instead fills one split after the other. A related pair is
dropped if one of its texts has already occurred in an earlier pair, so no text is in two splits. The running time is
linear in the size of the corpus, and the memory use is linear in the number of related pairs.
"""

from __future__ import annotations

import logging
import resource
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from sentrep.corpora.frequencies import document_frequencies
from sentrep.corpora.sentence_shards import shard_paths
from sentrep.corpora.store import TokenStore
from sentrep.errors import SentrepError
from sentrep.io.files import read_json
from sentrep.pairs.non_related import from_other_articles, from_pool, surplus
from sentrep.pairs.pair_set import SPLITS, Count, Pairs, PairSet, Split
from sentrep.pairs.paragraphs import Mined, article_keys, related_pairs, without_repetitions
from sentrep.pairs.settings import NonRelated, WikipediaSettings

log = logging.getLogger("sentrep")

PROPORTIONS: dict[Split, float] = {"train": 1.5, "validation": 1.9, "test": 1.5}  # millions of pairs in the paper
_SOURCE = "wikipedia"


def mine(
    sentences: str | Path,
    store: str | Path,
    output: str | Path,
    *,
    processes: int = 1,
    provenance: dict[str, Any] | None = None,
    **settings: Any,
) -> dict[str, Any]:
    """Mine text pairs from one corpus, and write them to a folder (see :mod:`sentrep.pairs.pair_set`).

    As in the released code, related and non-related pairs alternate in each split, beginning with a related pair.

    Args:
        sentences: folder of normalised paragraphs, written by :func:`sentrep.corpora.sentences.build_sentences`.
        store: token store built from ``sentences``; it provides the vocabulary and the document frequencies.
        output: folder to write.
        processes: number of worker processes; it does not affect the result.
        provenance: entries to add to ``meta.json``.
        settings: fields of :class:`sentrep.pairs.settings.WikipediaSettings`.

    Returns:
        The content of ``meta.json``.

    Raises:
        SentrepError: ``sentences`` does not contain normalised paragraphs, ``words`` is not a valid range, no pairs are
            found, or a split has no pairs.
    """
    started = time.monotonic()
    chosen = WikipediaSettings(**settings)
    proportions: dict[Split, float] = {
        name: getattr(chosen.proportions, name) if chosen.proportions else PROPORTIONS[name] for name in SPLITS
    }
    source = read_json(Path(sentences) / "meta.json")
    if source.get("unit") != "paragraph" or not source.get("normalisation"):
        raise SentrepError(
            sentences,
            expected="normalised paragraphs",
            found=f"unit '{source.get('unit')}', normalisation '{source.get('normalisation')}'",
            remedy="set `unit: paragraph` and `normalisation: paper` (or `released_code`) for this corpus",
        )
    known = TokenStore.open(store)
    bounds = _bounds(chosen.words)
    shards = shard_paths(sentences)
    mined, dropped = related_pairs(shards, known.vocabulary, bounds, chosen.seed, chosen.maximum_pairs, processes)
    if not len(mined):
        raise SentrepError(
            sentences,
            expected=f"pairs of texts from paragraphs of {-(-5 * bounds[0] // 2)} words or more",
            found=(
                f"no pairs in {source['sentences']} paragraphs ({', '.join(f'{w}: {n}' for w, n in dropped.items())})"
            ),
            remedy="use more articles, or set `words` to a smaller number",
        )
    fresh = without_repetitions(mined)
    dropped["text occurred before"] = len(mined) - len(fresh)
    counts = [Count("", _SOURCE, "", number, f"left out: {reason}") for reason, number in dropped.items()]
    splits: dict[Split, Pairs] = {}
    articles = {}
    dice = np.random.default_rng([chosen.seed, 1])
    for name, part in divide(fresh, proportions, chosen.seed).items():
        splits[name], lost = _with_non_related(part, chosen.non_related, dice)
        articles[name] = len(np.unique(part.article))
        if not len(splits[name]):
            raise SentrepError(
                sentences,
                expected=(
                    f"enough related pairs in the split '{name}' to form non-related pairs (related pairs from at "
                    "least two articles if `non_related` is other_article)"
                ),
                found=f"too few (related pairs: {len(part)}, articles: {articles[name]})",
                remedy="use more articles",
            )
        half = len(splits[name]) // 2
        counts += [Count(name, _SOURCE, True, half), Count(name, _SOURCE, False, half)]
        counts += [Count(name, _SOURCE, True, lost, "left out: no partner in its split")] if lost else []
    meta = {
        **(provenance or {}),
        **chosen.model_dump(),
        **{"proportions": dict(proportions), "articles": articles},
        **{"pairs": {name: len(pairs) for name, pairs in splits.items()}, "paragraphs": source["sentences"]},
        **{key: source[key] for key in ("source", "source_sha256", "normalisation")},
        "seconds": round(time.monotonic() - started, 1),
        "peak_memory_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024,
    }
    pairs = PairSet(known.vocabulary, document_frequencies(known), known.n_sentences, splits, counts, meta)
    pairs.save(output)
    log.info("wrote %s", ", ".join(f"{len(p)} pairs for {name}" for name, p in splits.items()))
    return {**meta, "documents": pairs.documents}


def divide(mined: Mined, proportions: Mapping[Split, float], seed: int) -> dict[Split, Mined]:
    """Assign whole articles to splits at random so that the numbers of pairs approximately match ``proportions``."""
    _, article, sizes = np.unique(mined.article, return_inverse=True, return_counts=True)
    keys = np.zeros(len(sizes), dtype=np.uint64)
    keys[article] = article_keys(mined.article, seed)
    order = np.argsort(keys)
    middle = np.cumsum(sizes[order]) - sizes[order] / 2
    shares = np.array([proportions[name] for name in SPLITS], dtype=np.float64)
    ends = np.cumsum(shares) / shares.sum() * len(mined)
    split = np.empty(len(sizes), dtype=np.int64)
    split[order] = np.minimum(np.searchsorted(ends, middle, side="right"), len(SPLITS) - 1)
    return {name: mined.take(split[article] == number) for number, name in enumerate(SPLITS)}


def _with_non_related(mined: Mined, way: NonRelated, dice: np.random.Generator) -> tuple[Pairs, int]:
    """Return the pairs of a split, alternately related and non-related, and the number of dropped related pairs."""
    if way == "other_article":
        part = mined.take(dice.permutation(len(mined)))
        part = part.take(~surplus(part.article))
        order = dice.permutation(len(part))  # separates the related and the non-related pair with the same first text
        other = (part.first[order], part.second[from_other_articles(part.article, dice)[order]])
    else:
        part = mined
        left, right = from_pool(len(part), dice)
        texts = np.stack([part.first, part.second], axis=1).reshape(2 * len(part), -1)
        size = min(len(part), len(left))
        part, other = part.take(np.arange(size)), (texts[left[:size]], texts[right[:size]])
    first, second = (np.stack(both, axis=1) for both in zip((part.first, part.second), other, strict=True))
    width = mined.first.shape[1]
    pairs = Pairs(first.reshape(-1, width), second.reshape(-1, width), np.tile([True, False], len(part)))
    return pairs, len(mined) - len(part)


def _bounds(words: int | Sequence[int]) -> tuple[int, int]:
    low, high = (words, words) if isinstance(words, int) else tuple(words)
    if low > high:
        raise SentrepError(
            "pairs", expected="`words` as [low, high] with low <= high", found=f"{words}", remedy="swap the two numbers"
        )
    return low, high
