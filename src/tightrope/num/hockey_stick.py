"""The area between two Gaussians above a likelihood ratio: the hockey-stick divergence.

The textbook difference `Phi(mu/2 - e/mu) - exp(e) Phi(-mu/2 - e/mu)` overflows, underflows and
cancels.  With `phi` the normal density, `R` the Mills ratio and `a = e/mu - mu/2` it equals

    phi(a) [R(a) - R(a + mu)] = 2 phi(a) integral_0^inf exp(-t e/mu - t^2/2) sinh(t mu/2) dt,

for `e >= 0`; the integrand has one sign, so a quadrature keeps all digits where the difference of
Mills ratios has none.  `a` and its square are carried in twice the working precision.
"""

from functools import cache

import numpy as np

from tightrope.num.elementwise import FloatArray, elementwise
from tightrope.num.logspace import log1mexp
from tightrope.num.rounding import EPS, two_product

__all__ = ["gaussian_log_delta", "gaussian_log_delta_error"]

_LOG2 = 0.6931471805599453
_SQRT_HALF = 0.7071067811865476
_MAX = 1.7976931348623157e308
_BLOCK = 4096  # rows of one quadrature table, to bound its memory


@elementwise
def gaussian_log_delta(mu: FloatArray, epsilon: FloatArray) -> FloatArray:
    """Return `log[Phi(mu/2 - epsilon/mu) - exp(epsilon) Phi(-mu/2 - epsilon/mu)]`.

    This is the logarithm of `E_{N(mu,1)}[(1 - exp(epsilon - L))_+]` with `L` the log-likelihood
    ratio of N(mu, 1) to N(0, 1): the privacy profile of the Gaussian mechanism (B. Balle and
    Y.-X. Wang, "Improving the Gaussian mechanism for differential privacy", 2018, Theorem 8).

    Args:
        mu: distance of the means in standard deviations, in [0, inf].
        epsilon: logarithm of the likelihood ratio, any real number; an infinite one counts as the
            largest double.

    Returns:
        The natural logarithm, in [-inf, 0]; the absolute error is at most
        `gaussian_log_delta_error` of the result.  Values below -8e307 come out as -inf.

    Raises:
        ValueError: `mu` is negative or an argument is not a number.

    >>> f"{gaussian_log_delta(1.0, 1.0):.12g}"  # delta = 0.127
    '-2.0640664465'
    >>> f"{gaussian_log_delta(0.01, 1.0):.12g}"  # delta = 2.2e-2178
    '-5014.23476148'
    """
    if not np.all(mu >= 0) or np.any(np.isnan(epsilon)):
        raise ValueError("gaussian_log_delta(mu, epsilon): needs mu >= 0 and a number epsilon")
    size = np.minimum(np.abs(epsilon), _MAX)
    # Beyond 1e160 every finite epsilon is far below mu^2/2, and the squares would overflow.
    at_size = _at_positive(np.minimum(mu, 1e160), size)
    # delta(-e) = 1 - exp(-e) + exp(-e) delta(e), by exchanging the two Gaussians.
    mirrored = np.logaddexp(log1mexp(size), at_size - size)
    return np.minimum(np.where(epsilon < 0, mirrored, at_size), 0.0)


@elementwise
def gaussian_log_delta_error(log_delta: FloatArray) -> FloatArray:
    """Return the worst absolute error of `gaussian_log_delta` where its result is `log_delta`.

    It is the relative error of delta: 3e-15 plus two ulps of the logarithm itself.

    >>> gaussian_log_delta_error(0.0)
    3.1086244689504383e-15
    """
    return EPS * (14 + 2 * np.abs(log_delta))


LEAST = -8e307
"""Where `gaussian_log_delta` is -inf, the truth is below this."""


def gaussian_log_delta_bound(mu: float, epsilon: FloatArray, side: int) -> FloatArray:
    """Return `gaussian_log_delta`, moved up (`side` 1) or down (-1) by its error.

    >>> bool(gaussian_log_delta_bound(1e-200, np.array(1.0), 1) > -8.1e307)  # not -inf
    True
    """
    value = np.asarray(gaussian_log_delta(mu, epsilon))
    known = np.maximum(value, LEAST)
    start = known if side > 0 else value
    return np.asarray(start + side * np.asarray(gaussian_log_delta_error(known)))


