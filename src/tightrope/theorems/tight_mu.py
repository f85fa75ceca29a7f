"""The Gaussian parameter of a zCDP bound with an offset: D_order <= xi + rho order.

Theorem. Every pair with this bound is mu-GDP for the mu that `mu_of_xi_rho` returns. (It is
sharp to many digits: in all cases tried it equals 2 g(t), the parameter of the randomised response
with the largest log-odds t that satisfies the bound at all orders.)

Proof. mu-GDP says `z(alpha) - z(1 - beta) <= mu` for all tests, `z(p) = -Phi^-1(p)`; call the
left side m. The region of tests is symmetric under (alpha, beta) -> (beta, alpha), which leaves m
unchanged, so let alpha <= beta.

1. For tests with alpha >= a, m <= 2 z(a). This serves from the crossing a of a supporting line
   with the diagonal onwards; only tests with alpha < a are left.
2. Between two arguments of alpha at which a supporting line lies above the curve G_mu, it lies
   above it throughout, as G_mu is convex. So a chain of supporting lines of the testing boundary
   (`testing_boundary.support`), changing where two of them cross, needs a check at these crossings
   only: the largest m there is a valid mu for all alpha in the chain's range.
3. Below the chain, with L = log(1/alpha): the divergence of order n is at least
   `(n log q - (n-1) log alpha)/(n-1)` with q = 1 - beta, so that log(1/q) >= (1 - 1/n)(L - xi -
   rho n) for all n, and the best n gives log(1/q) >= l = (sqrt(L - xi) - sqrt(rho))^2. Now z as a
   function of the logarithm has the Mills ratio as its derivative, decreasing and at most 1/z; so
   m <= (L - l)/z = (xi + rho + 2 sqrt(rho l))/z with log(1/Phi(-z)) = l. And l is at most
   `z^2/2 + log(sqrt(2 pi) (z + 1/z))`, whose ratio to z^2 decreases; hence so does the bound. It
   tends to sqrt(2 rho), less than the m of step 1 (which is above that of the zCDP case, at least
   sqrt(pi rho)): the chain ends where the bound has fallen to the m of step 1.

Since D <= (xi + rho) order too, mu_zCDP(xi + rho) caps the result (Chen, Pandey and Awan, 2026,
Theorem 6). The supremum of m over the boundary is the sharp value (there, Remark 1).
"""

from __future__ import annotations

import math
from heapq import heapify, heappush, heapreplace
from itertools import pairwise
from typing import NamedTuple

from tightrope._errors import InvalidArgument
from tightrope.num.logistic import sigmoid
from tightrope.num.normal import cdf, quantile
from tightrope.num.rounding import EPS, up
from tightrope.num.solve import solve_down
from tightrope.theorems.constants import mu_pure, mu_zcdp, t_zcdp
from tightrope.theorems.conversions_to_delta import Curve
from tightrope.theorems.testing_boundary import Support, support, tradeoff

__all__ = ["mu_of_xi_rho"]

_ULPS = 4
_FIRST_LINES = 12
_MOST_LINES = 400
_TOLERANCE = 2e-7
_SLOPE_ERROR = 1e-13
_SMALLEST_LOG = -680.0
_TINY = 1e-320


class _Crossing(NamedTuple):
    """Where one supporting line hands over to the next; sorts with the largest m first."""

    minus_m: float
    alpha: float
    left: Support
    right: Support


def mu_of_xi_rho(xi: float, rho: float) -> float:
    """An upper bound on the least mu such that D_order <= xi + rho order implies mu-GDP.

    Args:
        xi: offset of the Renyi curve, at least 0.
        rho: its slope, at least 0.

    Returns:
        mu, never above mu_zCDP(xi + rho); within a relative 1e-6 (measured: 3e-10) of the
        supremum for xi + rho between 1e-14 and 300.

    Raises:
        InvalidArgument: a parameter is negative or not finite.

    >>> round(mu_of_xi_rho(0.5, 0.5), 4)
    1.841
    """
    if not (0 <= xi < math.inf and 0 <= rho < math.inf):
        raise InvalidArgument(f"mu_of_xi_rho: needs finite xi, rho >= 0; got {xi!r}, {rho!r}")
    if rho == 0:
        return up(float(mu_pure(xi)), _ULPS) if xi else 0.0
    cap = up(float(mu_zcdp(up(xi + rho) if xi else rho)), _ULPS)
    return min(cap, _supremum(xi, rho)) if xi else cap


