"""k-ary randomised response: one pair of laws on three outcomes, and all that is tight for it.

The report tells the truth with probability `exp(e)/(exp(e) + k - 1)`, else one of the k - 1 other
categories, each alike (Warner, 1965, for k = 2). For two true values the loss is e on one category,
-e on another, 0 on the k - 2 others.

zCDP. The pair is its own mirror image. With m = 2a - 1, s = m e/2, A = exp(e/2), c = (k - 2)/(2A)
its Renyi divergences satisfy

    D_a/a = e^2 (phi(s) - phi(e/2))/(s^2 - e^2/4),   phi(s) = log(c + cosh s),

a slope of chords of phi as a function of t = s^2. There d phi/dt = sinh(s)/(2 s (c + cosh s))
increases exactly while c > r(s) = (sinh s cosh s - s)/(s cosh s - sinh s). Now r increases from
r(0) = 2: its two series, the sums over n >= 1 of 4^n s^(2n+1)/(2n+1)! and 2n s^(2n+1)/(2n+1)!, have
coefficients whose quotient 4^n/(2n) increases (Biernacki and Krzyz, 1955). So

* if c <= r(e/2), in particular for k <= 6 and whenever k - 2 <= 4 exp(e/2), phi is concave from
  order 1 on, chords flatten, and the supremum is the Kullback-Leibler divergence
  `e (exp(e) - 1)/(exp(e) + k - 1)` (for k <= 6 this is Harrison and Manurangsi, 2022);
* else phi is first convex, then concave, the slope of its chords from order 1 has one maximum, and
  the Kullback-Leibler divergence is *not* the zCDP parameter.

GDP. The curve has the vertices (p0, 1 - p1), (1 - p1, p0), p1 and p0 the probabilities of the truth
and of one other category; they are mirror images, so mu is the increment Phi^-1(p1) - Phi^-1(p0).
"""

import math

import numpy as np

from tightrope.num.elementwise import FloatArray, ScalarOrArray
from tightrope.num.normal import mills, quantile_of_log
from tightrope.num.rounding import up
from tightrope.theorems.renyi_supremum import renyi_of_losses

__all__ = ["mu_krr", "renyi_krr", "rho_krr", "vertices_krr"]


_POINTS, _ROUNDS = 65, 7
_LARGEST = 10**100


def _check(epsilon: float, categories: int) -> None:
    if not (0 <= epsilon < math.inf and 2 <= categories <= _LARGEST):
        raise ValueError(
            f"k-ary randomised response: epsilon={epsilon!r}, categories={categories!r}"
        )


def rho_krr(epsilon: float, categories: int) -> float:
    """Return the tight zCDP parameter, rounded up by 16 ulps.

    Args:
        epsilon: the pure-DP parameter, at least 0.
        categories: their number k, from 2 to 1e100.

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{rho_krr(1.0, 6):.12g}, {rho_krr(1.0, 1000):.12g}"
    '0.222624914022, 0.0390746579044'
    """
    _check(epsilon, categories)
    if epsilon == 0:
        return 0.0
    at_one = epsilon / (1 + categories / math.expm1(epsilon)) if epsilon < 700 else epsilon
    return up(max(at_one, _interior(epsilon, categories)), 16)


def _interior(epsilon: float, categories: int) -> float:
    """The greatest D_a/a away from order 1, or 0 where phi is concave throughout."""
    c = (categories - 2) / 2 * math.exp(-epsilon / 2)
    if c <= 2:
        return 0.0
    first = epsilon / 2
    left, right = 0.0, 2 * math.log(4 * c) + 10  # of s - first; phi(s) is close to s - log 2 there
    for _ in range(_ROUNDS):
        u = np.linspace(left, right, _POINTS)
        u[u == 0] = right * 1e-9
        growth = 2 * np.sinh(first + u / 2) * np.sinh(u / 2) / (c + math.cosh(first))
        slope = np.log1p(growth) / (u * (u + epsilon))
        best = int(np.argmax(slope))
        left, right = u[max(best - 1, 0)], u[min(best + 1, _POINTS - 1)]
    return float(slope[best]) * epsilon * epsilon


def _log_masses(epsilon: float, categories: int) -> tuple[float, float]:
    """log p1 and log p0: of the truth, and of one other category."""
    log_truth = -math.log1p((categories - 1) * math.exp(-epsilon))
    return log_truth, log_truth - epsilon


def renyi_krr(epsilon: float, categories: int, orders: ScalarOrArray) -> ScalarOrArray:
    """Return the Renyi divergence at orders `a >= 1`, infinity included, rounded up.

    The bound exceeds the divergence by at most 30 ulps times `1 - log p0`.

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{renyi_krr(1.0, 3, 2.0):.12g}"
    '0.618401305624'
    """
    _check(epsilon, categories)
    truth, other = _log_masses(epsilon, categories)
    log_p, losses = np.array([truth, other]), np.array([epsilon, -epsilon])
    if categories > 2:
        log_p, losses = np.append(log_p, math.log(categories - 2) + other), np.append(losses, 0.0)
    return renyi_of_losses(log_p, losses, orders)


def vertices_krr(epsilon: float, categories: int) -> tuple[FloatArray, FloatArray]:
    """Return the vertices (alpha, beta) of the trade-off curve, from (0, 1) to (1, 0).

    Relative error below 1e-15 (1 + epsilon).

    >>> vertices_krr(0.0, 4)
    (array([0.  , 0.25, 0.75, 1.  ]), array([1.  , 0.75, 0.25, 0.  ]))
    """
    _check(epsilon, categories)
    _, other = _log_masses(epsilon, categories)
    inner = np.unique(np.exp([other, math.log(categories - 1) + other]))
    return np.concatenate([[0.0], inner, [1.0]]), np.concatenate([[1.0], inner[::-1], [0.0]])


def mu_krr(epsilon: float, categories: int) -> float:
    """Return the tight GDP parameter `Phi^-1(p1) - Phi^-1(p0)`, rounded up.

    Where the difference is small it is the root m of `integral over [x, x + m] of phi/Phi =
    epsilon`, x = Phi^-1(p0), since p1/p0 = exp(epsilon). The bound exceeds the truth by at most 30
    ulps, and by 200 for 1e100 categories.

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{mu_krr(1.0, 2):.12g}"
    '1.23203538534'
    """
    _check(epsilon, categories)
    if epsilon == 0:
        return 0.0
    truth, other = _log_masses(epsilon, categories)
    start, end = quantile_of_log(other), quantile_of_log(truth)
    m = end - start
    if m >= 1:
        return up(m, 8 + 4 * (abs(start) + abs(end)) / m)
    return up(_small_increment(start, epsilon), 16)


def _small_increment(start: float, epsilon: float) -> float:
    """Newton's method with Gauss-Legendre quadrature, from the tangent, which is below the root."""
    nodes, weights = np.polynomial.legendre.leggauss(16)
    m = epsilon * mills(-start)
    for _ in range(6):
        rates = 1 / np.asarray(mills(-start - m * (nodes + 1) / 2))
        m += (epsilon - m / 2 * float(rates @ weights)) * mills(-start - m)
    return m
