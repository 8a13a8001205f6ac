"""Draw random initial word vectors, which depend only on their shape, their distribution and a seed."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt


def normal_vectors(vocabulary_size: int, dimension: int, sigma: float, seed: int) -> npt.NDArray[np.float32]:
    """Return (V, d) float32 initial word vectors for averaging models, with components drawn from N(0, sigma^2)."""
    generator = np.random.default_rng([seed, 0])  # stream 0: initialisation; training draws from other streams
    return generator.standard_normal((vocabulary_size, dimension), dtype=np.float32) * np.float32(sigma)


def uniform_vectors(vocabulary_size: int, dimension: int, seed: int) -> npt.NDArray[np.float32]:
    """Return (V, d) float32 initial word vectors, with components drawn from U(-0.5 / d, 0.5 / d) as in word2vec.c."""
    generator = np.random.default_rng([seed, 0])
    vectors = generator.random((vocabulary_size, dimension), dtype=np.float32)
    vectors -= np.float32(0.5)
    vectors /= np.float32(dimension)
    return vectors
