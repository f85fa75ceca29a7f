"""Discrete Laplace noise: all that is tight for it, in closed forms.

The noise has masses proportional to exp(-h |z|), h = epsilon/D, and the neighbour shifts it by an
integer D (Ghosh, Roughgarden and Sundararajan, 2012). The loss is epsilon - 2 h z on 0 <= z <= D
and constant outside.

zCDP. Under the normalised geometric mean of the two laws the loss is symmetric, and summing the
geometric masses, with m = 2a - 1, theta = m h/2 and kappa = 2/(exp(h) - 1),

    exp((a - 1) D_a) = E(theta)/E(h/2),
    E(theta) = sinh((D + 1) theta)/sinh(theta) + kappa cosh(D theta).

With theta = i y, E sin(y) = (1 + kappa/2) sin((D + 1) y) - (kappa/2) sin((D - 1) y). At the points
y = (j + 1/2) pi/(D + 1), j = 0, ..., D, the first term has size 1 + kappa/2 and alternating signs,
so E has D zeros in (0, pi). It is a polynomial of degree D in cos(y), hence these are all: every
zero of E as a function of t = m^2 is real and negative. As E has order 1/2 in t, log E is concave
in t, and D_a/a, four times the slope of a chord of it from t = 1, falls. So the zCDP parameter is
the Kullback-Leibler divergence, for every epsilon and D.

GDP. The vertices of the trade-off curve are (P(Z >= k), P(Z >= D + 1 - k)), k = 1, ..., D, with
log P(Z >= k) = -k h - log(1 + exp(-h)) linear in k. The normal score -Phi^-1(exp(-y)) is concave in
y (its derivative is a Mills ratio), so the vertices in the middle decide.
"""

import math

import numpy as np
from numpy.polynomial.polynomial import polyval

from tightrope.num.elementwise import FloatArray, ScalarOrArray, branches, elementwise
from tightrope.num.normal import quantile_of_log
from tightrope.num.rounding import up
from tightrope.theorems.remainder import remainder

__all__ = [
    "mu_discrete_laplace",
    "renyi_discrete_laplace",
    "rho_discrete_laplace",
    "vertices_discrete_laplace",
]


_SQRT2 = 1.4142135623730951
_SINH = [1 / math.factorial(2 * n + 3) for n in range(12)]  # (sinh x - x)/x^3 in x^2
_TANH = [2 * n / math.factorial(2 * n + 1) for n in range(1, 16)]  # (x cosh x - sinh x)/x^3


def rho_discrete_laplace(epsilon: float, shift: int) -> float:
    """Return the tight zCDP parameter, rounded up by 12 ulps.

    The Kullback-Leibler divergence `epsilon - h (1 - exp(-epsilon))/sinh(h)`, h = epsilon/shift, as
    the Laplace value plus a positive term.

    Args:
        epsilon: the pure-DP parameter of the shift, at least 0.
        shift: the integer distance of the neighbours, at least 1.

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{rho_discrete_laplace(1.0, 2):.12g}"
    '0.393469340287'
    """
    h = _step(epsilon, shift)
    if epsilon == 0:
        return 0.0
    excess = -math.expm1(-epsilon) * 2 * _sinh_excess(h) / -math.expm1(-2 * h)
    return up(epsilon * (epsilon * remainder(-epsilon)) + excess, 12)


def _step(epsilon: float, shift: int) -> float:
    if not (0 <= epsilon < math.inf and shift >= 1):
        raise ValueError(f"discrete Laplace: got epsilon={epsilon!r}, shift={shift!r}")
    return epsilon / shift


def _sinh_excess(h: float) -> float:
    """exp(-h) (sinh h - h), which is the numerator of 1 - h/sinh(h) in units of exp(h)."""
    if h < 1:
        return math.exp(-h) * h**3 * float(polyval(h * h, _SINH))
    return -math.expm1(-2 * h) / 2 - h * math.exp(-h)


