"""The result tables of one run, read when a claim asks for them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import cache
from pathlib import Path

import numpy as np
import pandas as pd

from sentrep.io.csv_files import read_csv
from sentrep.io.files import read_json

PRINTED = "reported/"
MODELS, PROVENANCE = "models.csv", "provenance.json"
LEAST_SHARE = 0.9  # of the time of its cores; a model that had less was trained beside other programs
PAIRS = "weighted_aggregation/pairs.csv"


class RunTables:
    """Tables of a run and of the papers.

    Args:
        results: path below results/ -> file, of all that the run has.
        reported: folder of the printed values.
        record: ``provenance.json``, if there is one: older runs have no table of models.
    """

    def __init__(self, results: Mapping[str, Path], reported: Path, record: Path | None = None) -> None:
        self._results = dict(results)
        self._reported = reported
        self._record = record
        self.read = cache(self._read)

    def __contains__(self, name: str) -> bool:
        return name.startswith(PRINTED) or name in self._results

    def _read(self, name: str) -> pd.DataFrame:
        """Return a table by its path below results/, or ``reported/<paper>.csv``; do not change it.

        Raises:
            SentrepError: the file is no table.
        """
        if name.startswith(PRINTED):
            return pd.read_csv(self._reported / name.removeprefix(PRINTED), dtype=str, keep_default_na=False)
        return read_csv(self._results[name])

    @property
    def sentences(self) -> Mapping[str, int]:
        """Sentences that each trained model read, by id."""
        if MODELS in self._results:
            rows = self.read(MODELS).dropna(subset=["model", "sentences"])
            return {str(m): int(n) for m, n in zip(rows["model"], rows["sentences"], strict=True)}
        if self._record is None:
            return {}
        models = read_json(self._record).get("models", {})
        return {name: int(model["corpus"]["sentences"]) for name, model in models.items()}

    def disturbed(self, models: Sequence[str]) -> str:
        """Return why times of these models say little: they shared a GPU, or had too little of a core; or ""."""
        if self._shared_gpu:
            return "wall times of models that shared one GPU"
        if MODELS not in self._results:
            return ""
        rows = self.read(MODELS)
        rows = rows[rows["model"].isin(models) & (rows["device"] == "cpu")]
        shares = rows["processor_share"] if "processor_share" in rows else pd.Series(np.nan, rows.index)
        if (shares >= LEAST_SHARE).all():
            return ""
        return f"wall times of models that had less than {LEAST_SHARE:.0%} of their cores, or do not say"

    @property
    def _shared_gpu(self) -> bool:
        """Whether models shared a GPU: their training took longer in sum than from the first start to the last end.

        Runs without a record have trained one model at a time on a GPU, as the profile has it.
        """
        models = read_json(self._record).get("models", {}) if self._record else {}
        spans = [
            (datetime.fromisoformat(seed["time"]).timestamp(), float(seed["seconds"]))
            for model in models.values()
            for seed in model["seeds"].values()
            if seed.get("device") == "cuda"
        ]
        if not spans:
            return False
        first, last = min(end - seconds for end, seconds in spans), max(end for end, _ in spans)
        return sum(seconds for _, seconds in spans) > last - first

    @property
    def training_pairs(self) -> Mapping[str, int]:
        """Related pairs for training, by the name of the mined pairs."""
        if PAIRS not in self._results:
            return {}
        rows = self.read(PAIRS)
        rows = rows[(rows["split"] == "train") & (rows["related"].astype(str) == "True")]
        return {str(name): int(n) for name, n in zip(rows["source"], rows["pairs"], strict=True)}


def folder_tables(folder: Path, reported: Path) -> RunTables:
    """Return the tables of a published folder."""
    files = {str(path.relative_to(folder)): path for path in sorted(folder.rglob("*.csv"))}
    record = folder / PROVENANCE
    return RunTables(files, reported, record if record.exists() else None)
