"""Privacy profile and trade-off curve of one release of the Poisson-subsampled Gaussian.

A unit is in the sample with probability `rate`, so adding or removing it compares the base law
N(0, 1) with the mixture (1 - rate) N(0, 1) + rate N(mu, 1), mu = sensitivity / noise scale. The
likelihood ratio of the mixture is `1 - rate + rate exp(l)` with l the Gaussian loss, hence every
question about it is one about two Gaussians. Both orders matter, and they differ: *with* is
mixture against base, *without* is base against mixture.
"""

import math

import numpy as np

from tightrope.num.elementwise import FloatArray, ScalarOrArray, branches, elementwise
from tightrope.num.hockey_stick import gaussian_log_delta, gaussian_log_delta_error
from tightrope.num.logspace import log1mexp
from tightrope.num.normal import cdf, quantile
from tightrope.num.rounding import EPS

__all__ = ["check_pair", "log_delta_with", "log_delta_without", "tradeoff"]


def check_pair(mu: float, rate: float) -> None:
    """Raise ValueError unless `mu >= 0` and the rate lies in [0, 1]."""
    if not (mu >= 0 and 0 <= rate <= 1):
        raise ValueError(f"needs mu >= 0 and a rate in [0, 1], got mu={mu!r}, rate={rate!r}")


def log_delta_with(mu: float, rate: float, epsilon: ScalarOrArray) -> ScalarOrArray:
    """Return log delta of the mixture against the base law, rounded up.

    `delta(e) = rate delta_mu(log(1 + (exp(e) - 1)/rate))`, and `1 - exp(e)` where there is no such
    logarithm (Balle, Barthe and Gaboardi, 2018, Theorem 2, which is an equality here).

    Args:
        mu: sensitivity over noise scale, at least 0.
        rate: the probability of being sampled, in [0, 1].
        epsilon: any real number.

    Returns:
        A bound above log delta, by at most 1e-14 and eight ulps of it; -inf where delta is 0.

    >>> f"{math.exp(log_delta_with(1.0, 0.01, 1.0)):.12g}"
    '2.73200926155e-09'
    """
    check_pair(mu, rate)
    if rate in (0, 1):
        return _unmixed(mu * rate, epsilon)

    def bound(e: FloatArray) -> FloatArray:
        value = branches(
            [e, np.expm1(np.minimum(e, 30.0)) / rate],
            (e >= 30, lambda x, _: _inside(mu, rate, x - math.log(rate))),
            (e >= 0, lambda _, ratio: _inside(mu, rate, np.log1p(ratio))),
            (e < 0, lambda x, ratio: _below_zero(mu, rate, x, ratio * (1 + 3 * EPS))),
        )
        return _outward(value, rate)

    return elementwise(bound)(epsilon)


def log_delta_without(mu: float, rate: float, epsilon: ScalarOrArray) -> ScalarOrArray:
    """Return log delta of the base law against the mixture, rounded up.

    With `w = 1 - exp(e) (1 - rate)` it is `w delta_mu(e + log rate - log w)`, and 0 for w <= 0: no
    likelihood ratio of this order exceeds 1/(1 - rate). Arguments and accuracy as for
    `log_delta_with`, for an epsilon smaller by one ulp of it and of log(1 - rate).

    >>> f"{math.exp(log_delta_without(1.0, 0.2, 0.2)):.12g}"
    '0.000201958373843'
    """
    check_pair(mu, rate)
    if rate in (0, 1):
        return _unmixed(mu * rate, epsilon)
    largest = -math.log1p(-rate)

    def bound(e: FloatArray) -> FloatArray:
        room = largest - e + 2 * EPS * (largest + np.abs(e))
        ratio = np.expm1(-e) / rate  # w exp(-e)/rate = 1 + ratio, and larger by its rounding
        ratio += 3 * EPS * np.abs(ratio)
        possible = (room > 0) & (ratio > -1)
        log_w = np.asarray(log1mexp(np.where(possible, room, 1.0)))
        inner = -np.log1p(np.where(possible, ratio, 0.0))
        value = log_w + np.asarray(gaussian_log_delta(mu, inner - 2 * EPS * np.abs(inner)))
        return np.where(possible, _outward(value, rate), -np.inf)

    return elementwise(bound)(epsilon)


def _unmixed(mu: float, epsilon: ScalarOrArray) -> ScalarOrArray:
    """Rates 0 and 1: two equal laws, or two Gaussians."""

    def bound(e: FloatArray) -> FloatArray:
        value = np.asarray(gaussian_log_delta(mu, e))
        return np.where(np.isneginf(value), value, _outward(value, 1.0))

    return elementwise(bound)(epsilon)


def _inside(mu: float, rate: float, inner: FloatArray) -> FloatArray:
    return math.log(rate) + np.asarray(gaussian_log_delta(mu, inner * (1 - 4 * EPS)))


def _below_zero(mu: float, rate: float, epsilon: FloatArray, ratio: FloatArray) -> FloatArray:
    inside = ratio > -1
    inner = np.log1p(np.where(inside, ratio, -0.5))
    return np.where(inside, _inside(mu, rate, inner), np.asarray(log1mexp(-epsilon)))


def _outward(value: FloatArray, rate: float) -> FloatArray:
    error = np.asarray(gaussian_log_delta_error(value)) + 4 * EPS * (1 - value - math.log(rate))
    return np.minimum(np.where(np.isneginf(value), value, value + error), 0.0)


def tradeoff(mu: float, rate: float, alpha: ScalarOrArray) -> ScalarOrArray:
    """Return T(N(0, 1), mixture) at alpha, the least type II error, rounded down.

    `(1 - rate) (1 - alpha) + rate G_mu(alpha)`, since the base law's own threshold tests are the
    best ones (Dong, Roth and Su, 2022, Section 4). The other order has the inverse curve.

    Args:
        mu: sensitivity over noise scale, at least 0.
        rate: the probability of being sampled, in [0, 1].
        alpha: type I errors in [0, 1].

    >>> f"{tradeoff(1.0, 0.1, 0.01):.12g}"
    '0.981763775193'
    """
    check_pair(mu, rate)

    def bound(a: FloatArray) -> FloatArray:
        if not np.all((a >= 0) & (a <= 1)):
            raise ValueError("subsampled Gaussian: alpha must lie in [0, 1]")
        z = np.clip(-np.asarray(quantile(a)), -40.0, 40.0)
        x = z - mu
        gauss = np.asarray(cdf(x))
        error = gauss * (8 + 4 * (np.abs(x) + 1) * (np.abs(z) + np.abs(x)))
        idle = (1 - rate) * (1 - a)
        beta = idle * (1 - 4 * EPS) + rate * (gauss - EPS * error)
        return np.where(a == 0, 1.0, np.where(a == 1, 0.0, np.maximum(beta, 0.0)))

    return elementwise(bound)(alpha)
