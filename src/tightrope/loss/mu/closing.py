"""Tests of tiny type I error: how far from Gaussian they can be, from one number that is known.

A test of type I error alpha and power q is worth m = Phi^-1(q) - Phi^-1(alpha), and mu-GDP says
that none is worth more than mu. With z(L) = -Phi^-1(exp(-L)) and L = log(1/alpha), a bound of
log(1/q) >= l(L) gives m <= z(L) - z(l). Both bounds used here fall as L grows:

* The largest loss h gives l = L - h. The slope of z is the Mills ratio R(z), which falls.
* D_order <= xi + rho order gives l = (sqrt(L - xi) - sqrt rho)^2 (``theorems/tight_mu``, step 3),
  with the slope sqrt(l/(L - xi)) at most; so z(L) - z(l) falls if R(z) sqrt(L(z)) does, where
  L(z) = -log Phi(-z). That is so if F = L - k/(2 (k - z)) >= 0, k = 1/R. F vanishes at minus
  infinity, and F' is k/(2 u^2) times 2 u^2 + z u - 1, u = k - z, which is positive as
  R(z) < 4/(3 z + sqrt(z^2 + 8)) (Sampford, 1953).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tightrope.num.normal import quantile_of_log
from tightrope.num.rounding import EPS


class Tail(NamedTuple):
    """What is known of all tests at once.

    Attributes:
        highest: the largest loss; infinity says nothing.
        rho: the slope of a line above the Renyi divergences of all orders; infinity says nothing.
        xi: its offset.
    """

    highest: float
    rho: float
    xi: float

    def worth(self, log_alpha: float) -> float:
        """No test of this type I error, or a smaller one, is worth more; rounded up."""
        size = -log_alpha
        by_loss = size - self.highest
        by_order = -math.inf
        if size - self.xi >= self.rho:
            by_order = (math.sqrt(size - self.xi) - math.sqrt(self.rho)) ** 2
        least = max(by_loss, by_order)
        if least <= 0:
            return math.inf
        high = -float(quantile_of_log(-size))
        low = -float(quantile_of_log(-least * (1 - 8 * EPS * (1 + size / least))))
        return high - low + 8 * EPS * (abs(high) + abs(low))

    def closes_at(self, worth: float) -> float:
        """A log alpha from which on no test is worth more; -inf if there is none within reach."""
        size = 1.0
        while self.worth(-size) > worth:
            size *= 1.5
            if size > 1e9:
                return -math.inf
        low = size / 1.5
        for _ in range(30):
            middle = (low + size) / 2
            low, size = (middle, size) if self.worth(-middle) > worth else (low, middle)
        return -size
