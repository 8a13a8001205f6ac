"""The file of bootstrap draws: the variation of each value of a run over test items and seeds.

In each draw, test items and then seeds are sampled with replacement, as many of each as there are. All systems are
tested on the same drawn items, and systems with equally many seeds on the same drawn seeds, so the difference of two
values in a draw is paired. Anything that is computed from several values, such as the number of sets on which a system
is best, is computed once for each draw; its interval follows from the draws.
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
from sentrep.io.files import atomic_file

BOTH = "|"
"""Between protocols that give the same value."""


class Key(NamedTuple):
    """What identifies a value in every table and figure that shows it.

    Attributes:
        system: id of the model; the column if values have no system.
        row: evaluation set, task, relation or method.
        metric: what is measured.
        protocol: evaluation protocol; in files also several, joined by :data:`BOTH`.
        x: value on the horizontal axis, written by :func:`axis`; "" for tables.
        item: ``<paper>/<item>`` if there is ``x``, whose meaning depends on the figure; "" for tables.
    """

    system: str
    row: str
    metric: str
    protocol: str = ""
    x: str = ""
    item: str = ""


def axis(item: str, x: float) -> dict[str, str]:
    """Return the fields ``x`` and ``item`` of a key; both empty if ``x`` is NaN."""
    return {"x": "", "item": ""} if np.isnan(x) else {"x": f"{x:g}", "item": item}


@dataclass(frozen=True)
class Drawn:
    """The variation of a value.

    Attributes:
        items: number of test items.
        seeds: number of seeds.
        deviations: (DRAWS,) the mean over the drawn seeds on the drawn items, minus the mean over all.
    """

    items: int
    seeds: int
    deviations: Floats

    @classmethod
    def of(cls, items: int, measured: Floats, draws: Floats) -> Drawn:
        """Draw seeds.

        Args:
            items: number of test items.
            measured: (n,), the value of each seed on all items.
            draws: (DRAWS, n), the value of each seed on the drawn items.
        """
        return cls(items, len(measured), over_seeds(draws) - measured.mean())


Draws = Mapping[Key, Drawn]


def write_draws(path: str | Path, found: Iterable[tuple[Key, Drawn]]) -> None:
    """Write draws atomically as one ``.npz`` file; deviations are kept as float16, which is exact to 0.05%."""
    of_key = dict(found)
    arrays = {
        "keys": np.array([list(key) for key in of_key], dtype=np.str_).reshape(-1, len(Key._fields)),
        "items": np.array([drawn.items for drawn in of_key.values()], dtype=np.int64),
        "seeds": np.array([drawn.seeds for drawn in of_key.values()], dtype=np.int64),
        "deviations": np.array([drawn.deviations for drawn in of_key.values()], dtype=np.float16),
    }
    # as np.savez_compressed, without the time of day, so that the same draws give the same bytes
    with atomic_file(path) as temporary, zipfile.ZipFile(temporary, "w") as archive:
        for name, array in arrays.items():
            with archive.open(_entry(name), "w") as stream:
                np.lib.format.write_array(stream, array, allow_pickle=False)


def _entry(name: str) -> zipfile.ZipInfo:
    entry = zipfile.ZipInfo(f"{name}.npy")
    entry.compress_type = zipfile.ZIP_DEFLATED
    return entry


def read_draws(path: str | Path) -> Draws:
    """Read a file written by :func:`write_draws`.

    Raises:
        SentrepError: the file is missing or damaged.
    """
    try:
        with np.load(path, allow_pickle=False) as arrays:
            keys = [Key(*fields) for fields in arrays["keys"].tolist()]
            columns = arrays["items"].tolist(), arrays["seeds"].tolist(), arrays["deviations"].astype(np.float64)
        found = {key: Drawn(*values) for key, *values in zip(keys, *columns, strict=True)}
        return {key._replace(protocol=p): drawn for key, drawn in found.items() for p in key.protocol.split(BOTH)}
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise SentrepError(
            path, expected="draws of the bootstrap", found=str(error), remedy="delete the file and run again"
        ) from None
