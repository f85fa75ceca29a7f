"""Many coordinates of discrete Gaussian noise, each shifted by one: the tight GDP parameter.

Z_1, ..., Z_d are independent of law N_Z(0, v) and every coordinate moves by one, as when one
record enters d disjoint counts. The loss increases in S = Z_1 + ... + Z_d, so only S matters,
under a shift of d, and the argument of `discrete_gaussian.gdp` applies with the variance V = d v:
the shift is d^2/(2 V)-zCDP and S has the sub-Gaussian tail of variance V, both because zCDP and
moment generating functions multiply over coordinates.

S is no discrete Gaussian. Splitting squares, its law is

    P(S = n) = exp(-n^2 / (2 V)) Theta(n) / const,   Theta periodic with period d,

and Theta follows coordinate by coordinate from sums of positive terms. For v >= 4 it is constant
to within exp(+-eta), eta = 4.01 d exp(-pi^2 v): adding a coordinate to the sum of j of them
multiplies by a theta function of variance v j/(j + 1) >= v/2, whose relative fluctuation is
kappa <= 2.001 exp(-pi^2 v), and normalising doubles it.
"""

import math
from functools import lru_cache

import numpy as np

from tightrope.num.elementwise import FloatArray
from tightrope.num.logspace import logsumexp
from tightrope.num.normal import quantile_of_log
from tightrope.num.rounding import down, up
from tightrope.theorems.discrete_gaussian.gdp import largest_increment, mu, near_gaussian_cost

__all__ = ["mu_of_ones"]

_NEARLY_GAUSSIAN = 4.0
_BLOCK = 256
_SQRT2 = 1.4142135623730951
_LOG_QUARTER = -1.3862943611198906
_LAW_ULPS = 100  # relative error of a central score; measured up to 256 coordinates: 40


@lru_cache(maxsize=1024)
def mu_of_ones(variance: float, dimension: int) -> float:
    """Return a proved upper bound on the tight mu of `dimension` shifts by one.

    It is the tight value, within 4e-14, for up to 256 coordinates of variance below 4. From
    variance 4 it is as close as `discrete_gaussian.mu(dimension * variance, dimension)` is to its
    own; more coordinates of less variance compose blocks of 256 (for variance 1/4 or more an excess
    below 1e-3).

    Raises:
        ValueError: the variance is not positive, or the dimension is negative.

    >>> f"{mu_of_ones(1.0, 2):.12g}"
    '1.44492591836'
    """
    if not (0 < variance < math.inf and dimension >= 0):
        raise ValueError(f"mu_of_ones(variance, dimension): got ({variance!r}, {dimension!r})")
    if dimension <= 1:
        return mu(variance, dimension)
    if variance >= _NEARLY_GAUSSIAN:
        eta = 4.01 * dimension * math.exp(-(math.pi**2) * variance)
        gaussian = mu(down(dimension * variance), dimension)
        return up(gaussian + near_gaussian_cost(eta), 2)
    if dimension > _BLOCK:
        return _composed(variance, dimension)
    return _scan(variance, dimension)


def _composed(variance: float, dimension: int) -> float:
    """Blocks of coordinates compose in squares (Dong, Roth and Su, 2022, Corollary 3.3)."""
    blocks, rest = divmod(dimension, _BLOCK)
    squares = blocks * mu_of_ones(variance, _BLOCK) ** 2 + mu_of_ones(variance, rest) ** 2
    return up(math.sqrt(squares), 4)


def _scan(variance: float, dimension: int) -> float:
    law = _SumLaw(variance, dimension)
    centre = float(law.scores(np.array([(dimension + 2) // 2, (dimension + 1) // 2])).sum())
    return up(largest_increment(law.scores, law.variance, dimension, centre), _LAW_ULPS)


class _SumLaw:
    """The law of the sum by its periodic factor, in logarithms and not normalised."""

    def __init__(self, variance: float, dimension: int) -> None:
        self.variance = variance * dimension
        self.log_theta = _log_theta(variance, dimension)
        # A whole period beyond this many terms weighs less than 1e-16 of the first.
        self.reach = math.ceil(math.sqrt(75 * self.variance)) + dimension

    def scores(self, k: FloatArray) -> FloatArray:
        """Normal scores of integers, odd about 1/2, as in `discrete_gaussian.law.score`."""
        right = np.where(k >= 1, k, 1 - k).astype(int)
        return np.asarray(np.where(k >= 1, 1, -1) * self._scores_up_to(int(right.max()))[right - 1])

    def _scores_up_to(self, last: int) -> FloatArray:
        """Scores of 1, ..., last: from the mass of |S| < k near the centre, else from the tail."""
        from scipy import special

        n = np.arange(last + self.reach)
        log_weight = self.log_theta[n % self.log_theta.size] - n / self.variance / 2 * n
        weight = np.exp(log_weight - log_weight[0])
        total = 2 * weight.sum() - 1
        centre = _SQRT2 * special.erfinv((2 * np.cumsum(weight[:last]) - 1) / total)
        log_tail = np.logaddexp.accumulate(log_weight[:0:-1])[::-1][:last]
        log_tail -= log_weight[0] + math.log(total)
        return np.where(log_tail > _LOG_QUARTER, centre, -np.asarray(quantile_of_log(log_tail)))


def _log_theta(variance: float, dimension: int) -> FloatArray:
    """The periodic factor: Theta_1 = 1, and by completing the square in the last coordinate z,

    Theta_j(n) = sum_z exp(-(z - n/j)^2 j / (2 (j - 1) v)) Theta_(j-1)((n - z) mod (j - 1)).
    """
    reach = math.ceil(9 * math.sqrt(variance)) + 2
    z = np.arange(-reach, reach + 1)
    log_theta = np.zeros(1)
    for j in range(2, dimension + 1):
        n = np.arange(j)[:, np.newaxis]
        exponent = -np.square(z - n / j) * (j / (2 * (j - 1) * variance))
        log_theta = np.asarray(logsumexp(exponent + log_theta[(n - z) % (j - 1)], axis=1))
    return log_theta