def renyi_discrete_laplace(epsilon: float, shift: int, orders: ScalarOrArray) -> ScalarOrArray:
    """Return the Renyi divergence at orders `a >= 1`, rounded up by 30 ulps.

    Order 1 is the Kullback-Leibler divergence, order infinity is epsilon.

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{renyi_discrete_laplace(1.0, 2, 2.0):.12g}"
    '0.654827924874'
    """
    h = _step(epsilon, shift)

    def bound(a: FloatArray) -> FloatArray:
        if not np.all(a >= 1):
            raise ValueError("renyi_discrete_laplace: orders must be at least 1")
        if epsilon == 0:
            return np.zeros(a.shape)
        b = np.where(np.isinf(a), 0.0, a - 1)
        near, far = b * epsilon < 2, b * epsilon >= 2
        finite = branches(
            [b], (near, lambda x: _near(epsilon, h, x)), (far, lambda x: _far(epsilon, h, x))
        )
        return np.minimum(up(np.where(np.isinf(a), epsilon, finite), 30), epsilon)

    return elementwise(bound)(orders)


def _weights(h: float, b: FloatArray) -> tuple[FloatArray, FloatArray]:
    """A and B/b in exp((a-1) D_a) = A exp(b epsilon) + B exp(-a epsilon), b = a - 1; A + B = 1."""
    total = (1 + math.exp(-h)) * -np.expm1(-(2 * b + 1) * h)
    y = b * h
    ratio = np.where(y == 0, 2.0, -np.expm1(-2 * y) / np.where(y == 0, 1.0, y))
    return -np.expm1(-2 * (b + 1) * h) / total, math.exp(-h) * h * ratio / total


def _far(epsilon: float, h: float, b: FloatArray) -> FloatArray:
    first, second = _weights(h, b)
    return epsilon + np.log(first + b * second * np.exp(-(2 * b + 1) * epsilon)) / b


def _near(epsilon: float, h: float, b: FloatArray) -> FloatArray:
    """log(1 + b x)/b: x is what A and B add to second order, and what they leave to first."""
    first, second = _weights(h, b)
    a = b + 1
    curved = first * b * remainder(b * epsilon) + second * a * a * remainder(-a * epsilon)
    x = epsilon * (epsilon * curved + _lean(h, b))
    return np.where(b * x == 0, x, np.log1p(b * x) / np.where(b == 0, 1.0, b))


def _lean(h: float, b: FloatArray) -> FloatArray:
    """A - a B/b >= 0, with y = b h: a sum of three positive terms over sinh(a h) + sinh(y)."""
    y = b * h
    above = np.sinh(y) * math.expm1(-h) ** 2 / 2 + np.cosh(y) * _sinh_excess(h)
    above += math.exp(-h) * h * y * y * polyval(y * y, _TANH)
    return above / ((1 + math.exp(-h)) * np.exp(y) * -np.expm1(-(2 * b + 1) * h) / 2)


def vertices_discrete_laplace(epsilon: float, shift: int) -> tuple[FloatArray, FloatArray]:
    """Return the vertices (alpha, beta) of the trade-off curve, from (0, 1) to (1, 0).

    Relative error below 1e-15 (1 + epsilon).

    >>> vertices_discrete_laplace(0.0, 1)
    (array([0. , 0.5, 1. ]), array([1. , 0.5, 0. ]))
    """
    h = _step(epsilon, shift)
    alpha = np.exp(-h * np.arange(float(shift), 0.0, -1.0)) / (1 + math.exp(-h))
    return np.concatenate([[0.0], alpha, [1.0]]), np.concatenate([[1.0], alpha[::-1], [0.0]])


def mu_discrete_laplace(epsilon: float, shift: int) -> float:
    """Return the tight GDP parameter, the greatest over the vertices, rounded up by 12 ulps.

    Args:
        epsilon: the pure-DP parameter of the shift, at least 0.
        shift: the integer distance of the neighbours, at least 1.

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{mu_discrete_laplace(1.0, 1):.12g}"
    '1.23203538534'
    """
    h = _step(epsilon, shift)
    if epsilon == 0:
        return 0.0
    return up(_score(h, (shift + 2) // 2) + _score(h, (shift + 1) // 2), 12)


def _score(h: float, k: int) -> float:
    """-Phi^-1(P(Z >= k)), k >= 1, from the mass of |Z| < k where that is small."""
    from scipy import special

    decay = math.exp(-h)
    inside = (-math.expm1(-h) - 2 * decay * math.expm1(-(k - 1) * h)) / (1 + decay)
    if inside < 0.5:
        return _SQRT2 * float(special.erfinv(inside))
    return -quantile_of_log(-k * h - math.log1p(decay))
