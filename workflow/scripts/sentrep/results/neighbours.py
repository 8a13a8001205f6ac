"""What a model does to single words: extreme norms and near neighbours (Kenter et al. 2016, section 4.4)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.encoders import AveragingEncoder
from sentrep.errors import SentrepError

THRESHOLD = 0.6
EXTREMES = 10
FREQUENT = 1000
QUERIES = ("her", "me")

# The paper's statements. BookCorpus is lower-case; its "I" is compared in lower case.
PAPER_LOWEST = frozenset(["to", "of", "and", "the", "a", "in", "that", "with", "on", "as"])
PAPER_HIGHEST = frozenset(["had", "they", "we", "me", "my", "he", "her", "you", "she", "i"])
PAPER_NEAREST: Mapping[tuple[str, str], frozenset[str]] = {
    ("word2vec", "her"): frozenset({"she", "his", "my", "hers"}),
    ("siamese_cbow", "her"): frozenset({"she"}),
    ("word2vec", "me"): frozenset({"him"}),
    ("siamese_cbow", "me"): frozenset({"i", "my"}),
}
COLUMNS = ["model", "list", "scope", "query", "rank", "word", "norm", "cosine", "count", "in_paper"]


def describe_words(
    encoder: AveragingEncoder,
    model: str,
    counts: Mapping[str, int] | None = None,
    queries: Sequence[str] = QUERIES,
) -> pd.DataFrame:
    """List words with extreme norms and the neighbours of some words.

    The paper does not say among which words it looked. Its lists hold frequent words only, so both all
    words and the 1,000 most frequent ones are ranked.

    Args:
        encoder: a model whose vocabulary is in descending order of frequency; its family says which of the
            paper's statements apply.
        model: its name.
        counts: occurrences of each word in the corpus; None leaves that column empty.
        queries: the words whose neighbours are listed.

    Returns:
        The columns of :data:`COLUMNS`. ``list`` is "lowest norm", "highest norm" or "nearest"; ``scope``
        names the words considered; ``in_paper`` says whether the paper lists the word there, and is empty
        where the paper makes no statement. A query without a neighbour of cosine above 0.6, or that is not
        in the vocabulary, has one row without a word.
    """
    family = encoder.meta.get("family", "")
    norms = np.linalg.norm(encoder.embeddings.astype(np.float64), axis=1)
    rows = []
    for scope, size in (("all words", len(norms)), (f"{FREQUENT:,} most frequent words", FREQUENT)):
        order = np.argsort(norms[:size], kind="stable")
        for name, chosen, printed in (
            ("lowest norm", order[:EXTREMES], PAPER_LOWEST),
            ("highest norm", order[::-1][:EXTREMES], PAPER_HIGHEST),
        ):
            printed = printed if family == "siamese_cbow" else None
            rows += [
                _row(encoder, model, name, scope, "", rank, word, norms, np.nan, counts, printed)
                for rank, word in enumerate(chosen, 1)
            ]
    for query in queries:
        printed = PAPER_NEAREST.get((family, query))
        near = neighbours(encoder.embeddings, encoder.row_of[query], norms) if query in encoder.row_of else []
        scope = "all words" if query in encoder.row_of else "not in the vocabulary"
        rows += [
            _row(encoder, model, "nearest", scope, query, rank, word, norms, cosine, counts, printed)
            for rank, (word, cosine) in enumerate(near, 1)
        ]
        if not near:
            rows.append((model, "nearest", scope, query, *[None] * 6))
    frame = pd.DataFrame(rows, columns=COLUMNS)
    return frame.astype({"rank": "Int64", "count": "Int64"})


def neighbours(
    embeddings: npt.NDArray[np.float32], row: int, norms: npt.NDArray[np.float64]
) -> list[tuple[int, float]]:
    """Return the words with a cosine above 0.6 to one word, nearest first.

    Args:
        embeddings: (V, d) float32.
        row: of the word, which is left out itself.
        norms: (V,) float64, lengths of the rows.

    Returns:
        (row, cosine) of each.
    """
    products = embeddings @ embeddings[row]
    lengths = norms * norms[row]
    cosines = np.divide(products, lengths, out=np.zeros(len(norms)), where=lengths > 0)
    cosines[row] = -1
    near = np.flatnonzero(cosines > THRESHOLD)
    near = near[np.argsort(-cosines[near], kind="stable")]
    return [(int(word), float(cosines[word])) for word in near]


def read_counts(path: str | Path) -> dict[str, int]:
    """Return each word's occurrences from a token store's ``vocabulary.tsv``: a word, a tab, its count.

    Raises:
        SentrepError: the file is missing or a line has another form.
    """
    counts = {}
    try:
        for line in Path(path).read_text(encoding="utf-8").removesuffix("\n").split("\n"):
            word, _, count = line.rpartition("\t")
            counts[word] = int(count)
    except (OSError, ValueError) as error:
        raise SentrepError(
            path,
            expected="lines of a word, a tab and a count",
            found=str(error),
            remedy="build the store again",
        ) from None
    return counts


def _row(
    encoder: AveragingEncoder,
    model: str,
    name: str,
    scope: str,
    query: str,
    rank: int,
    row: int,
    norms: npt.NDArray[np.float64],
    cosine: float,
    counts: Mapping[str, int] | None,
    printed: frozenset[str] | None,
) -> tuple[object, ...]:
    word = encoder.vocabulary[row]
    count = None if counts is None else counts.get(word)
    in_paper = "" if printed is None else "yes" if word.lower() in printed else "no"
    return (model, name, scope, query, rank, word, norms[row], cosine, count, in_paper)


def overlap(words: pd.DataFrame) -> dict[str, int]:
    """Return how many of the paper's ten words each list of norms has, by "list, scope"."""
    listed = words[(words["list"] != "nearest") & (words["in_paper"] != "")]
    found = (listed["in_paper"] == "yes").groupby([listed["list"], listed["scope"]], sort=False).sum()
    return {f"{name}, {scope}": int(number) for (name, scope), number in found.items()}
