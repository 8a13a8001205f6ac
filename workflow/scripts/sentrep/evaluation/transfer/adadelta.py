"""Implement Adadelta (Zeiler 2012) for large embedding tables, of which each batch uses only a few rows."""

from __future__ import annotations

import torch


class TableAdadelta:
    """An optimiser that computes the same updates as ``torch.optim.Adadelta``, but only for rows with a gradient.

    A row without a gradient does not change, but its running means of squared gradients and of squared updates shrink
    by the factor ``rho`` in every step. This shrinkage is applied the next time that the row has a gradient, so the
    results differ from those of torch only by rounding errors.

    Args:
        table: (V, d) embedding table with sparse gradients.
        lr: learning rate.
        rho: decay factor of the running means.
        eps: constant that is added under the square roots.
    """

    def __init__(self, table: torch.Tensor, *, lr: float, rho: float, eps: float) -> None:
        self.table, self.lr, self.rho, self.eps = table, lr, rho, eps
        self._squares, self._moves = torch.zeros_like(table), torch.zeros_like(table)
        self._seen = torch.zeros(len(table), dtype=torch.int64, device=table.device)  # step of each row's last update
        self._steps = 0

    @torch.no_grad()
    def step(self) -> None:
        """Update the rows that have a gradient, and clear the gradient."""
        if self.table.grad is None:
            return
        gradient = self.table.grad.coalesce()
        rows, values = gradient.indices()[0], gradient.values()
        kept = (self.rho ** (self._steps - self._seen[rows]).to(values)).unsqueeze(1)
        squares = self._squares[rows].mul_(kept * self.rho).addcmul_(values, values, value=1 - self.rho)
        moves = self._moves[rows].mul_(kept)
        move = moves.add(self.eps).sqrt_().div_(squares.add(self.eps).sqrt_()).mul_(values)
        self.table.index_add_(0, rows, move, alpha=-self.lr)
        self._squares[rows] = squares
        self._moves[rows] = moves.mul_(self.rho).addcmul_(move, move, value=1 - self.rho)
        self._steps += 1
        self._seen[rows] = self._steps
        self.table.grad = None
