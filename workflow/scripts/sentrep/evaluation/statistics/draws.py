"""Write and read files of bootstrap draws, which describe how the results of a run vary over test items and seeds.

In each draw, the test items and then the seeds are resampled with replacement. The same test items are drawn for all
systems, and the same seeds for systems with the same number of seeds, so differences between systems are paired. A
quantity that depends on several values, such as the number of sets on which a system is best, is computed in each draw.
Its confidence interval is then computed from its values in all draws.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np

from sentrep.errors import SentrepError
from sentrep.evaluation.statistics.bootstrap import Floats, over_seeds
from sentrep.io.files import ARRAY_ERRORS, atomic_file

BOTH = "|"
"""Separator between protocols in a key that has several; the value of such a key is the same under all of them."""


class Key(NamedTuple):
    """The coordinates that identify a value in all tables and figures that show it.

    Attributes:
        system: id of the model, or the table column if the value does not belong to a model.
        row: evaluation set, task, relation or method.
        metric: name of the measure.
        protocol: evaluation protocol; in files, a key can have several protocols, joined by :data:`BOTH`.
        x: value on the horizontal axis of a figure, as formatted by :func:`axis`; "" for tables.
        item: the figure to which ``x`` belongs, as ``<paper>/<item>``; "" for tables.
    """

    system: str
    row: str
    metric: str
    protocol: str = ""
    x: str = ""
    item: str = ""


def axis(item: str, x: float) -> dict[str, str]:
    """Return the fields ``x`` and ``item`` of a key; both are empty if the argument ``x`` is NaN."""
    return {"x": "", "item": ""} if np.isnan(x) else {"x": f"{x:g}", "item": item}


@dataclass(frozen=True)
class Drawn:
    """The variation of a value over bootstrap draws.

    Attributes:
        items: number of test items.
        seeds: number of seeds.
        deviations: (DRAWS,) the value in each draw, minus the value for all test items and seeds.
    """

    items: int
    seeds: int
    deviations: Floats

    @classmethod
    def of(cls, items: int, measured: Floats, draws: Floats) -> Drawn:
        """Return the variation of a value's mean over seeds, after resampling the seeds in each draw of test items.

        Args:
            items: number of test items.
            measured: (n,) the value for each seed, computed from all test items.
            draws: (DRAWS, n) the value for each draw and seed, computed from the drawn test items.
        """
        return cls(items, len(measured), over_seeds(draws) - measured.mean())


Draws = Mapping[Key, Drawn]


def write_draws(path: str | Path, found: Iterable[tuple[Key, Drawn]]) -> None:
    """Write draws atomically to a ``.npz`` file, with deviations in float16.

    Rounding to float16 causes a relative error of at most 0.05% or, for deviations between -6e-5 and 6e-5, an absolute
    error of at most 3e-8.
    """
    of_key = dict(found)
    arrays = {
        "keys": np.array([list(key) for key in of_key], dtype=np.str_).reshape(-1, len(Key._fields)),
        "items": np.array([drawn.items for drawn in of_key.values()], dtype=np.int64),
        "seeds": np.array([drawn.seeds for drawn in of_key.values()], dtype=np.int64),
        "deviations": np.array([drawn.deviations for drawn in of_key.values()], dtype=np.float16),
    }
    # Every entry has the constant default time stamp of ZipInfo, so equal draws give identical files.
    with atomic_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, array in arrays.items():
            with archive.open(_entry(name), "w") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(f"{name}.npy")
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def read_draws(path: str | Path) -> Draws:
    """Read the draws from a file that :func:`write_draws` wrote.

    A key with several protocols is replaced with one key for each protocol.

    Raises:
        SentrepError: the file is missing or damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            keys = [Key(*fields) for fields in arrays["keys"].tolist()]
            columns = arrays["items"].tolist(), arrays["seeds"].tolist(), arrays["deviations"].astype(np.float64)
        found = {key: Drawn(*values) for key, *values in zip(keys, *columns, strict=True)}
        return {key._replace(protocol=p): drawn for key, drawn in found.items() for p in key.protocol.split(BOTH)}
    except ARRAY_ERRORS as error:
        raise SentrepError(
            path,
            expected="a file of bootstrap draws",
            found=f"no readable file ({type(error).__name__}: {error})",
            remedy="delete the file if it exists, and run `snakemake` again",
        ) from None
