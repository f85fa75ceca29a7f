"""The transform of a spliced loss of one kind on a vertical line, by quadrature in x.

With s = log r at x = mu/2 + v, W = phi dv, b = exp((1 + c) s) and d = exp(-c s), the formula of
``spliced`` reads

    M(c + it) = M(c) - 2 sum W (b + d) sin^2(t s/2) + i sum W (b - d) sin(t s).

This is used while t s makes few turns where it matters. Beyond, the path is turned up by 45
degrees and then runs level: exp((1 + z) s) and the conjugate of exp(-z s) share exp(i t s).
"""

from __future__ import annotations

import math
from functools import cached_property

import numpy as np

from tightrope.loss.contour.octaves import Octaves
from tightrope.loss.contour.tails import Tails, by_variation, followed
from tightrope.loss.octave_line import OctaveLine
from tightrope.loss.spliced.half_ratio import HalfRatio
from tightrope.loss.spliced.half_rules import Straight, Turned
from tightrope.num.rounding import EPS


class HalfLine(OctaveLine):
    """log M of one release along the line through c, and bounds on its decay.

    Attributes:
        ratio: the likelihood ratio of the release.
        c: where the line crosses the real axis.
    """

    def __init__(self, mu: float, rate: float, c: float):
        self.ratio, self.c = HalfRatio(mu, rate), c
        self.still = (1 - rate) * math.erf(mu / math.sqrt(8))
        self.first = Straight(self.ratio, c)
        self.octaves = Octaves(self.first, self.first.most, self._turned, self.first.coarse.scale)

    def _turned(self, most: float) -> Turned:
        return Turned(self.ratio, self.c, self.first.coarse, most, self.still)

    # --- decay -----------------------------------------------------------------------------

    @cached_property
    def tails(self) -> Tails:
        """Bounds on |M(c + it)|/M(c), computed for small t, by the variation of a density beyond.

        The density of the loss is f(s) = phi r^(2 + c)/(rate mu exp(mu v)) at s > 0, and at -s
        phi r^(1 - c)/(rate mu exp(mu v)), which falls in s. log f has at most three stationary
        points, so f has at most two peaks, and one if the slope of its r^(2 + c) cannot catch up
        with that of phi.
        """
        mu, rate, scale = self.ratio.mu, self.ratio.rate, self.first.coarse.scale
        peaks = 1 if (2 + self.c) * mu * mu <= 4 else 2
        unit = -math.log(rate * mu) - scale
        right = peaks * math.exp(min(self.ratio.log_top(2 + self.c, mu) + unit, 700.0))
        left = math.exp(float(self.ratio.log_density(np.zeros(1))[0]) + unit)
        one = math.exp(-scale)
        whole = (self.first.level - self.first.level_error + one) * (1 - 32 * EPS)
        far = by_variation(self.still * one / whole, 2 * (right + left) / whole)
        return followed(self._size, self.first.variance(whole), far)
