"""Weights of a text's words from the learnt weights: a linear map that depends on the text's length only.

De Boom et al. 2016, section 3.3: m weights are learnt; a text of n words takes its weights from n places spread
evenly over them, by linear interpolation.
"""

from __future__ import annotations

from typing import Literal

import numpy as np
import numpy.typing as npt

Divisor = Literal["n", "sqrt_n"]
EPSILON = 1e-5  # "arbitrarily small" in the paper; this value is the released code's


def interpolation(length: int, size: int) -> npt.NDArray[np.float64]:
    """Return the (length, size) matrix that turns ``size`` learnt weights into those of a text's words.

    Word j stands at place I = j (size - 1) / (length - 1); its weight is
    (w[ceil I] - w[floor I]) (I - floor I) / (ceil I - floor I + EPSILON) + w[floor I].
    Length ``size`` gives the identity. A longer text is not cut: its places are closer than 1.
    """
    places = np.linspace(0, size - 1, length)
    # rounding must not push a whole number below itself, which would be another cell
    whole = np.round(places)
    places = np.where(np.abs(places - whole) < 1e-9, whole, places)
    low, high = np.floor(places).astype(np.int64), np.ceil(places).astype(np.int64)
    share = (places - low) / (high - low + EPSILON)
    matrix = np.zeros((length, size))
    rows = np.arange(length)
    matrix[rows, low] += 1 - share
    matrix[rows, high] += share
    return matrix


def length_map(length: int, size: int, divisor: Divisor) -> npt.NDArray[np.float64]:
    """Return the (length, size) map from learnt weights to the factors of a text's words, Equation (3).

    A text's vector is the sum over its words, by descending idf, of factor times word vector. ``divisor`` is n, the
    number of words, in the paper; "sqrt_n" is ours, to see how much of a result comes from longer texts having
    shorter vectors.
    """
    return interpolation(length, size) / (length if divisor == "n" else np.sqrt(length))


def length_maps(longest: int, size: int, divisor: Divisor) -> npt.NDArray[np.float64]:
    """Return the maps for all lengths up to ``longest``, (longest + 1, longest, size); zeros after a text's end."""
    maps = np.zeros((longest + 1, longest, size))
    for length in range(1, longest + 1):
        maps[length, :length] = length_map(length, size, divisor)
    return maps
