"""The Renyi curve of a Poisson sample, from that of the whole event (add-or-remove).

Let r be the likelihood ratio with the unit against without it, D_k a bound on the divergence of
order k in both orders of the neighbours, and g the rate; the sampled ratio is 1 - g + g r. At whole
orders a,

    (a - 1) D'_a <= log(1 + S),
    S = sum over k = 2, ..., a of C(a, k) g^k (1 - g)^(a - k) (exp((k - 1) D_k) - 1),

the binomial theorem under E[r] = 1, and between them on a chord, as the left side is convex in a.
The other order, without against with, is E[(1 - g + g r)^(1 - a)], for which

* (1 + w)^(1 - a) <= 1 + (1 - a) w + a (a - 1)/2 w^2 (1 - g)^(-a - 1) for w >= -g (Taylor), and
* 1 - g + g r >= r^g (the means' inequality),

give a/2 g^2 (1 - g)^(-a - 1) (exp(D_2) - 1), and g D at the order 1 + g (a - 1). The other units
of the sample are the same on both sides, and the divergence is quasi-convex.

Source of the first: Mironov, Talwar and Zhang (2019), Section 3.3, for Gaussians; Zhu and Wang
(2019), Theorem 5, for all curves.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from tightrope.notions.renyi_curve import RenyiCurve
from tightrope.num.binomial import log_binomial, log_binomial_error
from tightrope.num.logspace import log_expm1, softplus
from tightrope.num.rounding import EPS, up

Floats = NDArray[np.float64]

HIGHEST = 256
"""Highest order at which the sum is taken; beyond, the curve of the whole event holds."""


@dataclass(frozen=True, eq=False)
class SampledCurve(RenyiCurve):
    """Renyi divergences of an event on a Poisson sample.

    Attributes:
        curve: that of the event itself.
        rate: the probability that a unit is sampled, in (0, 1).
    """

    curve: RenyiCurve
    rate: float

    @property
    def max_order(self) -> float:  # type: ignore[override]
        """As for the event itself."""
        return self.curve.max_order

    @property
    def kinks(self) -> tuple[float, ...]:
        """See ``RenyiCurve.kinks``."""
        return self.curve.kinks

    @cached_property
    def _moments(self) -> Floats:
        """Bounds on (a - 1) D'_a at the orders 1, 2, ..."""
        last = int(min(HIGHEST, np.floor(self.curve.max_order)))
        if last < 2:
            return np.zeros(1)
        k = np.arange(2.0, last + 1)
        exponent = (k - 1) * np.asarray(self.curve(k))
        with np.errstate(divide="ignore"):
            gains = np.asarray(log_expm1(exponent))
        sums = np.full(last, -np.inf)
        for a in range(2, last + 1):
            log_p = log_binomial(a, self.rate, 1 - self.rate)[2:]
            terms = log_p + log_binomial_error(a, log_p) + gains[: a - 1]
            top = float(terms.max())
            if top > -np.inf:
                sums[a - 1] = top + np.log(np.exp(terms - top).sum()) + EPS * (64 + 4 * abs(top))
        return up(np.asarray(softplus(sums)), 4)

    def bound(self, orders: Floats) -> Floats:
        """See ``RenyiCurve.bound``."""
        whole = np.asarray(self.curve(orders))
        moments = self._moments
        inside = orders <= len(moments)
        below = np.clip(np.floor(orders), 1, max(len(moments) - 1, 1)).astype(int)
        part = np.where(inside, orders, 1.0) - below
        left, right = moments[below - 1], moments[np.minimum(below, len(moments) - 1)]
        with np.errstate(invalid="ignore", divide="ignore"):
            chord = (left * (1 - part) + right * part) / (orders - 1)
        forward = np.where(orders < 2, right, chord)
        value = np.maximum(up(forward, 8), self._backward(orders))
        return np.where(inside & (len(moments) > 1), np.minimum(value, whole), whole)

    def _backward(self, orders: Floats) -> Floats:
        """Without the unit against with it."""
        rate, second = self.rate, float(self.curve(min(2.0, self.curve.max_order)))
        if self.curve.max_order < 2:
            second = np.inf
        with np.errstate(over="ignore", invalid="ignore"):
            growth = np.exp(-(orders + 1) * np.log1p(-rate)) * np.expm1(second)
            near = orders / 2 * rate**2 * growth * (1 + EPS * (32 + 4 * orders * rate))
        far = up(rate * np.asarray(self.curve(1 + rate * (orders - 1))), 8)
        return np.asarray(np.fmin(near, far))
