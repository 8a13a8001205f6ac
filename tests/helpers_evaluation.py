"""Helpers for the tests of evaluation: the real sets, small encoders, and a function that runs a workflow script."""

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
    """Skip a test if the real sets are not available."""
    absent = pytest.mark.skipif(not (MIRROR / "sts").is_dir(), reason=f"no STS sets at {MIRROR}/sts")
    return pytest.mark.mirror(absent(test))


def mirror_members():
    """Yield (name, content) of the real files of all years."""
    for path in sorted((MIRROR / "sts").rglob("STS.*.txt")):
        yield str(path.relative_to(MIRROR)), path.read_bytes()


def encoder_of(vectors, tokeniser="whitespace", **options):
    """Return an averaging encoder with the given vectors, from {word: vector}."""
    matrix = np.array(list(vectors.values()), dtype=np.float32)
    return AveragingEncoder(matrix, list(vectors), tokeniser, **options)


def sts_set(sentences1, sentences2, gold):
    """Return a set of sentence pairs."""
    from sentrep.evaluation.sts.sets import StsSet

    return StsSet(2014, "images", list(sentences1), list(sentences2), np.array(gold, dtype=float))


def score_rows(rows):
    """Return a table of scores from (protocol, year, dataset, pearson, spearman, pairs, scored_pairs)."""
    import pandas as pd

    full = [(p, y, d, np.nan, r, rho, n, scored, 0.01, 0) for p, y, d, r, rho, n, scored in rows]
    return pd.DataFrame(full, columns=SCORE_COLUMNS)


class Names(dict):
    """A stand-in for Snakemake's lists of named items."""

    __getattr__ = dict.__getitem__


def run_script(name, *, input, output, params=None):
    """Run the job of a rule as Snakemake does; ``name`` is a script or the dotted name of a library function."""
    called = {"call": name if "." in name else f"{name}.main", **(params or {})}
    snakemake = SimpleNamespace(input=Names(input), output=Names(output), params=Names(called), log=[], threads=1)
    call(snakemake)
