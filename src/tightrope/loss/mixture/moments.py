"""Moments of log S under phi S^e (see ``one_moved``), with proved ends."""

from __future__ import annotations

import math
from typing import NamedTuple, Self

import numpy as np

from tightrope.loss.mixture.one_moved import OneMoved, beyond
from tightrope.num.arrays import Floats
from tightrope.num.normal import HALF_LOG_2PI
from tightrope.num.rounding import EPS

STEP = 0.25
"""Distance between nodes."""

FAINT = math.log(1e-9)
"""log of an error of the rule beyond which nothing is told."""


class Moments(NamedTuple):
    """What is proved.

    Attributes:
        log_ends: bounds on the log of the integral of phi S^e.
        least: the variance of log S, rounded down.
        most: the same, rounded up.
        fourth: its fourth central moment, rounded up.
        variation: the variation of phi S^e/(log S)' over that integral, rounded up.
    """

    log_ends: tuple[float, float]
    least: float
    most: float
    fourth: float
    variation: float


def moments(moved: OneMoved) -> Moments | None:
    """All of them; None if too little can be proved so quickly."""
    log_error = moved.log_error(STEP)
    if not log_error < FAINT:
        return None
    error, u = math.exp(log_error), moved.nodes(STEP)
    log_s, doubts = moved.log_s(u)
    logs = moved.power * log_s - u * u / 2
    top, size, largest = float(logs.max()), *(float(np.abs(x).max()) for x in (logs, log_s))
    mass = np.exp(logs - top)
    total, doubt = float(mass.sum()), float(doubts.max()) + 2 * EPS * largest
    slack = abs(moved.power) * (doubt + 2 * EPS * largest) + 4 * EPS * (size + abs(top) + len(u))
    seen = _Seen.at(mass / total, log_s, moved.offset * STEP + doubt)
    log_mass = top + math.log(total * STEP) - HALF_LOG_2PI
    around = 2 * error + slack + seen.ends + 8 * EPS * (1 + abs(log_mass) + abs(top))
    variation = _variation(moved, u, logs - top) / (total * STEP)
    return Moments(
        (log_mass - around, log_mass + around),
        *seen.proved(doubt, slack, error, moved.shift),
        variation * (1 + 2 * around),
    )


class _Seen(NamedTuple):
    """Sums over the nodes of powers of how far log S is off its mean, over the sum of weights.

    Attributes:
        first: the size of the mean distance.
        second: the mean square.
        fourth: the mean fourth power.
        ends: the weight beyond the last nodes, even with a fourth power of the distance.
        farthest: the unit of that distance.
    """

    first: float
    second: float
    fourth: float
    ends: float
    farthest: float

    @classmethod
    def at(cls, share: Floats, log_s: Floats, farther: float) -> Self:
        """From the shares of the nodes in the weight; the next node is so much farther off."""
        off = log_s - float(share @ log_s)
        square = off * off
        return cls(
            abs(float(share @ off)),
            float(share @ square),
            float(share @ (square * square)),
            float(share[0] + share[-1]) * beyond(STEP),
            float(np.abs(off).max()) + farther,
        )

    def proved(
        self, doubt: float, slack: float, error: float, shift: float
    ) -> tuple[float, float, float]:
        """The variance, rounded down and up, and the fourth central moment, rounded up.

        Args:
            doubt: by how much log S is off at any node; norms are off by no more (Minkowski).
            slack: the relative error of the weights.
            error: the relative error of the rule.
            shift: how far log S moves in the strip: (a + b)^4 <= 8 (a^4 + b^4) for its powers.
        """
        spread, ends, farthest = math.sqrt(self.second), self.ends, self.farthest
        low = max(spread * (1 - 2 * slack) - doubt, 0.0) ** 2 / (1 + ends)
        high = (spread * (1 + 2 * slack) + doubt) ** 2 + ends * farthest**2
        fourth = (self.fourth**0.25 * (1 + 2 * slack) + doubt) ** 4 + ends * farthest**4
        mean = self.first + 4 * slack * spread + doubt + ends * farthest
        low = (low * (1 - error) - 2 * error * shift**2) / (1 + 2 * error)
        high = (high * (1 + error) + 2 * error * shift**2) / (1 - 2 * error)
        fourth = (fourth * (1 + error) + 8 * error * shift**4) / (1 - 8 * error)
        mean = mean * (1 + error) + error * (math.sqrt(high) + shift)
        least = max(low - mean**2, 0.0)
        widest = fourth**0.25 + mean
        return least * (1 - 32 * EPS), high * (1 + 32 * EPS), widest**4 * (1 + 64 * EPS)


def _variation(moved: OneMoved, u: Floats, logs: Floats) -> float:
    """Of phi S^e/(log S)' = phi S^e (1 + exp(d^2/2 - d u) (1 - q)/q)/d, term by term.

    The logarithm of each term has a slope of -u - d (or -u) + e d w(u): no point without slope
    but one if it falls everywhere, as it does where e d^2 <= 4, and else at most three, in which
    a line meets a sigmoid. Its curvature is never below -1 - max(-e, 0) d^2/4, so that its largest
    value is little above what it is at the nearest node.
    """
    d, power = moved.offset, moved.power
    peaks = 1 if power * d * d <= 4 * (1 - 4 * EPS) else 2
    between = (1 + max(-power, 0.0) * d * d / 4) * STEP**2 / 8
    odds = math.log((1 - moved.weight) / moved.weight)
    other = float((logs - d * u).max()) + d * d / 2 + odds
    highest = math.exp(between) * (1 + math.exp(min(other, 600.0)))
    return 2 * peaks * highest / d * (1 + 64 * EPS * (8 + d * float(np.abs(u).max()) + abs(odds)))
