"""What tests are worth: the mu of the Gaussian release that just allows them."""

from __future__ import annotations

from typing import NamedTuple, Self

import numpy as np

from tightrope.num.arrays import Flags, Floats
from tightrope.num.hockey_stick import gaussian_log_delta, gaussian_log_delta_error
from tightrope.num.logspace import log_expm1
from tightrope.num.normal import log_cdf, mills, quantile, quantile_of_log
from tightrope.num.rounding import EPS
from tightrope.num.solve import solve_down, solve_up

MOST_OFF = 0.1
"""Errors of a quantile are worked out to first order, and twice that is taken, up to here."""


class Worth(NamedTuple):
    """Tests of one law against another, and what they are worth.

    Attributes:
        log_alpha: log of the type I errors.
        log_power: log of 1 minus the type II errors.
        missed: the type II errors.
        error: how far the two logarithms may be off.
        missed_error: the relative error of the type II errors.
    """

    log_alpha: Floats
    log_power: Floats
    missed: Floats
    error: Floats
    missed_error: Floats

    @classmethod
    def of_chords(cls, epsilon: Floats, upper: Floats) -> Self:
        """Those that the chords between upper bounds on log delta stand for.

        Args:
            epsilon: rising, from 0.
            upper: of log delta.
        """
        first, second, at = upper[:-1], np.minimum(upper[1:], upper[:-1]), epsilon[:-1]
        with np.errstate(all="ignore"):
            fall = np.log(-np.expm1(second - np.where(np.isfinite(first), first, 0.0)))
            log_alpha = first + fall - at - np.asarray(log_expm1(np.diff(epsilon)))
            log_power = np.minimum(np.logaddexp(first, at + log_alpha), 0)
            error = 8 * EPS * (4 + np.abs(first) + np.abs(at) + np.abs(log_alpha))
            missed = np.maximum(-np.expm1(log_power), 0)
            return cls(log_alpha, log_power, missed, error, error / missed)

    def about(self) -> Floats:
        """Phi^-1(power) - Phi^-1(alpha); not a number where both are 0."""
        far, near = self._quantiles()
        with np.errstate(invalid="ignore"):
            return near + far

    def at_most(self) -> Floats:
        """The same rounded up; minus infinity where the power is 0."""
        far, near = self._quantiles()
        with np.errstate(all="ignore"):
            of_power = np.where(
                self._by_power, self.error * mills(-near), self.missed_error * mills(near)
            )
            off = 2 * (self.error * mills(far) + of_power)
            value = near + far + np.where(off < MOST_OFF, off, np.inf)
            value = value + 8 * EPS * (np.abs(far) + np.abs(near))
        value = np.where(np.isnan(value), np.inf, value)
        return np.where(self.log_power == -np.inf, -np.inf, value)

    @property
    def _by_power(self) -> Flags:
        return np.asarray(self.log_power < -0.7)

    def _quantiles(self) -> tuple[Floats, Floats]:
        """-Phi^-1(alpha) and Phi^-1(power)."""
        with np.errstate(invalid="ignore"):
            low = np.asarray(quantile_of_log(np.minimum(self.log_power, 0)))
            near = np.where(self._by_power, low, -np.asarray(quantile(self.missed)))
            return -np.asarray(quantile_of_log(np.minimum(self.log_alpha, 0))), near


def worth_by_rests(epsilon: Floats, lower: Floats) -> Floats:
    """What the chords are worth at most, from what deltas near 1 leave of it.

    Args:
        epsilon: rising, from 0.
        lower: lower bounds on log(1 - delta).
    """
    first, at = lower[:-1], epsilon[:-1]
    with np.errstate(all="ignore"):
        rise = np.asarray(log_expm1(np.maximum(lower[1:] - first, 0)))
        spread = np.asarray(log_expm1(np.diff(epsilon)))
        log_alpha = first + rise - at - spread
        log_missed = first + np.log1p(-np.exp(rise - spread))
        error = 16 * EPS * (4 + np.abs(first) + at + np.abs(rise) + np.abs(spread))
        far, near = (
            -np.asarray(quantile_of_log(np.minimum(v, 0))) for v in (log_alpha, log_missed)
        )
        off = 2 * error * (mills(far) + mills(near) / -np.expm1(rise - spread))
        value = near + far + np.where(off < MOST_OFF, off, np.inf)
        value = value + 8 * EPS * (np.abs(far) + np.abs(near))
    return np.where(np.isnan(value), np.inf, value)


def mu_at(epsilon: Floats, log_delta: Floats) -> Floats:
    """A mu with at least that delta at that epsilon, next to the least one; flat arrays."""
    return _solved(epsilon, log_delta, 1.0)


def mu_below(epsilon: Floats, log_delta: Floats) -> Floats:
    """A mu with at most that delta at that epsilon, next to the largest one; flat arrays."""
    return _solved(epsilon, log_delta, -1.0)


def mu_missing(epsilon: Floats, log_missed: Floats) -> Floats:
    """A mu with at least that much of 1 left at that epsilon >= 0, next to the largest one.

    No less is left by any Gaussian release of a larger mu.
    """

    def missing(mu: Floats) -> Floats:
        near, far = epsilon / mu - mu / 2, -epsilon / mu - mu / 2
        value = np.logaddexp(np.asarray(log_cdf(near)), epsilon + np.asarray(log_cdf(far)))
        error = 8 * EPS * (4 + np.abs(value) + epsilon + far**2)
        return log_missed - (value - error)

    high = 1 + np.sqrt(8 * (epsilon - log_missed))
    while (short := missing(high) <= 0).any():
        high = np.where(short, 2 * high, high)
    low = np.full_like(high, 1e-3)
    found = np.asarray(solve_down(missing, low, high, increasing=True))
    return np.where(missing(found) <= 0, found, 0.0)


def _solved(epsilon: Floats, log_delta: Floats, side: float) -> Floats:
    target = np.clip(log_delta, -1e300, -1e-13)

    def excess(mu: Floats) -> Floats:
        value = np.maximum(np.asarray(gaussian_log_delta(mu, epsilon)), -1e301)
        return value - side * np.asarray(gaussian_log_delta_error(value)) - target

    high = 1 + np.sqrt(2 * epsilon)
    while (short := excess(high) <= 0).any():
        high = np.where(short, 2 * high, high)
    solve = solve_up if side > 0 else solve_down
    found = np.asarray(solve(excess, np.zeros_like(high), high, increasing=True))
    return np.where(log_delta > target, np.inf if side > 0 else found, found)
