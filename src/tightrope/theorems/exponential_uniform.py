"""The exponential mechanism between uniform scores: how much milder it is than its worst case.

Two neighbours give a score of 0, or of y, to every outcome y in [0, 1] with a uniform base
measure, so the densities are 1 and `epsilon exp(epsilon y)/(exp(epsilon) - 1)`. The pair is exactly
epsilon-bounded range, and its loss is known in full: it is linear in a uniform variable. (Chen,
Pandey and Awan, 2026, Appendix A.2; scores may be used like this only if they are public.)
"""

from functools import lru_cache

import numpy as np

from tightrope.num.elementwise import FloatArray, ScalarOrArray, elementwise
from tightrope.num.logspace import log1mexp
from tightrope.num.normal import cdf, quantile_of_log
from tightrope.num.rounding import EPS, up

__all__ = ["mu_uniform_scores", "tradeoff_uniform_scores"]


_SERIES_BELOW = 0.5
_SLOPE = 0.31332853432887503  # sqrt(2 pi)/8
# Taylor coefficients of mu/(_SLOPE epsilon) in epsilon^2, by interpolation in 120 digits
_SERIES = (
    1.0,
    -0.003444467262989873917837,
    0.00004557975173812024716443,
    -7.801891158117521171e-7,
    1.48623698948112355e-8,
    -3.0049117794541e-10,
    6.3142865283e-12,
)
_LEFT, _RIGHT = -3.0, 38.0  # the maximiser drifts right like sqrt(2 log epsilon)
_POINTS, _ROUNDS = 65, 7


def tradeoff_uniform_scores(epsilon: float, alpha: ScalarOrArray) -> ScalarOrArray:
    """Return the least type II error `expm1(epsilon (1 - alpha))/expm1(epsilon)`, rounded down.

    This is the curve T(P, Q) with P uniform: alpha is the error under equal scores. The other
    order has the inverse curve. The formula has a relative error below 1e-15.

    Args:
        epsilon: the bounded-range parameter, the score times the scale; at least 0.
        alpha: type I errors in [0, 1].

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{tradeoff_uniform_scores(2.0, 0.2):.12g}"
    '0.618719316779'
    """
    if not epsilon >= 0:
        raise ValueError(f"tradeoff_uniform_scores: epsilon must be at least 0, got {epsilon!r}")

    def bound(a: FloatArray) -> FloatArray:
        if not np.all((a >= 0) & (a <= 1)):
            raise ValueError("tradeoff_uniform_scores: alpha must lie in [0, 1]")
        log_beta = np.maximum(_log_beta(epsilon, a, 1 - a), -1e3)
        beta = np.exp(log_beta) * (1 - EPS * (8 - 2 * log_beta))
        return np.where(a == 0, 1.0, np.where(a == 1, 0.0, beta))

    return elementwise(bound)(alpha)


def _log_beta(epsilon: float, alpha: FloatArray, complement: FloatArray) -> FloatArray:
    if epsilon == 0:
        return np.log(complement)
    ratio = log1mexp(epsilon * complement) - log1mexp(epsilon)
    return np.asarray(ratio - epsilon * alpha)


@lru_cache(maxsize=1024)
def mu_uniform_scores(epsilon: float) -> float:
    """Return the tight Gaussian-DP parameter of this pair, rounded up.

    It is the greatest value of `m = -Phi^-1(f(alpha)) - Phi^-1(alpha)`, f the trade-off curve, and
    m has a single maximum, so a search that closes in on a peak finds it. Proof: the slopes
    satisfy `log f' = const - epsilon alpha` and `log G_m' = -m Phi^-1(alpha) - m^2/2` (of absolute
    values), and their difference has at most three zeros in alpha, because `epsilon - m/phi` is
    positive on one interval at most. So `f - G_m`, 0 at both ends and increasing from the first,
    has at most one interior minimum, and its maxima are positive. A local minimum of m would be a
    maximum of f - G_m of height 0.

    The result exceeds the truth by at most 6e-15 of it. Below epsilon = 1/2 it is a power series.

    Args:
        epsilon: the bounded-range parameter, from 0 to 1e300.

    Raises:
        ValueError: epsilon is outside this range.

    >>> f"{mu_uniform_scores(1.0):.12g}"
    '0.312263325996'
    """
    if not 0 <= epsilon <= 1e300:
        raise ValueError(f"mu_uniform_scores: epsilon must lie in [0, 1e300], got {epsilon!r}")
    if epsilon == 0:
        return 0.0
    if epsilon < _SERIES_BELOW:
        return up(_SLOPE * epsilon * float(np.polynomial.Polynomial(_SERIES)(epsilon**2)), 6)
    return up(_peak(epsilon), 16)


def _peak(epsilon: float) -> float:
    left, right = _LEFT, _RIGHT
    for _ in range(_ROUNDS):
        x = np.linspace(left, right, _POINTS)
        m = -quantile_of_log(_log_beta(epsilon, cdf(x), cdf(-x))) - x
        best = int(np.argmax(m))
        left, right = x[max(best - 1, 0)], x[min(best + 1, _POINTS - 1)]
    return float(m[best])
