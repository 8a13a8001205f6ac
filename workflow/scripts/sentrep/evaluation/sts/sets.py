"""List the 20 SemEval sets of sentence pairs, and write and read the files in which a run stores its sets.

The pairs of all sets are stored in one file. Each line is a JSON object with the keys year, dataset, pair (the number
of the pair in its set, counted from 0), sentence1, sentence2 and gold (the human score or null). A second file
describes the sets. It lists the sets found and the missing sets, and states whether the pairs are sample data.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from sentrep.io.files import read_json, write_json
from sentrep.io.json_lines import read_json_lines, write_json_lines

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True)
class Standard:
    """One of the 20 SemEval sets on which Kenter et al. (2016) evaluate.

    Attributes:
        year: year of the SemEval task.
        dataset: name of the set in the release.
        label: name of the set in the tables of Kenter et al.
        pairs: number of sentence pairs.
        scored_pairs: number of pairs with a human score.
    """

    year: int
    dataset: str
    label: str
    pairs: int
    scored_pairs: int


# The sets in the order of the tables in Kenter et al. (2016). They have 17,608 pairs, of which 12,108 have a score.
STANDARD = (
    Standard(2012, "MSRpar", "MSRpar", 750, 750),
    Standard(2012, "MSRvid", "MSRvid", 750, 750),
    Standard(2012, "OnWN", "OnWN", 750, 750),
    Standard(2012, "SMTeuroparl", "SMTeuroparl", 459, 459),
    Standard(2012, "SMTnews", "SMTnews", 399, 399),
    Standard(2013, "FNWN", "FNWN", 189, 189),
    Standard(2013, "OnWN", "OnWN", 561, 561),
    Standard(2013, "SMT", "SMT", 750, 750),
    Standard(2013, "headlines", "headlines", 750, 750),
    Standard(2014, "OnWN", "OnWN", 750, 750),
    Standard(2014, "deft-forum", "deft-forum", 450, 450),
    Standard(2014, "deft-news", "deft-news", 300, 300),
    Standard(2014, "headlines", "headlines", 750, 750),
    Standard(2014, "images", "images", 750, 750),
    Standard(2014, "tweet-news", "tweet-news", 750, 750),
    Standard(2015, "answers-forums", "answ-forums", 2000, 375),
    Standard(2015, "answers-students", "answ-students", 1500, 750),
    Standard(2015, "belief", "belief", 2000, 375),
    Standard(2015, "headlines", "headlines", 1500, 750),
    Standard(2015, "images", "images", 1500, 750),
)
YEARS = tuple(sorted({standard.year for standard in STANDARD}))

# In the public release, a licence notice replaces the sentences of this set. Users can obtain the sentences from the
# Linguistic Data Consortium (LDC).
LICENSED = {(2013, "SMT")}

LEE_YEAR, LEE_DATASET = 2005, "Lee"
CUSTOM_YEAR = 0  # custom sets have no year


@dataclass(frozen=True)
class StsSet:
    """A set of n sentence pairs with human scores.

    Attributes:
        year: year of the SemEval task; :data:`LEE_YEAR` or :data:`CUSTOM_YEAR` for other sets.
        dataset: name of the set.
        sentences1: the first sentence of each of the n pairs.
        sentences2: the second sentence of each of the n pairs.
        gold: (n,) float64 human scores, from 0 to 5 in the SemEval sets; NaN for pairs without a score.
    """

    year: int
    dataset: str
    sentences1: list[str]
    sentences2: list[str]
    gold: npt.NDArray[np.float64]

    @property
    def pairs(self) -> int:
        """The number of pairs, including pairs without a human score."""
        return len(self.sentences1)

    @property
    def scored_pairs(self) -> int:
        """The number of pairs with a human score."""
        return int(np.isfinite(self.gold).sum())

    @property
    def standard(self) -> bool:
        """Whether this is one of the 20 SemEval sets, or a sample that replaces one of them."""
        return self.year in YEARS


@dataclass(frozen=True)
class MissingSet:
    """A set of sentence pairs that could not be read, and the reason.

    The tables of a run contain no measured scores for this set, and a note states the reason.
    """

    year: int
    dataset: str
    reason: str


def deviations(sets: Sequence[StsSet]) -> list[str]:
    """Return a note for each SemEval set whose number of pairs or of scored pairs differs from that in the release."""
    released = {(standard.year, standard.dataset): standard for standard in STANDARD}
    notes = []
    for sts in sets:
        standard = released.get((sts.year, sts.dataset))
        if standard and (sts.pairs, sts.scored_pairs) != (standard.pairs, standard.scored_pairs):
            notes.append(
                f"{sts.year} {sts.dataset}: {sts.pairs} pairs ({sts.scored_pairs} with a human score); "
                f"the release has {standard.pairs} pairs ({standard.scored_pairs} with a human score)"
            )
    return notes


def write_sets(
    sets: Sequence[StsSet],
    missing: Sequence[MissingSet],
    pairs_path: str | Path,
    description_path: str | Path,
    *,
    sample: bool,
    description: str,
) -> None:
    """Write a file with the sentence pairs of all sets, and a file that describes the sets.

    Args:
        sets: sets of sentence pairs.
        missing: sets that could not be read.
        pairs_path: ``.jsonl`` file to write for the pairs.
        description_path: ``.json`` file to write for the description.
        sample: whether the pairs are hand-written samples.
        description: one sentence that states where the pairs come from.
    """
    write_json_lines(pairs_path, _pairs(sets))
    semeval = [sts for sts in sets if sts.standard]  # the total is compared with the paper's 17,608 pairs
    write_json(
        description_path,
        {
            "description": description,
            "sample": sample,
            "pairs": sum(sts.pairs for sts in semeval),
            "scored_pairs": sum(sts.scored_pairs for sts in semeval),
            "sets": [
                {"year": s.year, "dataset": s.dataset, "pairs": s.pairs, "scored_pairs": s.scored_pairs} for s in sets
            ],
            "missing": [asdict(gap) for gap in missing],
            "notes": [] if sample else deviations(sets),
        },
    )


def _pairs(sets: Sequence[StsSet]) -> Iterator[dict[str, Any]]:
    for sts in sets:
        rows = zip(sts.sentences1, sts.sentences2, sts.gold.tolist(), strict=True)
        for pair, (first, second, gold) in enumerate(rows):
            key = {"year": sts.year, "dataset": sts.dataset, "pair": pair}
            yield {**key, "sentence1": first, "sentence2": second, "gold": None if np.isnan(gold) else gold}


def load_sets(
    pairs_path: str | Path, description_path: str | Path
) -> tuple[list[StsSet], list[MissingSet], dict[str, Any]]:
    """Read the files that :func:`write_sets` wrote.

    Returns:
        The sets, the missing sets, and the content of the file that describes the sets.
    """
    description = read_json(description_path)
    sets = {
        (entry["year"], entry["dataset"]): StsSet(entry["year"], entry["dataset"], [], [], np.empty(0))
        for entry in description["sets"]
    }
    gold: dict[tuple[int, str], list[float]] = {key: [] for key in sets}
    for record in read_json_lines(pairs_path):
        key = (record["year"], record["dataset"])
        sets[key].sentences1.append(record["sentence1"])
        sets[key].sentences2.append(record["sentence2"])
        gold[key].append(np.nan if record["gold"] is None else record["gold"])
    whole = [replace(sts, gold=np.array(gold[key], dtype=np.float64)) for key, sts in sets.items()]
    return whole, [MissingSet(**entry) for entry in description["missing"]], description


def gold_scores(sets: Sequence[StsSet]) -> pd.DataFrame:
    """Return the human scores of all pairs as a table with the columns year, dataset, pair and gold.

    Pairs are counted from 0 in each set. Pairs without a human score have the score NaN.
    """
    import pandas as pd  # imported here because the configuration imports this module but does not need pandas

    frames = [
        pd.DataFrame({"year": sts.year, "dataset": sts.dataset, "pair": range(sts.pairs), "gold": sts.gold})
        for sts in sets
    ]
    empty = pd.DataFrame(columns=["year", "dataset", "pair", "gold"])
    return pd.concat(frames, ignore_index=True) if frames else empty
