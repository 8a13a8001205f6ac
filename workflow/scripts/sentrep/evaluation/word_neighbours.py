"""List the words with the lowest and highest vector norms, and the nearest neighbours of query words.

Kenter et al. (2016) show such lists in section 4.4.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.encoders.base import AveragingEncoder
from sentrep.io.frames import groups_of, rows_where

MINIMUM_COSINE = 0.6
# Maximum number of neighbours listed per query, not counting words that the paper lists. The number is limited because
# a word can have thousands of neighbours if the corpus is small.
LISTED = 20
EXTREMES = 10
FREQUENT = 1000
QUERIES = ("her", "me")

# The words that Kenter et al. list. BookCorpus is in lower case, so "I" is "i" here.
PAPER_LOWEST = frozenset(["to", "of", "and", "the", "a", "in", "that", "with", "on", "as"])
PAPER_HIGHEST = frozenset(["had", "they", "we", "me", "my", "he", "her", "you", "she", "i"])
PAPER_NEAREST: Mapping[tuple[str, str], frozenset[str]] = {
    ("word2vec", "her"): frozenset({"she", "his", "my", "hers"}),
    ("siamese_cbow", "her"): frozenset({"she"}),
    ("word2vec", "me"): frozenset({"him"}),
    ("siamese_cbow", "me"): frozenset({"i", "my"}),
}
COLUMNS = ["model", "list", "scope", "query", "rank", "word", "norm", "cosine", "count", "found", "in_paper"]


def describe_words(
    encoder: AveragingEncoder,
    model: str,
    counts: Mapping[str, int] | None = None,
    queries: Sequence[str] = QUERIES,
    minimum_cosine: float = MINIMUM_COSINE,
) -> pd.DataFrame:
    """Return a table of the words with the lowest and highest norms, and of the nearest neighbours of query words.

    Kenter et al. (2016) do not state which words they considered. Their lists contain only frequent words. Therefore,
    the ten lowest and ten highest norms are determined twice: among all words, and among the 1,000 most frequent words.

    Args:
        encoder: a model whose vocabulary is in descending order of frequency. The family of the model determines the
            published lists with which the words are compared.
        model: name of the model.
        counts: number of occurrences of each word in the corpus; if None, the column ``count`` is empty.
        queries: words whose nearest neighbours are listed. For each query, the table lists the 20 nearest neighbours
            (or all if there are fewer) and, regardless of rank and cosine, all words of the vocabulary that the paper
            lists for this query.
        minimum_cosine: cosine with the query that a neighbour must exceed.

    Returns:
        A table with the columns :data:`COLUMNS`. ``list`` is "lowest norm", "highest norm" or "nearest"; ``scope``
        names the words considered, or is "not in the vocabulary" for an unknown query; ``found`` is the total number
        of neighbours of the query, listed or not; ``in_paper`` is "yes" if the paper lists the word, "no" if it does
        not, and "" if the paper has no such list. A query for which no words are listed has one row without a word.
    """
    family = encoder.meta.get("family", "")
    norms = np.linalg.norm(encoder.embeddings.astype(np.float64), axis=1)
    rows = []

    def add(name: str, scope: str, query: str, rank: int, row: int, printed: frozenset[str] | None) -> None:
        word = encoder.vocabulary[row]
        rows.append(
            {
                "list": name,
                "scope": scope,
                "query": query,
                "rank": rank,
                "word": word,
                "norm": norms[row],
                "count": None if counts is None else counts.get(word),
                "in_paper": "" if printed is None else "yes" if word.lower() in printed else "no",
            }
        )

    for scope, size in (("all words", len(norms)), (f"{FREQUENT:,} most frequent words", FREQUENT)):
        order = np.argsort(norms[:size], kind="stable")
        for name, chosen, printed in (
            ("lowest norm", order[:EXTREMES], PAPER_LOWEST),
            ("highest norm", order[::-1][:EXTREMES], PAPER_HIGHEST),
        ):
            for rank, row in enumerate(chosen, 1):
                add(name, scope, "", rank, row, printed if family == "siamese_cbow" else None)
    for query in queries:
        if query not in encoder.row_of:
            rows.append({"list": "nearest", "scope": "not in the vocabulary", "query": query, "found": 0})
            continue
        near = neighbours(encoder.embeddings, encoder.row_of[query], norms)
        found = sum(cosine > minimum_cosine for _, cosine in near)
        published = PAPER_NEAREST.get((family, query))
        listed = [
            (rank, row, cosine)
            for rank, (row, cosine) in enumerate(near, 1)
            if rank <= min(found, LISTED) or encoder.vocabulary[row] in (published or ())
        ]
        if not listed:
            rows.append({"list": "nearest", "scope": "all words", "query": query, "found": 0})
        for rank, row, cosine in listed:
            add("nearest", "all words", query, rank, row, published)
            rows[-1] |= {"cosine": cosine, "found": found}
    frame = pd.DataFrame(rows, columns=COLUMNS).assign(model=model)
    return frame.astype({"rank": "Int64", "count": "Int64", "found": "Int64"})


def neighbours(
    embeddings: npt.NDArray[np.float32], row: int, norms: npt.NDArray[np.float64]
) -> list[tuple[int, float]]:
    """Return, for each word except the given one, its row index and its cosine with the given word, nearest first.

    Args:
        embeddings: (V, d) float32 word vectors.
        row: row index of the given word.
        norms: (V,) float64 Euclidean norms of the word vectors.
    """
    products = embeddings @ embeddings[row]
    lengths = norms * norms[row]
    cosines = np.divide(products, lengths, out=np.zeros(len(norms)), where=lengths > 0)
    order = np.argsort(-cosines, kind="stable")
    order = order[order != row]
    return list(zip(order.tolist(), cosines[order].tolist(), strict=True))


def overlap(words: pd.DataFrame) -> dict[str, int]:
    """Count, for each list of words with extreme norms, how many of its words Kenter et al. (2016) also list.

    Args:
        words: result of :func:`describe_words`.

    Returns:
        The counts, keyed by "<list>, <scope>". Lists without a counterpart in the paper are left out.
    """
    listed = rows_where(words, (words["list"] != "nearest") & words["in_paper"].isin(["yes", "no"]))
    groups = groups_of(listed, ["list", "scope"])
    return {f"{name}, {scope}": group["in_paper"].tolist().count("yes") for (name, scope), group in groups}
