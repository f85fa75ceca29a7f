"""The loss of a sampled Gaussian that covers both orders: fixed-size samples, one unit replaced.

Let mix = (1 - rate) N(0, 1) + rate N(mu, 1) and base = N(0, 1), and let r = mix/base, which is
above 1 for x > mu/2. Under replace-one the two data sets may be exchanged in every release, so
each release needs one pair whose profile is, at every epsilon, at least that of either order:

    delta(e) = delta of (mix, base) at e >= 0, and delta of (base, mix) at e < 0

(docs/theory.md, fixed-size samples). Its loss is log r with mix's probability where x > mu/2, is
-log r with base's probability where x > mu/2, and is 0 with what is left,

    1 - mix(x > mu/2) - base(x > mu/2) = (1 - rate) erf(mu/sqrt 8).

This is a law with E[exp(-L)] = 1, which gives, with phi the normal density,

    M(z) - 1 = integral over x > mu/2 of phi(x) (r^(1 + z) - 1) (1 - r^(-z)):

no digit is lost where M is near 1. Off the real axis the two powers are integrated apart, on a
path that leaves x = mu/2 upwards and on its mirror image: there r^(i tau) only decays.

Source: Zhu, Dong and Wang (2022), Proposition 30 and Theorem 11.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.lines import WeightedLines
from tightrope.loss.loss import Line, Loss
from tightrope.loss.spliced.estimate import estimate
from tightrope.loss.spliced.half_line import HalfLine
from tightrope.num.arrays import Complexes, Floats


@dataclass(frozen=True, eq=False)
class SplicedLoss(Loss):
    """Releases of a Gaussian on fixed-size samples, one unit being replaced.

    Attributes:
        mu: of every kind of release, sensitivity (replacing one unit) over noise scale, positive.
        rate: the part of the units that is sampled, in (0, 1).
        count: how often each kind is run.
    """

    cost: ClassVar[float] = 200.0

    mu: Floats
    rate: Floats
    count: Floats

    @classmethod
    def one(cls, mu: float, rate: float) -> Self:
        """One release.

        Raises:
            ValueError: mu or the rate is outside its range.
        """
        if not (0 < mu < math.inf and 0 < rate < 1):
            raise ValueError(f"spliced loss: needs mu > 0, 0 < rate < 1; got {mu!r}, {rate!r}")
        return cls(np.array([float(mu)]), np.array([float(rate)]), np.ones(1))

    def times(self, count: int) -> Self:
        """Counts grow."""
        return type(self)(self.mu, self.rate, self.count * count)

    @classmethod
    def together(cls, losses: Sequence[Self]) -> Self:
        """Kinds side by side; equal ones are merged."""
        mu, rate, count = (
            np.concatenate([getattr(loss, name) for loss in losses])
            for name in ("mu", "rate", "count")
        )
        kinds, index = np.unique(np.stack([mu, rate]), axis=1, return_inverse=True)
        counts = np.asarray(np.bincount(index.ravel(), weights=count), dtype=float)
        return cls(kinds[0], kinds[1], counts)

    def estimate(self, z: Complexes) -> Complexes:
        """A coarse quadrature."""
        total = np.zeros(z.shape, dtype=complex)
        for mu, rate, count in zip(self.mu, self.rate, self.count, strict=True):
            total += count * estimate(float(mu), float(rate), z)
        return total

    def line(self, c: float) -> Line:
        """Each kind along the line through c."""
        kinds = zip(self.mu.tolist(), self.rate.tolist(), strict=True)
        return WeightedLines(c, [HalfLine(mu, rate, c) for mu, rate in kinds], self.count)
