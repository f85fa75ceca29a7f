"""The discrete Gaussian law N_Z(0, variance): its normaliser, tails and normal scores.

Everything that is proved about discrete Gaussian noise starts from the sums

    S(k) = sum over integers z >= k of f(z),   f(z) = exp(-z^2 / (2 variance)),

written as `S(k) = f(k) H(k)`, so that the exponent stays apart and H has no range to overflow.
With sigma^2 the variance and t = k / sigma, H is summed directly where few terms count, a
polynomial in `exp(-k / variance)` with positive coefficients; else by the Euler-Maclaurin formula

    H(k) = sigma R(t) + 1/2 + E(t),
    E(t) = sum over m of B_2m / (2m)! sigma^(1 - 2m) He_(2m - 1)(t),

with R the Mills ratio, B the Bernoulli and He the Hermite numbers. Its remainder after six terms
is at most `2 zeta(14) / (2 pi)^14` times the integral of the absolute 14th derivative of f, below
1e-17 of H for variance >= 64 and t <= sigma / 4, which is where it is used.

`variance` is the parameter of the law, sigma^2 in f; the standard deviation of the noise is a
little smaller. Source of the law: Canonne, Kamath and Steinke (2020), Definition 1.
"""

import math

import numpy as np
from numpy.polynomial.hermite_e import hermeval
from numpy.polynomial.polynomial import polyval

from tightrope.num.elementwise import FloatArray, ScalarOrArray, branches, elementwise
from tightrope.num.normal import mills, quantile_of_log

__all__ = [
    "correction",
    "log_mass",
    "log_normaliser",
    "log_tail",
    "normaliser",
    "scaled_tail",
    "score",
]


WIDE = 64.0  # variance from which the Euler-Maclaurin formula is accurate
STEEP = 0.25  # k / variance beyond which few terms of the sum count
_BERNOULLI = (1 / 12, -1 / 720, 1 / 30240, -1 / 1209600, 1 / 47900160, -691 / 1307674368000)
_SQRT2 = 1.4142135623730951
_TWO_PI_SQUARED = 19.739208802178716


@elementwise
def log_normaliser(variance: FloatArray) -> FloatArray:
    """Return `log sum_z exp(-z^2 / (2 variance))`, for `variance > 0`.

    Relative error below `5e-16 max(1, 1 / (2 variance))`.

    >>> f"{log_normaliser(1e-3):.12g}, {log_normaliser(1.0):.12g}"
    '1.42491528135e-217, 0.918938538555'
    """
    leading, excess = _theta(variance)
    return np.log(leading) + np.log1p(excess)


@elementwise
def normaliser(variance: FloatArray) -> FloatArray:
    """Return `sum_z exp(-z^2 / (2 variance))`. Relative error below 5e-16."""
    leading, excess = _theta(variance)
    return leading * (1 + excess)


