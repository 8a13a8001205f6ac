"""Adadelta (Zeiler 2012) on a table of which a batch touches few rows."""

from __future__ import annotations

import torch
from torch import nn


class TableAdadelta:
    """The updates of ``torch.optim.Adadelta`` at the cost of the rows that have a gradient.

    A row without one does not move; its two running means only shrink by ``rho`` a step. That is made up for when it
    has a gradient again, so that results differ in rounding alone.

    Args:
        table: (V, d), its gradients sparse.
        lr: factor of the updates.
        rho: share that the running means keep in a step.
        eps: added under the square roots.
    """

    def __init__(self, table: nn.Parameter, *, lr: float, rho: float, eps: float) -> None:
        self.table, self.lr, self.rho, self.eps = table, lr, rho, eps
        self._squares, self._moves = torch.zeros_like(table), torch.zeros_like(table)
        self._seen = torch.zeros(len(table), dtype=torch.int64, device=table.device)  # steps up to the row's last
        self._steps = 0

    @torch.no_grad()
    def step(self) -> None:
        """Update the rows that have a gradient and forget it."""
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
