"""Express dense features in the coordinates of their principal axes, on the CPU or on a GPU."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import torch

Matrix = npt.NDArray[np.floating]

_BLOCK = 4096  # number of rows to process at a time
_SMALLEST = 1e-12  # axes with smaller eigenvalues, relative to the largest eigenvalue, are dropped


class DeviceMatrix:
    """A matrix on a device, whose products with NumPy arrays are NumPy arrays.

    Args:
        values: (n, r) float32 or float64.
    """

    def __init__(self, values: torch.Tensor) -> None:
        self.values = values

    @property
    def T(self) -> DeviceMatrix:  # noqa: N802, the name in NumPy
        """The transpose, which shares the memory of the matrix."""
        return DeviceMatrix(self.values.T)

    @property
    def dtype(self) -> np.dtype[np.floating]:
        """Data type of the values and of all products."""
        return np.dtype(np.float64 if self.values.dtype == torch.float64 else np.float32)

    def __matmul__(self, other: Matrix) -> Matrix:
        return (self.values @ torch.from_numpy(other).to(self.values.device)).numpy(force=True)


def rotate_columns(rows: Matrix, step: int, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Rotate rows onto their principal axes, and return them with the sums of squares of their columns.

    On the CPU, the rows are rotated in place, because they may occupy half of the memory.

    Args:
        rows: (n, r) features.
        step: the axes are computed from every ``step``-th row.
        device: torch device.

    Returns:
        The (n, r) rotated rows and (r,) sums of squares, both on the device.
    """
    values = torch.from_numpy(rows).to(device)
    chosen = values[::step]
    gram = torch.zeros((values.shape[1],) * 2, dtype=torch.float64, device=device)
    for block in chosen.split(_BLOCK):
        gram += block.double().T @ block.double()
    axes = torch.linalg.eigh(gram)[1].to(values.dtype)
    for block in values.split(_BLOCK):
        block[:] = block @ axes
    return values, torch.linalg.vector_norm(values, dim=0).square()


def span_rows(rows: Matrix, device: str) -> tuple[torch.Tensor, torch.Tensor]:
    """Return the coordinates of rows in the space that they span, and the sums of squares of the columns.

    There are at most as many coordinates as rows. No information is lost, because the optimal weights of every problem
    lie in this space.

    Args:
        rows: (n, d) features.
        device: torch device.

    Returns:
        The (n, r) coordinates and (r,) sums of squares, both on the device; r is at most n.
    """
    exact = torch.from_numpy(rows).to(device).double()
    values, vectors = torch.linalg.eigh(exact @ exact.T)
    kept = values > values[-1] * _SMALLEST
    values = values[kept]
    dtype = torch.float64 if rows.dtype == np.float64 else torch.float32
    return (vectors[:, kept] * values.sqrt()).to(dtype), values.to(dtype)