def _supremum(xi: float, rho: float) -> float:
    """The largest m over the testing boundary, from above; `inf` if it needs too small alphas."""

    def curve(order: float) -> float:
        return xi + rho * order

    if xi + rho > -_SMALLEST_LOG:
        return math.inf
    last = support(curve, _balance(curve, xi + rho))
    diagonal = (last.beta + last.slope * last.alpha) / (1 + last.slope) * (1 - 2 * _SLOPE_ERROR)
    least = _m(diagonal, diagonal, 1 - diagonal)
    log_start = -_chain_end(xi, rho, least)
    if log_start < _SMALLEST_LOG:
        return math.inf
    start = min(math.exp(log_start), last.alpha)
    lines = [*(support(curve, alpha) for alpha in _spaced(start, last.alpha)), last]
    first = _m(start, lines[0].beta, lines[0].power)
    return max(least, first, _refined(curve, lines, least))


def _refined(curve: Curve, lines: list[Support], least: float) -> float:
    """The largest m at the crossings of a chain, after new lines where it is largest.

    It ends when the largest m is that of a point of the boundary, or `least`, to 2e-7.
    """
    reached = max(least, *(_m(line.alpha, line.beta, line.power) for line in lines))
    crossings = [_crossing(left, right) for left, right in pairwise(lines)]
    heapify(crossings)
    for _ in range(_MOST_LINES if crossings else 0):
        worst = crossings[0]
        if -worst.minus_m <= reached * (1 + _TOLERANCE):
            break
        line = support(curve, worst.alpha)
        reached = max(reached, _m(line.alpha, line.beta, line.power))
        heapreplace(crossings, _crossing(worst.left, line))
        heappush(crossings, _crossing(line, worst.right))
    return -crossings[0].minus_m if crossings else least


def _crossing(left: Support, right: Support) -> _Crossing:
    """Hand over from one line to the next where they cross, or nearby: any point would do."""
    width = right.alpha - left.alpha
    turn = left.slope - right.slope
    part = (left.beta - right.beta - right.slope * width) / turn if turn > 0 else width / 2
    alpha = left.alpha + min(max(part, 0.0), width)
    before = left.slope * (1 + _SLOPE_ERROR) * (alpha - left.alpha)
    after = right.slope * (1 - _SLOPE_ERROR) * (right.alpha - alpha)
    beta = min(left.beta - before, right.beta + after) - 4 * EPS * left.beta
    power = max(left.power + before, right.power - after) + 4 * EPS * right.power
    return _Crossing(-_m(alpha, beta, power), alpha, left, right)


def _m(alpha: float, beta: float, power: float) -> float:
    """Phi^-1(power) - Phi^-1(alpha), from above; `inf` where beta is not positive."""
    if beta <= 0:
        return math.inf
    near = float(quantile(power) if power < 0.5 else -quantile(beta))
    far = float(quantile(alpha))
    return near - far + _ULPS * EPS * (abs(near) + abs(far))


def _balance(curve: Curve, rho: float) -> float:
    """About the alpha at which both errors are equal, from below; that of zCDP is smaller."""
    low = float(sigmoid(-float(t_zcdp(rho)))) * (1 - 1e-9)

    def excess(alpha: float) -> float:
        return math.log(max(tradeoff(curve, alpha), _TINY)) - math.log(alpha)

    return solve_down(excess, low, 0.5, increasing=False)


def _chain_end(xi: float, rho: float, least: float) -> float:
    """An L = log(1/alpha) beyond which m is at most `least`: step 3 of the proof."""
    z = 1.0
    while True:
        size = z * z / 2 + math.log(math.sqrt(2 * math.pi) * (z + 1 / z))
        if (xi + rho + 2 * math.sqrt(rho * size)) * (1 + 1e-12) <= least * z:
            return (xi + (math.sqrt(size) + math.sqrt(rho)) ** 2) * (1 + 1e-12)
        z *= 1.05


def _spaced(start: float, end: float) -> list[float]:
    """A few probabilities from start on, up to below the end, evenly spaced as quantiles."""
    low, high = float(quantile(start)), float(quantile(end))
    steps = range(1, _FIRST_LINES if high > low else 1)
    return [start, *(float(cdf(low + (high - low) * i / _FIRST_LINES)) for i in steps)]
