"""Training that looks at held-out items after each epoch: the rate falls if they do not improve, the best is kept."""

from __future__ import annotations

import logging
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from sentrep.training.checkpoints import State
from sentrep.training.neural import NeuralLearner
from sentrep.training.schedule import constant

log = logging.getLogger("sentrep")


class Plateau:
    """The learning rate of InferSent's released code.

    The rate is multiplied by ``decay`` before each epoch but the first. After an epoch whose accuracy is not above
    the best one so far it is divided by ``shrink``; if it is then below ``smallest``, training is over.

    Args:
        initial: rate of the first epoch.
        decay: factor.
        shrink: divisor.
        smallest: rate.

    Attributes:
        rate: of the next step.
        best: accuracy so far; -1 before the first epoch.
        over: training is to end.
    """

    def __init__(self, initial: float, decay: float, shrink: float, smallest: float) -> None:
        self._decay, self._shrink, self._smallest = decay, shrink, smallest
        self.rate, self.best, self.over = initial, -1.0, False

    def look(self, accuracy: float) -> bool:
        """Take an epoch's accuracy into account; return whether it is the best so far."""
        better = accuracy > self.best
        if better:
            self.best = accuracy
        else:
            self.rate /= self._shrink
            self.over = self.rate < self._smallest
        if not self.over:
            self.rate *= self._decay
        return better

    def state(self) -> npt.NDArray[np.float64]:
        """Return all that changes, (3,)."""
        return np.array([self.rate, self.best, self.over], dtype=np.float64)

    def restore(self, state: npt.NDArray[np.float64]) -> None:
        """Take over what :meth:`state` returned."""
        self.rate, self.best, self.over = float(state[0]), float(state[1]), bool(state[2])


class ValidatedLearner:
    """A learner whose rates depend on its accuracy; see :class:`sentrep.training.loop.Learner`.

    Its ``rates`` and ``finished`` are those of the :class:`sentrep.training.loop.Course`. The loop never takes steps of
    two epochs at once, so the rate is the same for all that it asks for.

    Args:
        learner: takes the steps.
        per_epoch: steps.
        accuracy: of what is learnt, on held-out items; the same in all processes.
        schedule: the rate.
    """

    def __init__(
        self, learner: NeuralLearner, per_epoch: int, accuracy: Callable[[], float], schedule: Plateau
    ) -> None:
        self._learner, self._per_epoch = learner, per_epoch
        self._accuracy, self.schedule = accuracy, schedule
        self._best: State = {}

    def rates(self, first: int, n: int) -> npt.NDArray[np.float64]:  # noqa: ARG002 - as in Course
        """Return the rates of the next ``n`` steps, (n,)."""
        return constant(n, self.schedule.rate)

    def finished(self) -> bool:
        """Return whether training is over."""
        return self.schedule.over

    def advance(self, first: int, rates: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
        """Take the steps; after the last of an epoch look at the held-out items."""
        losses = self._learner.advance(first, rates)
        if len(rates) and (first + len(rates)) % self._per_epoch == 0:
            accuracy = self._accuracy()
            if self.schedule.look(accuracy):
                self._best = self._learner.state()
            epoch = (first + len(rates)) // self._per_epoch
            log.info(
                "epoch %d: %.2f%% of held-out items right, next rate %.3g", epoch, 100 * accuracy, self.schedule.rate
            )
        return losses

    def take_best(self) -> None:
        """Go back to the state after the best epoch; nothing if there was none."""
        if self._best:
            self._learner.restore(self._best)

    def state(self) -> State:
        """Return the learner's state, the best one, and the schedule's."""
        best = {f"best.{name}": values for name, values in self._best.items()}
        return {**self._learner.state(), **best, "schedule": self.schedule.state()}

    def restore(self, state: State) -> None:
        """Take over what :meth:`state` returned."""
        self.schedule.restore(state["schedule"])
        self._best = {name.removeprefix("best."): v for name, v in state.items() if name.startswith("best.")}
        self._learner.restore({n: v for n, v in state.items() if n != "schedule" and not n.startswith("best.")})