def _theta(variance: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The leading term of the sum, and all others relative to it.

    Below 1/2 the sum is taken as it stands, above by Poisson summation:
    `sqrt(2 pi variance) sum_n exp(-2 pi^2 variance n^2)`.
    """
    small = variance < 0.5
    rate = np.where(small, 1 / (2 * variance), _TWO_PI_SQUARED * variance)
    squares = np.square(np.arange(1.0, 9.0))
    excess = 2 * np.exp(-squares * rate[..., np.newaxis]).sum(axis=-1)
    return np.where(small, 1.0, np.sqrt(2 * np.pi * variance)), excess


def log_mass(variance: float, k: ScalarOrArray) -> ScalarOrArray:
    """Return `log P(Z = k)`. Absolute error below 1e-15 plus an ulp of the value."""
    log_total = log_normaliser(variance)
    return elementwise(lambda z: -z / variance / 2 * z - log_total)(k)


def log_tail(variance: float, k: ScalarOrArray) -> ScalarOrArray:
    """Return `log P(Z >= k)` for Z of law N_Z(0, variance) and integers k.

    Args:
        variance: the parameter of the law, positive; checked from 1e-3 to 1e12.
        k: integers, as floats; a scalar or an array.

    Returns:
        The logarithm. Absolute error below 1e-15 plus one ulp of the value, hence that relative
        error of the probability; for k <= 0, where the probability is near 1, the same holds for
        the complement as long as it is a double.

    >>> f"{log_tail(1.0, 1.0):.12g}, {log_tail(1e10, 1e6):.12g}"
    '-1.2022114868, -53.2312346605'
    """
    total = normaliser(variance)

    def upper(z: FloatArray) -> FloatArray:
        return -z / variance / 2 * z + np.log(_scaled_tail(variance, z) / total)

    def both(z: FloatArray) -> FloatArray:
        cases = ((z >= 1, upper), (z < 1, lambda y: np.log1p(-np.exp(upper(1 - y)))))
        return branches([z], *cases)

    return elementwise(both)(k)


def scaled_tail(variance: float, k: ScalarOrArray) -> ScalarOrArray:
    """Return `H(k) = S(k) / f(k)` for integers `k >= -sigma/2`. Relative error below 2e-15."""
    return elementwise(lambda z: _scaled_tail(variance, z))(k)


def _scaled_tail(variance: float, k: FloatArray) -> FloatArray:
    smooth = (k <= STEEP * variance) & (variance >= WIDE)
    return branches(
        [k],
        (smooth, lambda z: _smooth_tail(variance, z)),
        (~smooth, lambda z: _steep_tail(variance, z)),
    )


def _steep_tail(variance: float, k: FloatArray) -> FloatArray:
    """Sum `exp(-(2 k j + j^2) / (2 variance))` over j: beyond the last j it is below 1e-17."""
    terms = 10 * math.sqrt(variance) + 10 if variance < WIDE else 40 / STEEP
    j = np.arange(math.ceil(terms))
    return np.asarray(polyval(np.exp(-k / variance), np.exp(-j / variance / 2 * j)))


def _smooth_tail(variance: float, k: FloatArray) -> FloatArray:
    sigma = math.sqrt(variance)
    return sigma * np.asarray(mills(k / sigma)) + 0.5 + correction(variance, k)


def correction(variance: float, k: FloatArray) -> FloatArray:
    """Return E(k / sigma), the Euler-Maclaurin terms beyond the half end point."""
    sigma = math.sqrt(variance)
    coefficients = np.zeros(2 * len(_BERNOULLI))
    coefficients[1::2] = _BERNOULLI / sigma ** np.arange(1, 2 * len(_BERNOULLI), 2)
    return np.asarray(hermeval(k / sigma, coefficients))


def score(variance: float, k: ScalarOrArray) -> ScalarOrArray:
    """Return the normal score `-Phi^-1(P(Z >= k))` of integers k; odd about k = 1/2.

    Relative error below 3e-15: near the centre the score comes from the mass of `|Z| < k`, where
    the tail is close to 1/2 and would cancel.

    >>> f"{score(1.0, 1.0):.12g}, {score(1.0, 0.0):.12g}"
    '0.522880059758, -0.522880059758'
    """
    near = 0.7 * math.sqrt(variance)

    def right(z: FloatArray) -> FloatArray:
        cases = (
            (z < near, central),
            (z >= near, lambda y: -quantile_of_log(log_tail(variance, y))),
        )
        return branches([z], *cases)

    def central(z: FloatArray) -> FloatArray:
        from scipy import special

        return np.asarray(_SQRT2 * special.erfinv(_central_mass(variance, z)))

    return elementwise(lambda z: np.where(z >= 1, 1, -1) * right(np.where(z >= 1, z, 1 - z)))(k)


def _central_mass(variance: float, k: FloatArray) -> FloatArray:
    """P(|Z| < k) for 1 <= k < 0.7 sigma, as a sum or by Euler-Maclaurin at both ends."""
    from scipy import special

    total = normaliser(variance)
    if variance < WIDE:
        z = np.arange(0.7 * math.sqrt(variance))
        partial = 2 * np.cumsum(np.exp(-z / variance / 2 * z)) - 1
        return np.asarray(partial[k.astype(int) - 1] / total)
    sigma = math.sqrt(variance)
    bulk = math.sqrt(2 * math.pi) * sigma * special.erf(k / sigma / _SQRT2)
    edge = np.exp(-k / variance / 2 * k) * (1 + 2 * correction(variance, k))
    return np.asarray((bulk - edge) / total)
