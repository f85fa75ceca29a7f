"""Laplace noise: all that is tight for it, in closed forms.

The neighbour shifts Laplace noise of scale s by D, epsilon = D/s. The loss is epsilon or -epsilon
outside the shift, each with an atom, and uniform-like between.

zCDP. With m = 2a - 1 and b = epsilon/2 the Renyi divergences are

    (a - 1) D_a = -b + log E(m^2),   E(t) = cosh(b sqrt t) + sinh(b sqrt t)/sqrt t,

and a (a - 1) = (m^2 - 1)/4, so D_a/a is four times the slope of a chord of log E from t = 1. E is
entire of order 1/2, and E(t) = 0 says that u'' = t u on [0, b] has a solution with u(0) = 1,
u'(0) = 1, u(b) = 0. Multiplying by u and integrating, t is real and negative. So E is a product of
factors 1 + t/t_n with t_n > 0, log E is concave, and D_a/a falls: the zCDP parameter is the
Kullback-Leibler divergence (Harrison and Manurangsi, 2022, by other means).

GDP. Between its two linear ends the trade-off curve satisfies log alpha + log beta = const. The
normal score -Phi^-1(exp(-y)) is concave in y, as its derivative is a Mills ratio, so the sum of the
scores of alpha and beta is greatest at alpha = beta = exp(-epsilon/2)/2; the linear ends lie above
every G_mu below their end points. Hence mu = -2 Phi^-1(exp(-epsilon/2)/2).
"""

import numpy as np

from tightrope.num.elementwise import FloatArray, branches, elementwise
from tightrope.num.logspace import log1mexp
from tightrope.num.normal import quantile_of_log
from tightrope.num.rounding import EPS, up
from tightrope.theorems.remainder import remainder

__all__ = ["log_delta_laplace", "mu_laplace", "renyi_laplace", "rho_laplace", "tradeoff_laplace"]

_SQRT2, _LOG2 = 1.4142135623730951, 0.6931471805599453


@elementwise
def rho_laplace(epsilon: FloatArray) -> FloatArray:
    """Return the tight zCDP parameter `epsilon + exp(-epsilon) - 1`, rounded up by six ulps.

    >>> f"{rho_laplace(1.0):.12g}"
    '0.367879441171'
    """
    return np.where(epsilon == 0, 0.0, up(epsilon * (epsilon * remainder(-epsilon)), 6))


@elementwise
def renyi_laplace(epsilon: FloatArray, orders: FloatArray) -> FloatArray:
    """Return the Renyi divergence of order `a >= 1` (Mironov, 2017, Proposition 6), rounded up.

    `log[(a exp((a-1) epsilon) + (a-1) exp(-a epsilon))/(2a - 1)]/(a - 1)`, by 20 ulps too large.
    Order 1 is the Kullback-Leibler divergence, order infinity is epsilon.

    >>> f"{renyi_laplace(1.0, 2.0):.12g}"
    '0.619123629999'
    """
    a = np.where(np.isinf(orders), 1.0, orders)
    b = a - 1
    finite = branches([epsilon, a, b], (b * epsilon < 2, _near), (b * epsilon >= 2, _far))
    bound = np.minimum(up(np.where(np.isinf(orders), epsilon, finite), 20), epsilon)
    return np.where(epsilon == 0, 0.0, bound)


def _near(epsilon: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    """log(1 + b x)/b, with x a sum of positive terms."""
    parts = b * remainder(b * epsilon) + a * remainder(-a * epsilon)
    x = epsilon * (a / (a + b)) * (epsilon * parts)
    return np.where(b * x == 0, x, np.log1p(b * x) / np.where(b == 0, 1.0, b))


def _far(epsilon: FloatArray, a: FloatArray, b: FloatArray) -> FloatArray:
    small = np.log1p(b / a * np.exp(-(a + b) * epsilon))
    return epsilon + (np.log(a / (a + b)) + small) / b


@elementwise
def mu_laplace(epsilon: FloatArray) -> FloatArray:
    """Return the tight GDP parameter `-2 Phi^-1(exp(-epsilon/2)/2)`, rounded up by eight ulps.

    >>> f"{mu_laplace(1.0):.12g}"
    '1.03006399762'
    """
    from scipy import special

    score = branches(
        [epsilon],
        (epsilon < 1, lambda e: _SQRT2 * special.erfinv(-np.expm1(-e / 2))),
        (epsilon >= 1, lambda e: -np.asarray(quantile_of_log(-e / 2 - _LOG2))),
    )
    return np.where(epsilon == 0, 0.0, up(2 * score, 8))


@elementwise
def tradeoff_laplace(epsilon: FloatArray, alpha: FloatArray) -> FloatArray:
    """Return the least type II error at type I error alpha, rounded down.

    `1 - exp(epsilon) alpha` up to `alpha = exp(-epsilon)/2`, then `exp(-epsilon)/(4 alpha)` up to
    1/2, then `exp(-epsilon) (1 - alpha)` (Dong, Roth and Su, 2022, Lemma A.6). By eight ulps too
    small, and by 3 epsilon ulps where epsilon exceeds 700.

    Raises:
        ValueError: alpha is outside [0, 1].

    >>> f"{tradeoff_laplace(1.0, 0.05):.12g}"
    '0.864085908577'
    """
    if not np.all((alpha >= 0) & (alpha <= 1)):
        raise ValueError("tradeoff_laplace: alpha must lie in [0, 1]")
    grown = np.where(epsilon < 700, np.exp(epsilon) * alpha, np.exp(epsilon + np.log(alpha)))
    shrunk = np.where(epsilon < 700, np.exp(-epsilon) / alpha, np.exp(-epsilon - np.log(alpha))) / 4
    beta = np.where(
        grown < 0.5, 1 - grown, np.where(alpha < 0.5, shrunk, np.exp(-epsilon) * (1 - alpha))
    )
    bound = beta * (1 - EPS * np.where(epsilon < 700, 8.0, 3 * epsilon))
    return np.where(alpha == 0, 1.0, np.where(alpha == 1, 0.0, np.maximum(bound, 0.0)))


@elementwise
def log_delta_laplace(epsilon: FloatArray, epsilon1: FloatArray) -> FloatArray:
    """Return the logarithm of the exact privacy profile at `epsilon1`, rounded up.

    For `|epsilon1| < epsilon` the loss exceeds epsilon1 left of `(D - s epsilon1)/2`, and
    `P - exp(epsilon1) Q` of that half-line is `1 - exp((epsilon1 - epsilon)/2)`. Further left
    `1 - exp(epsilon1)`, further right 0.

    Args:
        epsilon: the pure-DP parameter, at least 0.
        epsilon1: any real number.

    >>> f"{np.exp(log_delta_laplace(1.0, 0.0)):.12g}"  # 1 - exp(-1/2)
    '0.393469340287'
    """
    inside = np.asarray(log1mexp((epsilon - np.clip(epsilon1, -epsilon, epsilon)) / 2))
    value = np.where(epsilon1 <= -epsilon, log1mexp(np.maximum(-epsilon1, 0.0)), inside)
    return np.where(epsilon1 >= epsilon, -np.inf, np.minimum(value + 4 * EPS * (1 - value), 0.0))
