"""Compositions of smooth losses: the inversion integral by trapezoid sums.

    delta(e) = 1/(2 pi i) int exp(n K(z) - z e) / (z (z + 1)) dz,   K(z) = log E_P exp(z L),

over any path that crosses the positive axis and that the transform lets bend.  On
z(u) = c + bend A (cosh u - 1) + i A sinh u the sum over u converges geometrically, so each halving
of the step doubles the digits: two sums that agree to 2^-58 leave an error near 2^-80.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from flint import acb, arb, ctx

from .composed_sketch import Sketch

_DROP = 84.0  # what is left out of a sum is below exp(-84) of its largest term


def on_a_curve(
    transform: Callable[[acb], acb],
    n: int,
    epsilon: float,
    c: float,
    scale: float,
    bend: float = 0.0,
) -> arb:
    """delta(epsilon) of n copies; the path bends to the right for bend > 0, else to the left."""

    def term(u: arb) -> arb:
        sinh, cosh = u.sinh(), u.cosh()
        z = acb(c + bend * scale * (cosh - 1), scale * sinh)
        speed = acb(scale * cosh, -bend * scale * sinh)
        return (transform(z) ** n * (-z * epsilon).exp() * speed / (z * (z + 1))).real

    step, reach = 0.25, 0
    total, quiet = term(arb(0)) / 2, 0
    while quiet < 2:
        reach += 1
        value = term(arb(step * reach))
        total += value
        quiet = quiet + 1 if abs(value) < abs(total) * arb(2) ** -90 else 0
    estimate = total * step
    while reach < 5000:
        total += sum((term(arb(step * (k + 0.5))) for k in range(reach)), arb(0))
        step, reach, before = step / 2, 2 * reach, estimate
        estimate = total * step
        if abs(estimate - before) < abs(estimate) * arb(2) ** -58:
            return estimate / arb.pi()
    raise ArithmeticError("the contour has needed more than 5000 nodes")


@dataclass(frozen=True)
class SampledGaussian:
    """r = 1 - rate + rate exp(y), y normal under Q with mean -1/(2 sigma^2), variance 1/sigma^2.

    r is the mixture (1 - rate) N(0, sigma^2) + rate N(1, sigma^2) over N(0, sigma^2) at
    x = sigma^2 y + 1/2.  "with" is log r under the mixture, "without" is -log r under Q.
    """

    sigma: float
    rate: float
    order: str

    def transform(self, z: acb) -> acb:
        power = z + 1 if self.order == "with" else -z
        if power.imag < 0:
            return self.moment(power.conjugate()).conjugate()
        return self.moment(power)

    @property
    def bend(self) -> float:
        """Moments fall off where the power of r tends to the right of the imaginary axis."""
        return 0.2 if self.order == "with" else -0.2

    def sketch(self) -> Sketch:
        x = np.linspace(-60 * self.sigma, 60 * self.sigma + 1, 6001)
        log_r = self._log_r((x - 0.5) / self.sigma**2).real
        under_q = -(x**2) / (2 * self.sigma**2)
        if self.order == "with":
            return Sketch(log_r, under_q + log_r)
        return Sketch(-log_r, under_q)

    def moment(self, power: acb) -> acb:
        """E_Q[r^power]: a trapezoid sum along a path that keeps the integrand small."""
        path, first, last = self._path(complex(power))
        total = acb(0)
        for k in range(first, last + 1):
            log_r, log_weight = _node(self.sigma, self.rate, path, k, ctx.prec)
            total += (power * log_r + log_weight).exp()
        return total * path.step * self.sigma / (2 * arb.pi()).sqrt()

    def _path(self, power: complex) -> tuple[Path, int, int]:
        """Of the paths with a small maximum, the one that allows the longest step.

        A step h errs by exp(-2 pi d / h) times the maximum on the paths higher or lower by d.
        """
        v, log_r, log_weight = self._grid
        size = (power * log_r + log_weight).real
        peaks = size.max(axis=-1)
        excess = np.maximum(peaks - peaks[:, None] + _DROP, 1)
        strips = abs(_HEIGHTS - _HEIGHTS[:, None])[:, :, None] / excess
        above = np.triu(np.ones((len(_HEIGHTS), len(_HEIGHTS))))[:, :, None]
        longest = np.minimum((strips * above).max(axis=1), (strips * (1 - above)).max(axis=1))
        longest[peaks > peaks[2:-2].min() + 12] = 0
        row, column = np.unravel_index(longest.argmax(), longest.shape)
        step = 2.0 ** (math.floor(4 * math.log2(2 * math.pi * longest[row, column])) / 4)
        live = np.flatnonzero(size[row, column] > peaks[row, column] - _DROP)
        assert live[0] > 0, "the window is too narrow"
        assert live[-1] < len(v) - 1, "the window is too narrow"
        path = Path(float(_HEIGHTS[row]), float(_SLOPES[column]), step)
        return path, math.floor(v[live[0] - 1] / step), math.ceil(v[live[-1] + 1] / step)

    @property
    def _centre(self) -> float:
        """The real part of the branch points of log r; their imaginary parts are odd pi."""
        return math.log((1 - self.rate) / self.rate)

    @cached_property
    def _grid(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """log r and the log weight, in doubles, on all paths of the family."""
        middle = -1 / (2 * self.sigma**2)
        reach = 60 / self.sigma
        v = np.arange(-reach, reach + 3 * self._centre, reach / 80) + middle
        y = v + 1j * (
            _HEIGHTS[:, None, None] + _SLOPES[:, None] * np.logaddexp(0, v - self._centre)
        )
        return v, self._log_r(y), -(self.sigma**2) / 2 * (y - middle) ** 2

    def _log_r(self, y: np.ndarray) -> np.ndarray:
        sampled, kept = math.log(self.rate) + y, math.log1p(-self.rate)
        right = sampled.real > kept
        ratio = np.where(right, kept - sampled, sampled - kept)
        return np.where(right, sampled, kept) + np.log1p(np.exp(ratio))


_LEVEL = 10
_HEIGHTS = np.sinh(np.arange(-_LEVEL, _LEVEL + 1) * 0.5) / math.sinh(_LEVEL * 0.5) * 0.85 * math.pi
_SLOPES = np.array([0.0, 0.15, 0.3, 0.45])


class Path(NamedTuple):
    """y(v) = v + i (height + slope log(1 + exp(v - v0))) at v = step k: level, then rising.

    v0 is the real part of the branch points of log r; where the level part passes below the first
    of them the path may rise behind it, which damps large powers.
    """

    height: float
    slope: float
    step: float


@lru_cache(maxsize=400_000)
def _node(sigma: float, rate: float, path: Path, k: int, _precision: int) -> tuple[acb, acb]:
    """log r, continued from the real line below the branch points, and the log weight."""
    kept, sampled = (1 - arb(rate)).log(), arb(rate).log()
    v = arb(path.step) * k
    grown = (v + sampled - kept).exp()
    y = acb(v, path.height + path.slope * (1 + grown).log())
    larger, smaller = acb(kept), sampled + y
    if smaller.real > larger.real:
        larger, smaller = smaller, larger
    log_r = larger + (1 + (smaller - larger).exp()).log()
    speed = acb(1, path.slope * grown / (1 + grown))
    spread = arb(sigma) ** 2
    return log_r, speed.log() - spread / 2 * (y + 1 / (2 * spread)) ** 2
