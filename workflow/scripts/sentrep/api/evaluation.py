"""Score models and baselines on sentence pairs, with confidence intervals and paired significance tests."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from sentrep.api.compared import AnyModel, named_models, read_files, score_each
from sentrep.api.stores import cache_folder
from sentrep.encoders.base import Encoder
from sentrep.encoders.foreign import FunctionEncoder
from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.paired import Difference, Paired, compare, verdict
from sentrep.evaluation.statistics.wilcoxon import compare_models
from sentrep.evaluation.statistics.williams import compare_correlations
from sentrep.evaluation.sts.reader import collect_custom_sets, read_lee, read_pair_table, read_sources
from sentrep.evaluation.sts.score_table import in_paper_order
from sentrep.evaluation.sts.scoring import PROTOCOLS, score_sets
from sentrep.evaluation.sts.sets import YEARS, MissingSet, StsSet, gold_scores
from sentrep.io.csv_files import write_csv
from sentrep.io.files import write_json
from sentrep.io.folders import FolderKind, output_folder
from sentrep.provenance.environment import environment
from sentrep.runtime.devices import resolve_device

log = logging.getLogger("sentrep")

SCORES, TESTS, SUMMARY = "scores.csv", "tests.csv", "evaluation.json"


def _is_evaluation(folder: Path) -> bool:
    """Return whether a folder contains an evaluation and no other files, which overwriting would delete."""
    names = {path.name for path in folder.iterdir()}
    return SUMMARY in names and names <= {SCORES, TESTS, SUMMARY}


EVALUATION = FolderKind("an evaluation", _is_evaluation)


@dataclass(frozen=True)
class Evaluation:
    """The scores of models and baselines on sentence pairs.

    Attributes:
        models: names of the evaluated models.
        baselines: names of the untrained baselines.
        scores: table with the columns model, protocol, year, dataset, pearson, low, high, spearman, pairs,
            scored_pairs, oov_rate and all_oov_pairs. The columns low and high contain the bounds of the 95% confidence
            interval of Pearson's r.
        tests: table of Williams' and Wilcoxon's tests for all pairs of models, including the baselines, with p-values
            before and after Holm's correction. The columns are :data:`sentrep.evaluation.statistics.williams.COLUMNS`.
        paired: mapping from each protocol to the Pearson correlations of all models and baselines on each set, both
            over all pairs and in each bootstrap draw.
        missing: evaluation sets that could not be read, with the reason for each.
        notes: remarks on the baselines, and the warnings of each model.
    """

    models: list[str]
    baselines: list[str]
    scores: pd.DataFrame
    tests: pd.DataFrame
    paired: Mapping[str, Paired]
    missing: list[MissingSet]
    notes: list[str]

    @property
    def unknown_words(self) -> dict[str, float]:
        """Mapping from the name of each model and baseline to its share of unknown words, averaged over all sets.

        The share is NaN for functions and sentence-transformers models, whose vocabulary is unknown.
        """
        rates = self.scores["oov_rate"].to_numpy(np.float64)
        names = self.scores["model"].to_numpy()
        return {name: float(rates[names == name].mean()) for name in (*self.models, *self.baselines)}

    @property
    def differences(self) -> dict[str, list[Difference]]:
        """Mapping from each protocol to the differences in mean correlation between any two models or baselines."""
        return {protocol: paired.differences() for protocol, paired in self.paired.items()}

    @property
    def verdict(self) -> str:
        """Sentence that states which differences in mean correlation are significant under the protocol ``paper``.

        The sentence is empty if there is only one model and no baseline.
        """
        paired = self.paired[PROTOCOLS[0]]
        where = f"mean Pearson's r over {len(paired.sets)} sets" if len(paired.sets) > 1 else "Pearson's r"
        return verdict(paired.differences(), self.models, self.baselines, where)

    def save(self, path: str | Path, *, overwrite: bool = False) -> None:
        """Write the scores, the tests and the :meth:`summary` to ``scores.csv``, ``tests.csv`` and ``evaluation.json``.

        Args:
            path: folder to write, which must be new or empty unless an existing evaluation is overwritten.
            overwrite: whether to replace an existing evaluation.

        Raises:
            SentrepError: the folder cannot be used for output.
        """
        with output_folder(path, EVALUATION, overwrite=overwrite) as folder:
            write_csv(folder / SCORES, self.scores, float_format="%.6g")
            write_csv(folder / TESTS, self.tests, float_format="%.6g")
            write_json(folder / SUMMARY, self.summary())

    def summary(self) -> dict[str, Any]:
        """Return the contents of ``evaluation.json``.

        The contents are the verdict, the names of the models, baselines and sets, the mean correlations and their
        differences, the reasons why sets could not be read, the notes, the date and time, the machine and the software
        versions.
        """
        means = {
            protocol: {model: dict(zip(("mean", "low", "high"), paired.mean(model), strict=True)) for model in names}
            for protocol, paired in self.paired.items()
            for names in [[*self.models, *self.baselines]]
        }
        return {
            "verdict": self.verdict,
            "models": self.models,
            "baselines": self.baselines,
            "sets": [f"{year} {dataset}" for year, dataset in self.paired[PROTOCOLS[0]].sets],
            "means": means,
            "differences": {
                protocol: [difference._asdict() for difference in found] for protocol, found in self.differences.items()
            },
            "missing": [gap.reason for gap in self.missing],
            "notes": self.notes,
            **environment(),
        }


def evaluate(
    models: AnyModel | Sequence[AnyModel] | Mapping[str, AnyModel],
    *,
    data: str | Path | Sequence[str | Path] = "sts",
    mirror: str | Path | None = None,
    corpus: str | Path | Sequence[str | Path] | None = None,
    baselines: bool = True,
    tokeniser: str = "kenter",
    device: str = "auto",
    cache: str | Path | None = None,
) -> Evaluation:
    """Score models and untrained baselines on sentence pairs.

    The baselines are random word vectors, random word vectors weighted by idf, and tf-idf.

    Args:
        models: one model, a list of models, or a mapping from names to models. A model is a path (see
            :func:`sentrep.api.opening.open_encoder`), a :class:`Model`, an :class:`Encoder`, or a function from a list
            of sentences to an array.
        data: one or more data sets, each of which is "sts" (the 20 SemEval sets), "lee" (Lee et al., 2005), "sample"
            (hand-written pairs), the path of a folder with files STS.input.NAME.txt and STS.gs.NAME.txt, or the path of
            a file in which each line contains two sentences and a score, separated by tabs.
        mirror: folder that contains the SemEval sets in ``sts/2012`` to ``sts/2015``, or None. The sets of a year whose
            folder is missing are downloaded to the cache.
        corpus: text or token store that provides the vocabulary and document frequencies of the baselines; if None, the
            evaluated sentences provide them.
        baselines: whether to score the untrained baselines as well.
        tokeniser: tokeniser for the baselines and for models that are files of word vectors. If ``corpus`` is a token
            store, the baselines use the tokeniser of the store instead.
        device: "auto", "cpu" or "cuda".
        cache: folder for downloads and token stores; by default, :func:`sentrep.api.stores.cache_folder`.

    Raises:
        SentrepError: a model, a data set or ``corpus`` cannot be read, vectors are not finite, or ``device`` is not
            available.
    """
    sets, missing = read_data(data, mirror, Path(cache) if cache else cache_folder())
    texts = tuple(dict.fromkeys(text for sts in sets for text in (*sts.sentences1, *sts.sentences2)))
    on, named = resolve_device(device), named_models(models)
    frames, similarities = [], {}

    def score(name: str, encoder: Encoder) -> None:
        scores, cosines = score_sets(encoder, sets, name=name, undefined="nan")
        if isinstance(encoder, FunctionEncoder):
            scores["oov_rate"] = np.nan
        frames.append(in_paper_order(scores).assign(model=name))
        similarities[name] = cosines
        log.info("scored %s; number of sets of sentence pairs: %d", name, len(sets))

    notes = score_each(
        named, texts, score, corpus=corpus, baselines=baselines, tokeniser=tokeniser, device=on, cache=cache
    )
    gold = gold_scores(sets)
    paired = {protocol: compare(similarities, gold, protocol) for protocol in PROTOCOLS}
    return Evaluation(
        models=list(named),
        baselines=[name for name in similarities if name not in named],
        scores=_with_intervals(pd.concat(frames, ignore_index=True), paired),
        tests=compare_correlations(similarities, gold, compare_models(similarities)),
        paired=paired,
        missing=missing,
        notes=notes,
    )


def read_data(
    data: str | Path | Sequence[str | Path], mirror: str | Path | None, cache: Path
) -> tuple[list[StsSet], list[MissingSet]]:
    """Read the sets of sentence pairs that are listed in ``data``; see :func:`evaluate`.

    Returns:
        The sets, and a description of each set that could not be read.

    Raises:
        SentrepError: a name or path does not exist, a data set is malformed or cannot be downloaded, no set can be
            read, or both "sts" and "sample" are given.
    """
    names = [str(name) for name in ([data] if isinstance(data, (str, Path)) else data)]
    if {"sts", "sample"} <= set(names):
        raise SentrepError(
            "data", expected="either sts or sample", found="both", remedy="pass only one of the two names"
        )

    sets: list[StsSet] = []
    missing: list[MissingSet] = []
    for name in dict.fromkeys(names):
        if name in ("sts", "sample"):
            suffix = "_sample" if name == "sample" else ""
            manifests = {year: f"sts_{year}{suffix}" for year in YEARS}
            found, absent = read_sources(
                {year: (row, read_files(row, mirror, cache)) for year, row in manifests.items()}
            )
            sets += found
            missing += absent
        elif name == "lee":
            documents, matrix = (content for _, content in read_files("lee", mirror, cache))
            sets.append(read_lee(documents, matrix, "lee"))
        elif Path(name).is_dir():
            members = [(path.name, path.read_bytes()) for path in sorted(Path(name).iterdir()) if path.is_file()]
            sets += collect_custom_sets(members, name)
        elif Path(name).is_file():
            sets.append(read_pair_table(Path(name).read_bytes(), name))
        else:
            raise SentrepError(
                "data",
                expected="sts, lee, sample, a file of sentence pairs, or a folder of STS.input.* and STS.gs.* files",
                found=f"'{name}', which does not exist",
                remedy="correct the name or the path",
            )
    counts = Counter((one.year, one.dataset) for one in sets)
    if repeated := [f"{year} {dataset}" if year else dataset for (year, dataset), n in counts.items() if n > 1]:
        raise SentrepError(
            "data",
            expected="sets with different names",
            found=f"several sets named {repeated[0]}",
            remedy="rename one of the files, or pass each file only once",
        )
    if not sets:
        raise SentrepError(
            "data", expected="sentence pairs", found="no readable set", remedy="check the data and the mirror folder"
        )
    return sets, missing


def _with_intervals(scores: pd.DataFrame, paired: Mapping[str, Paired]) -> pd.DataFrame:
    """Return the scores with two more columns for the bounds of the 95% confidence intervals of Pearson's r."""
    keys = zip(scores["protocol"], scores["year"], scores["dataset"], scores["model"], strict=True)
    ends = [paired[protocol].of_set((year, dataset), model)[1:] for protocol, year, dataset, model in keys]
    columns = ["model", "protocol", "year", "dataset", "pearson", "low", "high", "spearman"]
    columns += ["pairs", "scored_pairs", "oov_rate", "all_oov_pairs"]
    return scores.assign(low=[low for low, _ in ends], high=[high for _, high in ends]).reindex(columns=columns)
