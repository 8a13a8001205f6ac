"""Evaluate how well text-similarity methods separate related from non-related pairs of texts."""

from __future__ import annotations

import itertools
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.aggregation.lexicon import Lexicon, open_pairs
from sentrep.aggregation.metrics import (
    Scale,
    best_split,
    binomial_p,
    class_errors,
    error_interval,
    js_authors,
    js_unbiased,
    wrong,
)
from sentrep.aggregation.options import Options
from sentrep.aggregation.representations import Weighting, similarities
from sentrep.errors import SentrepError
from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json
from sentrep.pairs.pair_set import Pairs, PairSet

log = logging.getLogger("sentrep")

HISTOGRAM_BINS = 300
METRIC_COLUMNS = [
    *["method", "error", "error_low", "error_high", "error_related", "error_non_related"],
    *["js_authors", "js_unbiased", "validation_error", "split", "lowest", "highest"],
    *["pairs", "mistakes", "pairs_with_empty_text"],
]
BINOMIAL_COLUMNS = ["reference", "method", "pairs", "reference_error", "mistakes", "p"]
HISTOGRAM_COLUMNS = ["method", "low", "high", "related", "non_related"]


@dataclass(frozen=True)
class Evaluation:
    """The result of :func:`evaluate` for k methods and n test pairs.

    Attributes:
        metrics: error rates and Jensen-Shannon divergences of each method, with the columns :data:`METRIC_COLUMNS`.
        binomial: binomial tests of each method against every other method, with the columns :data:`BINOMIAL_COLUMNS`.
        histograms: for each method, a histogram of the scaled distances between the two texts of validation pairs, with
            the columns :data:`HISTOGRAM_COLUMNS`.
        mistakes: mapping with three arrays: ``methods`` (k,), the names of the methods; ``mistakes`` (n, k) bool, True
            where a method misclassifies a test pair; and ``related`` (n,) bool, True for related test pairs.
    """

    metrics: pd.DataFrame
    binomial: pd.DataFrame
    histograms: pd.DataFrame
    mistakes: Mapping[str, npt.NDArray[Any]]


def read_weighting(folder: str | Path) -> Weighting:
    """Read the trained weights and the divisor of the weighted sums from a ``weighted_aggregation`` model folder.

    Raises:
        SentrepError: ``weights.json`` is missing or damaged.
    """
    record = read_json(Path(folder) / "weights.json")
    try:
        return Weighting(np.array(record["weights"], dtype=np.float64), record["divisor"])
    except (KeyError, TypeError, ValueError) as error:
        raise SentrepError(
            Path(folder) / "weights.json",
            expected="the trained weights and their divisor",
            found=f"a damaged file ({type(error).__name__}: {error})",
            remedy="train the model again",
        ) from None


def evaluate(
    corpus: PairSet,
    lexicon: Lexicon,
    learnt: Mapping[str, Weighting],
    options: Options | None = None,
    threads: int = 1,
) -> Evaluation:
    """Evaluate the text-similarity methods of De Boom et al. (2016) on test pairs.

    The scale of the similarities and the split point are fitted on validation pairs, separately for each method.

    Args:
        corpus: set of text pairs, of which only the validation pairs and the test pairs are used.
        lexicon: known words and their vectors.
        learnt: mapping from the name of each method with trained weights to its weights; the names are those in the
            tables of De Boom et al. (2016).
        options: settings for the points on which the paper and its released code differ.
        threads: number of threads that compute similarities in parallel.

    Raises:
        SentrepError: the similarities that a method assigns to the validation pairs are all equal or not all finite.
    """
    log.info("computing the similarities of the validation pairs")
    validation = lexicon.rank(corpus.validation)
    validation_values = similarities(lexicon, validation, learnt, options, threads=threads)
    log.info("computing the similarities of the test pairs")
    test = lexicon.rank(corpus.test)
    test_values = similarities(lexicon, test, learnt, options, threads=threads)
    empty = int(((lexicon.lengths(test.first) == 0) | (lexicon.lengths(test.second) == 0)).sum())
    rows, histograms, mistakes = [], [], {}
    for method, values in test_values.items():
        row, mistakes[method], histogram = _judge(validation_values[method], validation, values, test)
        rows.append({"method": method, **row, "pairs_with_empty_text": empty})
        histograms.append(histogram.assign(method=method))
        log.info(
            "%s: test error %.2f%%, Jensen-Shannon divergence %.4f", method, 100 * row["error"], row["js_unbiased"]
        )
    return Evaluation(
        pd.DataFrame(rows, columns=METRIC_COLUMNS),
        _compare({method: int(wrong.sum()) for method, wrong in mistakes.items()}, len(test)),
        pd.concat(histograms).loc[:, HISTOGRAM_COLUMNS],
        {
            "methods": np.array(list(mistakes)),
            "mistakes": np.stack(list(mistakes.values()), axis=1),
            "related": np.asarray(test.related),
        },
    )


