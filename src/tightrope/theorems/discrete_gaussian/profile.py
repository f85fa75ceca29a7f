"""The privacy profile and the trade-off curve of discrete Gaussian noise, both exact.

Z has law N_Z(0, sigma^2) and the neighbour shifts it by an integer D. The loss
`D (z - D/2)/sigma^2` increases in z, so with m the least z whose loss exceeds epsilon,

    delta(epsilon) = P(Z >= m) - exp(epsilon) P(Z >= m + D)

(here z is counted so that m has the loss l(m) = D (m + D/2)/sigma^2; Canonne, Kamath and Steinke,
2020, Theorem 7). For wide noise this is a difference of nearly equal numbers. It is evaluated as

    delta(epsilon) = (1 - exp(-theta)) P(Z >= m) + exp(-theta) delta(l(m)),  theta = l(m) - epsilon,

which is the linearity of the profile in exp(epsilon) between two losses, and `delta(l(m))` as a
sum of positive terms or, where the sum is long, as the profile of the continuous Gaussian with
its Euler-Maclaurin terms.
"""

import math

import numpy as np
from numpy.polynomial.polynomial import polyval

from tightrope.num.elementwise import FloatArray, ScalarOrArray, branches, elementwise
from tightrope.num.hockey_stick import gaussian_log_delta
from tightrope.num.logspace import log1mexp
from tightrope.num.normal import quantile
from tightrope.num.rounding import EPS, two_product
from tightrope.theorems.discrete_gaussian.law import (
    STEEP,
    WIDE,
    correction,
    log_mass,
    log_tail,
    scaled_tail,
)

__all__ = ["log_delta", "tradeoff"]

_ULPS = 8
_LARGEST = 1e130  # products of the last losses must stay doubles; delta only falls beyond
_LOG_2PI = 1.8378770664093456


def log_delta(variance: float, shift: int, epsilon: ScalarOrArray) -> ScalarOrArray:
    """Return the logarithm of the exact privacy profile, rounded up.

    Args:
        variance: the parameter of the law, positive.
        shift: the integer distance D of the neighbours, at least 0.
        epsilon: any real number; the two orders of the neighbours have the same profile.

    Returns:
        A bound above `log delta(epsilon)`, by at most 6e-15 and 16 ulps of the logarithm.

    Raises:
        ValueError: the variance is not positive, or the shift is negative.

    >>> f"{math.exp(log_delta(1.0, 1, 0.3)):.12g}"
    '0.293799609362'
    """
    if not (0 < variance < math.inf and shift >= 0):
        raise ValueError(f"log_delta(variance, shift, ...): got ({variance!r}, {shift!r})")

    def bound(e: FloatArray) -> FloatArray:
        size = np.abs(e)
        positive = _log_delta(variance, shift, size) if shift else np.full(e.shape, -np.inf)
        # delta(-e) = 1 - exp(-e) + exp(-e) delta(e), by exchanging the two laws
        value = np.where(e < 0, np.logaddexp(log1mexp(size), positive - size), positive)
        return np.minimum(value + _ULPS * EPS * np.where(value > -np.inf, 2 - value, 0.0), 0.0)

    return elementwise(bound)(epsilon)


def _log_delta(variance: float, shift: int, epsilon: FloatArray) -> FloatArray:
    """Evaluate for `epsilon >= 0`; each case is where its formula keeps all digits."""
    m, theta = _first_atom(variance, shift, np.minimum(epsilon, _LARGEST))
    far = shift >= math.sqrt(variance)
    if variance < WIDE:
        steep, smooth = (m >= 0) | (not far), np.zeros(m.shape, dtype=np.bool_)
    else:
        steep = m + (0 if far else shift) > STEEP * variance
        smooth = ~steep & (not far)
    value = branches(
        [m, theta],
        (steep, lambda z, th: _steep(variance, shift, z, th)),
        (smooth, lambda z, th: _smooth(variance, shift, z, th)),
        (~(steep | smooth), lambda z, th: _two_tails(variance, shift, z, th)),
    )
    return np.where(np.isposinf(epsilon), -np.inf, value)


def _first_atom(variance: float, shift: int, epsilon: FloatArray) -> tuple[FloatArray, FloatArray]:
    """The least m with a loss above epsilon, and by how much it is above, to full accuracy."""
    gap = shift / variance
    m = np.floor(epsilon / gap - shift / 2) + 1
    m = m - (_excess(variance, shift, epsilon, m - 1) > 0)  # the quotient was rounded
    m = m + (_excess(variance, shift, epsilon, m) <= 0)
    theta = _excess(variance, shift, epsilon, m)
    return m, np.where(theta > 0, np.minimum(theta, gap), gap)  # beyond 2^53 the larger delta


def _excess(variance: float, shift: int, epsilon: FloatArray, m: FloatArray) -> FloatArray:
    """The loss of m minus epsilon, by exact products."""
    loss, loss_low = two_product(m + shift / 2, np.asarray(float(shift)))
    spent, spent_low = two_product(epsilon, np.asarray(variance))
    return ((loss - spent) + (loss_low - spent_low)) / variance


