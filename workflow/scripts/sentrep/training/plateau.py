"""Lower the learning rate when the validation accuracy stops improving, and keep the best model."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from sentrep.training.checkpoints import State
from sentrep.training.neural import NeuralLearner
from sentrep.training.schedule import constant

log = logging.getLogger("sentrep")


@dataclass
class Plateau:
    """The learning rate schedule of InferSent's released code.

    The rate is multiplied by ``decay`` after each epoch. If the validation accuracy after an epoch does not exceed the
    best accuracy so far, the rate is also divided by ``shrink``. Training ends if this division brings the rate below
    ``smallest``.

    Attributes:
        rate: learning rate of the next step.
        decay: factor applied after each epoch.
        shrink: divisor applied after an epoch without improvement.
        smallest: learning rate below which training ends.
        best: best accuracy so far; -1 until an accuracy has been measured.
        over: whether the schedule has ended the training.
    """

    rate: float
    decay: float
    shrink: float
    smallest: float
    best: float = -1.0
    over: bool = False

    def look(self, accuracy: float) -> bool:
        """Update the rate after an epoch, and return whether the epoch's accuracy is the best so far."""
        better = accuracy > self.best
        if better:
            self.best = accuracy
        else:
            self.rate /= self.shrink
            self.over = self.rate < self.smallest
        if not self.over:
            self.rate *= self.decay
        return better

    def state(self) -> npt.NDArray[np.float64]:
        """Return the rate, the best accuracy and whether training is over, as a (3,) float64 array."""
        return np.array([self.rate, self.best, self.over], dtype=np.float64)

    def restore(self, state: npt.NDArray[np.float64]) -> None:
        """Restore a state that :meth:`state` returned."""
        self.rate, self.best, self.over = float(state[0]), float(state[1]), bool(state[2])


class ValidatedLearner:
    """A :class:`sentrep.training.loop.Learner` whose learning rate depends on its validation accuracy.

    Pass its ``rates`` and ``finished`` methods to :class:`sentrep.training.loop.Course`.

    Args:
        learner: learner that takes the training steps.
        per_epoch: number of steps per epoch.
        accuracy: function that returns the accuracy on held-out items; the result must be the same in all processes.
        schedule: schedule of the learning rate.
    """

    def __init__(
        self, learner: NeuralLearner, per_epoch: int, accuracy: Callable[[], float], schedule: Plateau
    ) -> None:
        self._learner, self._per_epoch = learner, per_epoch
        self._accuracy, self.schedule = accuracy, schedule
        self._best: State = {}

    def rates(self, first: int, n: int) -> npt.NDArray[np.float64]:  # noqa: ARG002 - as in Course
        """Return the learning rate of the current epoch, repeated for each of the next ``n`` steps, (n,) float64."""
        return constant(n, self.schedule.rate)

    def finished(self) -> bool:
        """Return whether the schedule has ended the training."""
        return self.schedule.over

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Take one step for each learning rate, and return the (n,) losses.

        After the last step of an epoch, measure the accuracy and update the schedule.
        """
        losses = self._learner.advance(first, rates)
        if len(rates) and (first + len(rates)) % self._per_epoch == 0:
            accuracy = self._accuracy()
            if self.schedule.look(accuracy):
                self._best = self._learner.state()
            epoch = (first + len(rates)) // self._per_epoch
            log.info(
                "epoch %d: accuracy on held-out items %.2f%%, next learning rate %.3g",
                epoch,
                100 * accuracy,
                self.schedule.rate,
            )
        return losses

    def take_best(self) -> None:
        """Restore the state that the learner had after its best epoch, if an epoch has been completed."""
        if self._best:
            self._learner.restore(self._best)

    def state(self) -> State:
        """Return the learner's current state, its state after the best epoch, and the schedule's state."""
        best = {f"best.{name}": values for name, values in self._best.items()}
        return {**self._learner.state(), **best, "schedule": self.schedule.state()}

    def restore(self, state: State) -> None:
        """Restore a state that :meth:`state` returned."""
        self.schedule.restore(state["schedule"])
        self._best = {name.removeprefix("best."): v for name, v in state.items() if name.startswith("best.")}
        self._learner.restore({n: v for n, v in state.items() if n != "schedule" and not n.startswith("best.")})