def _judge(
    validation_values: npt.NDArray[np.float64], validation: Pairs, values: npt.NDArray[np.float64], test: Pairs
) -> tuple[dict[str, Any], npt.NDArray[np.bool_], pd.DataFrame]:
    """Return the metrics of a method, a mask of the test pairs that it misclassifies, and a histogram.

    The histogram counts the validation pairs by the scaled distance between the two texts of each pair.
    """
    scale = Scale.of(validation_values)
    split, validation_error = best_split(scale(validation_values), validation.related)
    scaled = scale(values)
    mistakes = wrong(scaled, test.related, split)
    errors = class_errors(mistakes, test.related)
    low, high = error_interval(mistakes, test.related)
    row = {
        "error": float(np.mean(errors)),
        "error_low": low,
        "error_high": high,
        "error_related": errors[0],
        "error_non_related": errors[1],
        "js_authors": js_authors(scaled, test.related),
        "js_unbiased": js_unbiased(scaled, test.related),
        "validation_error": validation_error,
        "split": split,
        "lowest": scale.low,
        "highest": scale.high,
        "pairs": len(test),
        "mistakes": int(mistakes.sum()),
    }
    return row, mistakes, _histogram(1 - scale(validation_values), validation.related)


def _histogram(distances: npt.NDArray[np.float64], related: npt.NDArray[np.bool_]) -> pd.DataFrame:
    """Return a histogram of distances from 0 to 1 as a table with separate counts for related and non-related pairs."""
    edges = np.linspace(0, 1, HISTOGRAM_BINS + 1)
    counts = {
        "related": np.histogram(distances[related], edges)[0],
        "non_related": np.histogram(distances[~related], edges)[0],
    }
    return pd.DataFrame({"low": edges[:-1], "high": edges[1:], **counts})


def _compare(mistakes: Mapping[str, int], pairs: int) -> pd.DataFrame:
    """Compare the error rate of each method with that of every other method, using two-tailed binomial tests.

    The null hypothesis is that the method has the error rate that was measured for the other method, the reference.

    Args:
        mistakes: number of misclassified test pairs for each method.
        pairs: number of test pairs.
    """
    rows = [
        (a, b, pairs, mistakes[a] / pairs, mistakes[b], binomial_p(mistakes[b], pairs, mistakes[a] / pairs))
        for a, b in itertools.permutations(mistakes, 2)
    ]
    return pd.DataFrame(rows, columns=BINOMIAL_COLUMNS)


def count_pairs(folders: Mapping[str, str | Path]) -> pd.DataFrame:
    """Count the related and non-related pairs in each split of each set of text pairs, and summarise text lengths.

    Args:
        folders: mapping from the name of each set to its folder. The folder contains ``counts.csv``, in which the rows
            with a note state how many pairs or texts were omitted and why. These rows are copied to the table.

    Returns:
        A table with the columns source (the name of the set), split, related, pairs, words_least, words_mean,
        words_most (the smallest, mean and largest number of words in a text) and note, followed by any other columns of
        the copied rows.
    """
    parts = []
    for source, folder in folders.items():
        for split, pairs in open_pairs(folder).splits.items():
            for related in (True, False):
                some = pairs.take(pairs.related == related)
                words = np.concatenate([(some.first >= 0).sum(axis=1), (some.second >= 0).sum(axis=1)])
                sizes = {"words_least": words.min(), "words_mean": words.mean(), "words_most": words.max()}
                parts.append({"split": split, "related": related, "pairs": len(some), **sizes, "source": source})
        notes = read_csv(Path(folder) / "counts.csv", ["note"])
        parts += notes[notes["note"].notna()].assign(source=source).to_dict("records")
    columns = ["source", "split", "related", "pairs", "words_least", "words_mean", "words_most", "note"]
    frame = pd.DataFrame(parts)
    frame = frame.reindex(columns=[*columns, *(name for name in frame if name not in columns)])
    for name in frame.columns.difference(["words_mean"]):
        if pd.api.types.is_float_dtype(frame[name]):
            frame[name] = frame[name].astype("Int64")
    return frame
