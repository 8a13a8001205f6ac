"""Helpers for the tests of training costs: model folders as written by training, and tables of scores."""

import numpy as np
import pandas as pd

from helpers_evaluation import encoder_of, score_rows
from sentrep.evaluation.sts.sets import STANDARD


def model_folder(root, name, seed=1, seconds=100.0, words=4, dimension=3, inputs=(), history=True, **meta):
    """Write the folder ``<root>/<name>/seed<seed>``; ``inputs`` are (folder, name) pairs as in ``meta.json``."""
    folder = root / name / f"seed{seed}"
    folder.mkdir(parents=True)
    record = {
        "family": "siamese_cbow",
        "parameters": {"epochs": 2},
        "seed": seed,
        "threads": 1,
        "device": "cpu",
        "processor": "a processor",
        "corpus": {"sentences": 50_000},
        "inputs": {f"input{place}": list(parts) for place, parts in enumerate(inputs)},
        "seconds": seconds,
        **meta,
    }
    vectors = {f"w{i}": np.arange(dimension) + i for i in range(words)}
    encoder_of(vectors, meta={key: value for key, value in record.items() if value is not None}).save(folder)
    if history:
        history_of().to_csv(folder / "training.csv", index=False)
    return folder


def history_of(rates=(100.0, 50.0, 200.0, 100.0), step=1000):
    """Return a ``training.csv`` of two epochs with one row per ``step`` examples."""
    examples = step * np.arange(1, len(rates) + 1)
    return pd.DataFrame(
        {
            "examples": examples,
            "epoch": 2 * examples / examples[-1],
            "loss": 1.0,
            "learning_rate": 0.1,
            "examples_per_second": rates,
        }
    )


def sts_part(r, epochs=np.nan, missing=()):
    """Return a table of scores in which Pearson's r of a set is ``r(dataset)`` and Spearman's rho is half of that."""
    rows = [
        (
            *(protocol, s.year, s.dataset),
            *(
                (np.nan, np.nan, 0, 0)
                if s.dataset in missing
                else (r(s.dataset), r(s.dataset) / 2, s.pairs, s.scored_pairs)
            ),
        )
        for s in STANDARD
        for protocol in ("paper", "official")
    ]
    return score_rows(rows).assign(epochs=epochs)


def entry(name, column=None, label=None, baseline=False, seeds=(1,), table=8):
    """Return the settings of a model that a table reads; ``table`` is a table in the paper on Quick Thoughts."""
    reported = {"paper": "quick_thoughts", "table": table, "column": column} if column else None
    return {
        "id": name,
        "label": label or column or name,
        "baseline": baseline,
        "seeds": list(seeds),
        "reported": reported,
    }
