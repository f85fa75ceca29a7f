"""Where to lay one line for several questions about one total, and how many nodes it needs."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tightrope.loss.contour import saddle
from tightrope.loss.contour.laying import CROWDED, MOST_RETREATS, RETREAT
from tightrope.loss.contour.nodes import GOAL
from tightrope.loss.loss import Line
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats


class Asked(NamedTuple):
    """Questions: how often the total is run, and about where the answer is.

    Attributes:
        runs: the numbers of runs.
        epsilon: roughly what belongs to each log delta.
        log_delta: negative.
    """

    runs: Floats
    epsilon: Floats
    log_delta: Floats


class Place(NamedTuple):
    """A line: where it crosses the real axis, and the distance of nodes."""

    c: float
    step: float


def placed(total: Total, asked: Asked, c: float) -> Place:
    """A place near c, with a step whose aliases (``Contour``) are small for every question."""
    step, below = _step(total, asked, c)
    for _ in range(MOST_RETREATS):
        if step >= CROWDED * below:
            break
        c *= RETREAT
        step, below = _step(total, asked, c)
    return Place(c, step)


def _step(total: Total, asked: Asked, c: float) -> tuple[float, float]:
    """The step for all aliases, and that for those from below alone."""
    allowed = asked.log_delta + math.log(GOAL)
    s = c * (1 + 2.0 ** np.arange(-7.0, 5.0))
    log_m = total.estimate(s.astype(complex)).real
    bound = asked.runs[:, None] * log_m + saddle.log_kappa(s) - s * asked.epsilon[:, None]
    room = np.maximum(bound - allowed[:, None], 1.0)
    above = np.where(np.isfinite(room), 2 * math.pi * (s - c) / room, 0.0).max(axis=1)
    below = 2 * math.pi * c / -allowed.min()
    return float(min(above.min(), below)), float(below)


def nodes(total: Total, asked: Asked, place: Place, line: Line, runs: float) -> float:
    """How many nodes close the tail for every question; infinite if none do.

    Args:
        total: what is run.
        asked: the questions.
        place: where the line is.
        line: the line through it, of that many runs.
        runs: how many.
    """
    c, step = place
    tau = c * 2.0 ** np.arange(-6.0, 24.0, 0.25)
    log_m = float(total.estimate(np.array([c + 0j])).real[0])
    share = asked.log_delta - asked.runs * log_m + c * asked.epsilon + math.log(GOAL)
    tail = np.outer(asked.runs / runs, line.decay(tau)) - np.log(math.pi * tau)
    closed = (tail <= share[:, None]).all(axis=0)
    return math.ceil(tau[closed.argmax()] / step) + 1 if closed.any() else math.inf
