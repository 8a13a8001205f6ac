"""Compare systems with untrained baselines by their mean correlation with human scores.

The comparison is repeated for three treatments of unknown words (see :func:`ablation`). The confidence interval of the
difference between a system and its baseline comes from a bootstrap over sentence pairs and seeds. Each draw samples,
with replacement, the pairs of every set and then the seeds. In each draw, a system and its baseline have the same pairs
and seeds.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pandas as pd

from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.bootstrap import DRAWS, SET_SEED, Floats, correlation_draws, interval, over_seeds
from sentrep.evaluation.sts.sets import STANDARD, gold_scores, load_sets
from sentrep.io.csv_files import read_csv, write_csv

CONVENTIONS = ("omitted", "omitted, empty pairs differ", "random")
COLUMNS = [
    "section", "label", "model", "baseline", "convention", "pearson", "sd", "seeds", "difference", "low", "high",
    "sets", "loss", "lowest_norms",
]  # fmt: skip
_PAIR = ["year", "dataset", "pair"]
_LAST = 0.25  # the loss is averaged over this final fraction of training
_WORDS = 10  # number of lowest-norm words to list


def ablation(
    similarities: Sequence[str],
    unknown_words: Sequence[str],
    models: Sequence[str],
    pairs: str,
    description: str,
    runs: Sequence[tuple[str, int]],
    systems: Sequence[Mapping[str, Any]],
    csv: str,
) -> None:
    """Write each system's mean correlation with human scores over all sets, and its difference from that of a baseline.

    A missing human score counts as 0, as in the protocol ``paper``. Unknown words are treated in three ways. "omitted"
    ignores unknown words; if neither sentence of a pair has a known word, the similarity of the two sentences is 1, as
    in the released code of Kenter et al. (2016). "omitted, empty pairs differ" does the same, except that the
    similarity of such a pair is 0. "random" gives each unknown word a random vector; models that do not average word
    vectors have no row for this treatment.

    Args:
        similarities: files of similarities, one for each model and seed.
        unknown_words: files with the results of :func:`sentrep.evaluation.sts.unknown_words.random_unknown_words`, in
            the order of ``similarities``.
        models: model folders, in the order of ``similarities``.
        pairs: file of the sentence-pair sets.
        description: file that describes the sentence-pair sets.
        runs: model and seed of each file in ``similarities``.
        systems: one mapping for each system to report, with the keys section (of the table), label, id, seeds, and
            baseline (the id of the baseline).
        csv: file to write, with the columns :data:`COLUMNS`. ``loss`` is the mean training loss over the last quarter
            of training, averaged over seeds, and is empty for models without a recorded loss. ``lowest_norms`` lists
            the ten words whose vectors have the lowest norms in the model with the first seed, and is empty for models
            that do not average word vectors.

    Raises:
        SentrepError: a baseline has no scores for a seed of a system that is compared with it.
    """
    runs = [(name, seed) for name, seed in runs]  # Snakemake passes pairs as lists, which cannot be keys
    gold = gold_scores(load_sets(pairs, description)[0])
    frames = [_conventions(*files) for files in zip(similarities, unknown_words, strict=True)]
    folders = dict(zip(runs, models, strict=True))
    found = {c: SetMeans.of(dict(zip(runs, [f[c] for f in frames], strict=True)), gold) for c in CONVENTIONS}
    shortest = cache(lowest_norms)  # several sections of the table include the same baseline
    rows = []
    for system in systems:
        measured = [Path(folders[system["id"], seed]) for seed in system["seeds"]]
        loss = float(np.mean([final_loss(folder) for folder in measured]))
        words = " ".join(shortest(measured[0]))
        for convention, means in found.items():
            if result := means.compare(system["id"], system["baseline"], system["seeds"]):
                place = (system["section"], system["label"], system["id"], system["baseline"], convention)
                rows.append((*place, *result, means.sets, loss, words))
    write_csv(csv, pd.DataFrame(rows, columns=COLUMNS))


class Comparison(NamedTuple):
    """The result of comparing a system with a baseline.

    Attributes:
        mean: mean correlation of the system over sets and seeds.
        sd: sample standard deviation, over the seeds, of the mean correlation over sets; NaN for one seed.
        seeds: number of seeds.
        difference: mean correlation of the system minus that of the baseline, over the same seeds.
        low: lower end of the 95% confidence interval of the difference.
        high: upper end of the 95% confidence interval of the difference.
    """

    mean: float
    sd: float
    seeds: int
    difference: float
    low: float
    high: float


class SetMeans:
    """Correlations with human scores, averaged over all sets, for each system and seed.

    Args:
        measured: mean of Pearson's r over the sets, computed from all pairs and keyed by (system, seed).
        draws: mean of Pearson's r over the sets in each bootstrap draw, as (DRAWS,) arrays keyed by (system, seed).
        sets: number of sets.
    """

    def __init__(self, measured: dict[tuple[str, int], float], draws: dict[tuple[str, int], Floats], sets: int) -> None:
        self.measured, self.draws, self.sets = measured, draws, sets

    @classmethod
    def of(cls, runs: Mapping[tuple[str, int], pd.Series], gold: pd.DataFrame) -> SetMeans:
        """Compute the correlations between similarities and human scores, averaged over the sets.

        Args:
            runs: mapping from (system, seed) to a series of similarities, indexed by year, dataset and pair. Series
                that contain NaN are skipped.
            gold: human scores, with the columns year, dataset, pair and gold. A missing score (NaN) counts as 0.
        """
        keys = [key for key, values in runs.items() if values.notna().to_numpy().all()]
        if not keys:  # no model averages word vectors, so there are no similarities under the treatment "random"
            return cls({}, {}, 0)
        rows = pd.MultiIndex.from_arrays([gold[column] for column in _PAIR])
        values = np.stack([runs[key].reindex(rows).to_numpy(np.float64) for key in keys], axis=1)
        targets = np.nan_to_num(gold["gold"].to_numpy(np.float64))
        measured, draws, sets = np.zeros(len(keys)), np.zeros((DRAWS, len(keys))), 0
        for place, standard in enumerate(STANDARD):
            of_set = ((gold["year"] == standard.year) & (gold["dataset"] == standard.dataset)).to_numpy()
            if not of_set.any():
                continue
            sets += 1
            of_all, drawn = correlation_draws(values[of_set], targets[of_set], SET_SEED + place)
            measured += of_all
            draws += drawn
        of_run = {key: draws[:, column] / sets for column, key in enumerate(keys)}
        return cls(dict(zip(keys, (measured / sets).tolist(), strict=True)), of_run, sets)

    def compare(self, system: str, baseline: str, seeds: Sequence[int]) -> Comparison | None:
        """Compare a system with a baseline, seed by seed.

        Returns:
            The comparison, or None if the system has no measured correlation for one of the seeds.

        Raises:
            SentrepError: the baseline has no scores for one of the seeds.
        """
        if not all((system, seed) in self.measured for seed in seeds):
            return None
        missing = [seed for seed in seeds if (baseline, seed) not in self.measured]
        if missing:
            raise SentrepError(
                f"sweeps: {system}",
                expected=f"scores of the baseline {baseline} for all seeds of {system}",
                found=f"no scores for seed {missing[0]}",
                remedy=f"add seed {missing[0]} to the `seeds` of {baseline} or, if {system} averages word vectors, "
                "use a baseline that also averages word vectors",
            )
        ours = np.array([self.measured[system, seed] for seed in seeds])
        differences = ours - [self.measured[baseline, seed] for seed in seeds]
        draws = np.stack([self.draws[system, seed] - self.draws[baseline, seed] for seed in seeds], axis=1)
        low, high = interval(over_seeds(draws))
        sd = float(ours.std(ddof=1)) if len(seeds) > 1 else math.nan
        return Comparison(float(ours.mean()), sd, len(seeds), float(differences.mean()), low, high)


def final_loss(folder: Path) -> float:
    """Return the mean training loss of a model over the last quarter of its training; NaN if no loss was recorded."""
    if not (path := folder / "training.csv").exists():
        return math.nan
    history = read_csv(path, [])
    if "loss" not in history:
        return math.nan
    examples = history["examples"].to_numpy(np.float64)
    since = np.diff(examples, prepend=0)
    last = examples > (1 - _LAST) * examples[-1]
    return float(np.average(history["loss"][last], weights=since[last]))


def lowest_norms(folder: Path) -> list[str]:
    """Return the ten words whose vectors have the lowest norms, in ascending order of the norms.

    The list is empty if the model does not average word vectors.
    """
    from sentrep.encoders.base import AveragingEncoder
    from sentrep.encoders.registry import load_encoder

    encoder = load_encoder(folder)
    if not isinstance(encoder, AveragingEncoder):
        return []
    norms: npt.NDArray[np.float64] = np.linalg.norm(encoder.embeddings, axis=1)
    return [encoder.vocabulary[row] for row in np.argsort(norms, kind="stable")[:_WORDS]]


def _conventions(similarities: str, unknown_words: str) -> dict[str, pd.Series]:
    """Return the similarities of one model and seed under each treatment of unknown words.

    Args:
        similarities: file of similarities with unknown words omitted.
        unknown_words: file with the result of :func:`sentrep.evaluation.sts.unknown_words.random_unknown_words`.

    Returns:
        The similarities for each of the :data:`CONVENTIONS`, indexed by year, dataset and pair.
    """
    omitted = read_csv(similarities, [*_PAIR, "similarity"]).set_index(_PAIR)["similarity"]
    other = read_csv(unknown_words, [*_PAIR, "random", "both_unknown"]).set_index(_PAIR).loc[omitted.index]
    empty = other["both_unknown"].to_numpy() == 1
    found = (omitted, omitted.mask(empty, 0.0), other["random"])
    return {name: pd.Series(values) for name, values in zip(CONVENTIONS, found, strict=True)}