def _at_positive(mu: FloatArray, epsilon: FloatArray) -> FloatArray:
    """Evaluate the logarithm for `epsilon >= 0`, each point by the form that keeps its digits."""
    from scipy import special

    centre, centre_low = _quotient(epsilon, mu)
    start, start_low = _difference(centre, centre_low, mu / 2)
    log_gauss = _log_gauss(start, start_low)  # log(exp(-a^2/2) / 2)
    near: FloatArray = special.erfcx(start * _SQRT_HALF)
    far: FloatArray = special.erfcx((centre + mu / 2) * _SQRT_HALF)
    complement = np.exp(log_gauss) * (special.erfcx(np.abs(start) * _SQRT_HALF) + far)
    result = np.where(
        (start < 0) & (complement < 0.5), np.log1p(-complement), log_gauss + np.log(near - far)
    )
    cancels = 3 * far > near
    result[cancels] = log_gauss[cancels] + _log_integral(mu[cancels], centre[cancels])
    return result


def _quotient(x: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Divide with a remainder: `high + low` is x/y to twice the precision, capped at 1e200."""
    x_part, x_power = np.frexp(x)
    y_part, y_power = np.frexp(y)
    high = x_part / y_part
    product, error = two_product(high, y_part)
    low = ((x_part - product) - error) / y_part
    inside = (y > 0) & (np.ldexp(high, x_power - y_power) < 1e200)
    power = np.where(inside, x_power - y_power, 0)
    return np.where(inside, np.ldexp(high, power), 1e200), np.where(inside, np.ldexp(low, power), 0)


def _difference(x: FloatArray, x_low: FloatArray, y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Subtract `y` from `x + x_low`, returning a rounded value and what the rounding lost."""
    head = x - y
    taken = head - x
    tail = (x - (head - taken)) - (y + taken) + x_low
    rounded = head + tail
    return rounded, (head - rounded) + tail


def _log_gauss(a: FloatArray, a_low: FloatArray) -> FloatArray:
    """Return `-(a + a_low)^2 / 2 - log 2`, with one rounding of the large square."""
    square, error = two_product(a, a)
    correction = error / 2 + a * a_low
    return -square / 2 - (np.where(np.isfinite(correction), correction, 0.0) + _LOG2)


def _log_integral(mu: FloatArray, centre: FloatArray) -> FloatArray:
    """Return the logarithm of `sqrt(8/pi) integral exp(-t centre - t^2/2) sinh(t mu/2) dt`."""
    scale = 1 / (1 + centre)
    total = np.empty_like(mu)
    for i in range(0, mu.size, _BLOCK):
        block = slice(i, i + _BLOCK)
        total[block] = _quadrature(mu[block], centre[block])
    return np.asarray(np.log(total) + (np.log(mu * scale) + np.log(scale)))


def _quadrature(mu: FloatArray, centre: FloatArray) -> FloatArray:
    """Return that integral divided by `mu / (1 + centre)^2`, in the variable `t (1 + centre)`."""
    nodes, weights = _rule()
    t = nodes / (1 + centre[:, np.newaxis])
    y = np.maximum(mu[:, np.newaxis] / 2 * t, 1e-150)
    decay = np.exp(-t * (centre[:, np.newaxis] + t / 2))
    return np.asarray((decay * (np.sinh(y) / y)) @ weights)


@cache
def _rule() -> tuple[FloatArray, FloatArray]:
    """Return the trapezoid rule for `x = exp(u - exp(-u))` (Takahasi and Mori, 1974).

    The weights contain the factor x of `sinh(y) = y sinh(y)/y`; with step 0.1 the rule is exact to
    4e-16 wherever the ratio of the two Mills ratios is below 3.
    """
    u = np.arange(-30, 42) * 0.1
    x = np.exp(u - np.exp(-u))
    return x, 0.1 * np.sqrt(2 / np.pi) * x * x * (1 + np.exp(-u))
