"""A hyperbola that opens to the right, and bounds on the integrand along it.

    z(w) = origin + radius sin(angle + i w),   0 <= angle < pi/2,

so Re z rises with |w|, and a shift of w by i v is a change of the angle. Cells of w have bounds on
every factor of exp(-z E) M(z) k(z) z'(w): Re z and |Im z| rise, |z'| <= radius cosh w, and with a
ray at an angle beta >= angle

    Re(z exp(i beta)) = origin cos(beta) + radius/2 [exp(w) sin(angle - beta)
                                                     + exp(-w) sin(angle + beta)]

falls, hence the bound on |M|. Beyond the last cell, cosh(w)/sinh(w)^2 falls.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from tightrope.loss.bent.few import FewSampled, MomentBounds
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.precision import turn_by

CELL = 0.125
"""Width of a cell."""


@dataclass(frozen=True)
class Hyperbola:
    """The curve."""

    origin: float
    radius: float
    angle: float

    def at(self, w: Floats) -> tuple[Complexes, Complexes]:
        """z and dz/dw."""
        turn = turn_by(self.angle, w)
        sine, cosine = turn.imag, turn.real
        up, out = np.sinh(w), np.cosh(w)
        z: Complexes = self.origin + self.radius * (sine * out + 1j * cosine * up)
        return z, np.asarray(self.radius * (sine * up + 1j * cosine * out))

    def turned(self, by: float) -> Hyperbola:
        """The curve of w + i by."""
        return Hyperbola(self.origin, self.radius, self.angle + by)

    def omega(self, w: Floats, beta: float) -> Floats:
        """Re(z exp(i beta))."""
        down = np.exp(w) * math.sin(min(self.angle - beta, 0.0))
        spread = down + np.exp(-w) * math.sin(self.angle + beta)
        return np.asarray(self.origin * math.cos(beta) + self.radius / 2 * spread)

    def end(self, distance: float, depth: float) -> float:
        """A w beyond which |exp(-z E)| is below exp(-depth), at least 4."""
        rise = self.radius * math.sin(self.angle)
        return max(4.0, math.acosh(max((depth / distance - self.origin) / rise, 1.0)))


class Size:
    """log of a bound on the integral of |exp(-z E) M(z) k(z) dz|/(2 pi) over a hyperbola.

    Args:
        few: the losses.
        curve: the hyperbola.
        bounds: on |M|, by a ray at beta >= the hyperbola's angle.
        beta: that angle.
        last: about where the cells end.
    """

    def __init__(
        self, few: FewSampled, curve: Hyperbola, bounds: MomentBounds, beta: float, last: float
    ):
        w = CELL * np.arange(math.ceil(last / CELL) + 1.0)
        self.last = float(w[-1])
        z, _ = curve.at(w)
        low, high, above = z.real[:-1], z.real[1:], z.imag[:-1]
        away = [
            np.log(np.hypot(above, np.maximum(np.maximum(pole - high, low - pole), 0)))
            for pole in few.poles
        ]
        log_m = bounds.log(curve.omega(w, beta))
        if few.mixed:
            log_m = np.logaddexp(log_m, 0)
        rest = -math.log(curve.radius * math.cos(curve.angle) ** 2 * math.sinh(w[-1]))
        inside = log_m[:-1] + np.log(CELL * curve.radius * np.cosh(w[1:])) - away[0] - away[1]
        self.logs = np.append(inside, log_m[-1] + rest) - math.log(math.pi) + 0.01
        self.real = z.real

    def log(self, distance: float) -> float:
        """The bound for one E >= 0."""
        return float(np.logaddexp.reduce(self.logs - distance * self.real))

    def beyond(self, distance: float) -> float:
        """The same of what lies beyond the cells."""
        return float(self.logs[-1] - distance * self.real[-1])
