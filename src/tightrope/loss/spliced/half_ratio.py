"""The likelihood ratio of a sampled Gaussian to the right of where it is 1, also off the axis.

With x = mu/2 + v it is r(v) = 1 - rate + rate exp(mu v). At v + iy, with theta = mu y:

* |r| is at most its value on the axis, and log r is convex in v there.
* arg r rises with v for 0 < theta < pi; in theta it rises, and then perhaps falls.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import expm1_parts, log1p
from tightrope.num.logspace import log_mixture
from tightrope.num.normal import HALF_LOG_2PI
from tightrope.num.panels import Boxes

_ALMOST_PI = 3.1
"""Angles up to which bounds are used: at pi the ratio may be 0."""

_ROUNDS = 64
"""How often intervals are halved in search of a peak."""

_FLAT = 0.01
"""By how much log of a peak may be overstated."""


@dataclass(frozen=True)
class HalfRatio:
    """r of one kind of release.

    Attributes:
        mu: sensitivity over noise scale.
        rate: the part that is sampled.
    """

    mu: float
    rate: float

    def log_density(self, v: Floats | Complexes) -> Floats | Complexes:
        """log of the normal density at mu/2 + v."""
        x = self.mu / 2 + v
        return -x * x / 2 - HALF_LOG_2PI

    def log(self, v: Floats) -> Floats:
        """log r on the axis, to full relative accuracy."""
        return log_mixture(self.mu * v, self.rate)

    def log_complex(self, v: Complexes) -> Complexes:
        """log r off the axis."""
        turn = self.mu * v
        real, imag, _ = expm1_parts(np.minimum(turn.real, 1.0), turn.imag)
        near = log1p(np.asarray(self.rate * (real + 1j * imag), dtype=complex))
        far = turn + np.log(self.rate + (1 - self.rate) * np.exp(-turn))
        return np.where(turn.real < 1, near, far)

    # --- bounds in boxes -------------------------------------------------------------------

    def log_peak(self, left: Floats, right: Floats, power: float, slope: float = 0.0) -> Floats:
        """Bounds on the log of phi r^power exp(-slope v), power >= 0, in intervals of the axis.

        log r, or 0 where that is larger, lies below its chord; a parabola less a line is left.
        """
        start = np.maximum(self.log(left), 0)
        rise = (np.maximum(self.log(right), 0) - start) / np.where(right > left, right - left, 1)
        top = np.clip(power * rise - slope - self.mu / 2, left, right)
        line = power * (start + rise * (top - left)) - slope * top
        return np.asarray(self.log_density(top) + line)

    def argument(self, v: Floats, theta: Floats) -> Floats:
        """arg r at v + i theta/mu, for 0 <= theta < pi."""
        with np.errstate(over="ignore"):
            share = self.rate * np.exp(np.minimum(self.mu * v, 700.0))
        return np.arctan2(share * np.sin(theta), (1 - self.rate) + share * np.cos(theta))

    def most_turned(self, v: Floats, theta: Floats) -> Floats:
        """The largest |arg r| at v and to its left, up to an angle theta below pi."""
        share = self.rate * np.exp(np.minimum(self.mu * v, 700.0))
        widest = np.where(
            share < 1 - self.rate, np.arcsin(np.minimum(share / (1 - self.rate), 1)), np.pi
        )
        early = self.argument(v, np.minimum(theta, np.pi / 2))
        return np.where(theta <= np.pi / 2, early, np.minimum(theta, widest))

    def log_least(self, v: Floats, theta: Floats) -> Floats:
        """log of a bound below |r| at v and to its right, up to an angle theta."""
        share = self.rate * np.exp(np.minimum(self.mu * v, 700.0))
        early = (1 - self.rate) + share * np.cos(np.minimum(theta, np.pi / 2))
        late = np.maximum((1 - self.rate) * np.sin(theta), share - (1 - self.rate))
        return np.log(np.where(theta <= np.pi / 2, early, late))

    def log_size(self, boxes: Boxes, theta: Floats) -> Floats:
        """log of a bound on |log r| in boxes."""
        turn = self.mu * np.stack([boxes.left, boxes.right])
        grown = np.abs(np.expm1(np.minimum(turn, 700.0))).max(axis=0)
        gain = self.rate * (grown + np.exp(np.minimum(turn[1], 700.0)) * 2 * np.sin(theta / 2))
        near = -np.log1p(-np.minimum(gain, 0.5))
        far = np.maximum(turn[1], 0) + np.log1p(gain / np.exp(np.maximum(turn[1], 0))) + np.pi
        far = np.maximum(far, np.abs(self.log_least(boxes.left, theta)) + np.pi)
        return np.asarray(np.log(np.where(gain < 0.5, near, far)))

    def log_top(self, power: float, slope: float = 0.0) -> float:
        """log of phi r^power exp(-slope v) at its largest over v >= 0, too large by 0.01."""
        edges = np.append(0.0, (power * self.mu + 1) * 2.0 ** np.arange(-12.0, 1.0))
        left, right = edges[:-1], edges[1:]
        best = -math.inf
        for _ in range(_ROUNDS):
            ends = np.stack([left, right])
            values = self.log_density(ends) + power * self.log(ends) - slope * ends
            best = max(best, float(values.max()))
            tops = self.log_peak(left, right, power, slope)
            open_ = tops > best + _FLAT
            if not open_.any():
                break
            middle = (left[open_] + right[open_]) / 2
            left, right = np.append(left[open_], middle), np.append(middle, right[open_])
        return best + _FLAT if not open_.any() else float(tops.max())


def admitted(theta: Floats) -> Floats:
    """The angle where bounds hold, and 3.1 beyond."""
    return np.minimum(theta, _ALMOST_PI)