def _two_tails(variance: float, shift: int, m: FloatArray, theta: FloatArray) -> FloatArray:
    """Subtract two tails that differ enough: D >= sigma, and there is mass above m."""

    def right(z: FloatArray, th: FloatArray) -> FloatArray:
        near, far = scaled_tail(variance, z), scaled_tail(variance, z + shift)
        return log_mass(variance, z) + np.log(near - np.exp(-th) * far)

    def left(z: FloatArray, th: FloatArray) -> FloatArray:
        missing = np.exp(log_tail(variance, 1 - z))
        subtracted = np.exp(log_mass(variance, z) - th) * scaled_tail(variance, z + shift)
        return np.log1p(-missing - subtracted)

    return branches([m, theta], (m >= 1, right), (m < 1, left))


def _steep(variance: float, shift: int, m: FloatArray, theta: FloatArray) -> FloatArray:
    """Sum `f(m + j) (1 - exp(-D j/variance))` over j, in units of f(m)."""
    j = np.arange(math.ceil(10 * math.sqrt(variance) + 20 if variance < WIDE else 80 / STEEP))
    weights = np.exp(-j / variance / 2 * j) * -np.expm1(-j * (shift / variance))
    at_loss = polyval(np.exp(-m / variance), weights)
    return _between(variance, m, theta, at_loss)


def _smooth(variance: float, shift: int, m: FloatArray, theta: FloatArray) -> FloatArray:
    """The same sum as an integral, the profile of N(D/sigma, 1), and its end-point terms."""
    sigma = math.sqrt(variance)
    t = m / sigma
    loss = (m + shift / 2) * (shift / variance)
    log_integral = gaussian_log_delta(shift / sigma, loss) + t / 2 * t + _LOG_2PI / 2
    ends = correction(variance, m) - correction(variance, m + shift)
    return _between(variance, m, theta, sigma * np.exp(log_integral) + ends)


def _between(variance: float, m: FloatArray, theta: FloatArray, at_loss: FloatArray) -> FloatArray:
    total = -np.expm1(-theta) * scaled_tail(variance, m) + np.exp(-theta) * at_loss
    return log_mass(variance, m) + np.log(total)


def tradeoff(variance: float, shift: int, alpha: ScalarOrArray) -> ScalarOrArray:
    """Return the least type II error of a test between Z and Z + shift, rounded down.

    The curve is linear between the vertices `(P(Z >= k), P(Z < k - shift))`.

    Args:
        variance: the parameter of the law, positive.
        shift: the integer distance of the neighbours, at least 0.
        alpha: type I errors in [0, 1].

    Raises:
        ValueError: an argument is outside its range.

    >>> f"{tradeoff(1.0, 1, 0.05):.12g}"
    '0.737826051067'
    """
    if not (0 < variance < math.inf and shift >= 0):
        raise ValueError(f"tradeoff(variance, shift, ...): got ({variance!r}, {shift!r})")

    def bound(a: FloatArray) -> FloatArray:
        if not np.all((a >= 0) & (a <= 1)):
            raise ValueError("tradeoff(variance, shift, alpha): alpha must lie in [0, 1]")
        k = _vertex(variance, np.clip(a, 5e-324, 1 - EPS / 2))
        beta = _interpolate(variance, shift, k, a)
        return np.where(a == 0, 1.0, np.where(a == 1, 0.0, beta))

    return elementwise(bound)(alpha)


def _vertex(variance: float, alpha: FloatArray) -> FloatArray:
    """The integer k with P(Z > k) < alpha <= P(Z >= k): a Gaussian guess, then single steps."""

    def reaches(z: FloatArray) -> np.typing.NDArray[np.bool_]:
        direct = log_tail(variance, z) >= np.log(alpha)
        mirrored = log_tail(variance, 1 - z) <= np.log1p(-alpha)
        return np.where(alpha < 0.5, direct, mirrored)

    k = np.floor(0.5 - math.sqrt(variance) * np.asarray(quantile(alpha)))
    while True:
        step = reaches(k + 1).astype(float) - ~reaches(k)
        if not step.any():
            return k
        k = k + step


def _interpolate(variance: float, shift: int, k: FloatArray, alpha: FloatArray) -> FloatArray:
    """`P(Z < k - D) + w P(Z = k - D)`, w the share of the outcome k that is left out."""
    right = alpha < 0.5
    log_end = log_tail(variance, np.where(right, k, 1 - k))  # on the side where alpha is small
    mass, end = np.exp(log_mass(variance, k)), np.exp(log_end)
    share = np.clip(np.where(right, end - alpha, (1 - alpha) - end) / mass, 0.0, 1.0)
    log_whole, log_step = log_tail(variance, 1 + shift - k), log_mass(variance, k - shift)
    whole, step = np.exp(log_whole), np.exp(log_step)
    error = whole * (2 - log_whole) + share * step * (2 - log_step)
    error_of_share = (2 - log_end) * (end / mass)
    return np.maximum(whole + share * step - _ULPS * EPS * (error + step * error_of_share), 0.0)
