"""What the evaluation tests share: the real sets, small encoders, and running a workflow script."""

import os
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from sentrep.encoders.base import AveragingEncoder
from sentrep.evaluation.sts.scoring import SCORE_COLUMNS
from sentrep.runtime.job import call

ROOT = Path(__file__).parent.parent
MIRROR = Path(os.environ.get("SENTREP_MIRROR", ROOT.parent / "shared" / "mirror"))
REPORTED = ROOT / "workflow" / "reported" / "siamese_cbow.csv"


def needs_mirror(test):
    """Skip a test where the real sets are absent."""
    absent = pytest.mark.skipif(not (MIRROR / "sts").is_dir(), reason=f"no STS sets at {MIRROR}/sts")
    return pytest.mark.mirror(absent(test))


def mirror_members():
    """Yield (name, content) of the real files, all years."""
    for path in sorted((MIRROR / "sts").rglob("STS.*.txt")):
        yield str(path.relative_to(MIRROR)), path.read_bytes()


def encoder_of(vectors, tokeniser="whitespace", **options):
    """Return an averaging encoder from {word: vector}."""
    matrix = np.array(list(vectors.values()), dtype=np.float32)
    return AveragingEncoder(matrix, list(vectors), tokeniser, **options)


def score_rows(rows):
    """Return a score table from (protocol, year, dataset, pearson, spearman, pairs, scored_pairs)."""
    import pandas as pd

    full = [(p, y, d, np.nan, r, rho, n, scored, 0.01, 0) for p, y, d, r, rho, n, scored in rows]
    return pd.DataFrame(full, columns=SCORE_COLUMNS)


class Names(dict):
    """Stands in for Snakemake's lists of named items."""

    __getattr__ = dict.__getitem__


def run_script(name, *, input, output, params=None):
    """Run the job of a rule as Snakemake does: a script, or a function of the library by its dotted name."""
    called = {"call": name if "." in name else f"{name}.main", **(params or {})}
    snakemake = SimpleNamespace(input=Names(input), output=Names(output), params=Names(called), log=[], threads=1)
    call(snakemake)
