"""Wanted points of a trade-off curve, and two ways to see how far an event misses them.

That the type II error at alpha is at least beta follows from a single epsilon with
delta(epsilon) + exp(epsilon) alpha <= 1 - beta: a trade-off curve lies above its tangents. So a
search needs a few values of delta only; the whole machinery of curves confirms what it finds.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tightrope.events import Event
from tightrope.loss.contour import saddle
from tightrope.loss.total import Total
from tightrope.num.arrays import Floats
from tightrope.num.parabola import vertex
from tightrope.plan import answers
from tightrope.plan.calibration.misses import LEAST, NARROW, SLIGHT, log_ratio
from tightrope.plan.exact.answers import engine
from tightrope.plan.exact.profile import exact_profile

STENCIL = np.array([-1.0, 0.0, 1.0])
ARMS = (0.3, 0.03, 0.003)
"""Arms of the stencils that close in on the best epsilon, in units of 1/c."""


class Tangent(NamedTuple):
    """A guess at the best epsilon, where its saddle is, and what power it leaves; as logarithms."""

    log_power: float
    epsilon: float
    c: float


class ErrorPoints:
    """Wanted points of a trade-off curve.

    Args:
        alpha: type I errors.
        beta: the least type II errors wanted at them; positive.
    """

    def __init__(self, alpha: Floats, beta: Floats):
        self.alpha, self.beta = alpha, beta

    def miss(self, event: Event) -> float:
        """log of the power proved over the power wanted, where that is most."""
        profile = engine(event)
        if profile is None or not profile.attained:
            return _by_curve(event, self.alpha, self.beta)
        at_zero = self.alpha == 0  # where the curve is known without a search
        miss = _by_curve(event, self.alpha[at_zero], self.beta[at_zero])
        for alpha, beta in self._inside():
            miss = max(miss, _tangent_miss(event, alpha, beta))
        if -NARROW < miss <= 0:
            return max(min(_by_curve(event, self.alpha, self.beta), SLIGHT), miss)
        return miss

    def _inside(self) -> list[tuple[float, float]]:
        """The points but those at alpha = 0, reflected to where alpha is the smaller.

        The curve is symmetric, so that it lies above a point if it lies above the reflected one.
        """
        points = zip(self.alpha.tolist(), self.beta.tolist(), strict=True)
        return [(min(point), max(point)) for point in points if point[0] > 0]

    def rough(self, event: Event) -> float | None:
        """The same by saddle points alone."""
        profile = exact_profile(event)
        if profile is None:
            return None
        misses = [
            max(_tangents(event, alpha)).log_power - math.log1p(-beta)
            for alpha, beta in self._inside()
        ]
        return max(misses, default=None)


def _by_curve(event: Event, alpha: Floats, beta: Floats) -> float:
    if not len(alpha):
        return LEAST
    found = np.asarray(answers.tradeoff(event, alpha))
    ratios = map(log_ratio, (1 - found).tolist(), (1 - beta).tolist())
    signed = [
        min(ratio, 0.0) if have >= want else max(ratio, SLIGHT)
        for ratio, have, want in zip(ratios, found, beta, strict=True)
    ]
    return max(signed)


def _tangent_miss(event: Event, alpha: float, beta: float) -> float:
    """By the best tangent in reach: true up to rounding, for which misses near 0 are confirmed."""
    best = max(_tangents(event, alpha))
    epsilon, power = max(best.epsilon, 0.0), math.inf
    for arm in ARMS:
        at = np.maximum(epsilon + arm / best.c * STENCIL, 0.0)
        powers = np.logaddexp(answers.log_delta(event, at), math.log(alpha) + at)
        power = min(power, float(powers.min()))
        epsilon = float(at[1] + arm / best.c * vertex(powers))
    return power - math.log1p(-beta)


def _tangents(event: Event, alpha: float) -> list[Tangent]:
    """One an order."""
    profile = exact_profile(event)
    return [_tangent(o.total, alpha) for o, _ in profile.orders] if profile is not None else []


def _tangent(total: Total, alpha: float) -> Tangent:
    """By a table of saddle points."""
    with np.errstate(all="ignore"):
        c = saddle.for_delta(total, math.log(alpha))[0] * 2.0 ** np.linspace(-6, 6, 97)
        h = 0.01 * c
        left, log_m, right = total.estimate(np.array([c - h, c, c + h], dtype=complex)).real
        epsilon = (right - left) / (2 * h) - 1 / c - 1 / (c + 1)
        curvature = (right - 2 * log_m + left) / h**2 + 1 / c**2 + 1 / (c + 1) ** 2
        log_delta = log_m - c * epsilon - np.log(c * (c + 1)) - np.log(2 * np.pi * curvature) / 2
        log_power = np.logaddexp(np.minimum(log_delta, 0), math.log(alpha) + epsilon)
    inside = (epsilon >= 0) & np.isfinite(log_power)
    best = int(np.argmin(np.where(inside, log_power, np.inf)))
    if not inside[best]:
        return Tangent(math.log(alpha), 0.0, float(c[48]))
    return Tangent(float(log_power[best]), float(epsilon[best]), float(c[best]))
