"""Upper bounds on delta for many numbers of runs at once, from the nodes of one line.

log M of n runs is n times that of one, so one line serves every n whose saddle is not far. Only
upper bounds are made here; for them the step of the nodes never matters (loss/contour/contour.py),
and

    delta(e) <= h/pi * [ sum over j of w_j Re(M(z_j)^n exp(-z_j e) k(z_j)) ] + beyond,

z_j = c + i h j, w_0 = 1/2, else 1, k(z) = 1/(z (z + 1)), where the nodes beyond the last one, at
tau, add at most |M(c)|^n exp(-c e) exp(n D)/(pi tau) if |M(c + it)| <= |M(c)| exp(D) for t >= tau.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import NamedTuple, Self

import numpy as np

from tightrope.loss.loss import Line
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.rounding import EPS


class Bounds(NamedTuple):
    """What one line says of several pairs of a number of runs and an epsilon.

    Attributes:
        log_upper: no log delta is above it.
        slope: its derivative by epsilon, roughly.
        doubt: the share of it that bounds errors.
    """

    log_upper: Floats
    slope: Floats
    doubt: Floats


@dataclass(frozen=True)
class Sheet:
    """Nodes on one line.

    Attributes:
        step: the distance of nodes.
        z: where they are, the first on the real axis.
        value: log M of one run there.
        error: how far each may be from the truth.
        decay: a bound on log |M/M(c)| beyond the last, of one run.
    """

    step: float
    z: Complexes
    value: Complexes
    error: Floats
    decay: float

    @classmethod
    def on(cls, line: Line, step: float, nodes: int) -> Self:
        """That many nodes on the line, which is that of one run."""
        last = np.array([step * (nodes - 1)])
        return replace(cls.open_ended(line, step, nodes), decay=float(line.decay(last)[0]))

    @classmethod
    def open_ended(cls, line: Line, step: float, nodes: int) -> Self:
        """The same without what lies beyond the last; then nothing is proved."""
        tau = step * np.arange(nodes, dtype=np.float64)
        value, error = line.transform(tau)
        return cls(step, np.asarray(line.c + 1j * tau), value, error, -math.inf)

    def bounds(self, runs: Floats, epsilon: Floats) -> Bounds:
        """log delta of some numbers of runs, each at its epsilon >= 0."""
        z, value = self.z[:, None], self.value[:, None]
        top, c = self.value[0].real, self.z[0].real
        k = 1 / (z * (z + 1))
        k[0] /= 2
        exponent = runs * (value - top) - 1j * z.imag * epsilon
        terms = k * np.exp(np.minimum(exponent.real, 700.0) + 1j * exponent.imag)
        size = np.abs(value) + abs(top)
        summing = 64 + len(z)
        relative = runs * (self.error[:, None] + 4 * EPS * size)
        relative += EPS * (4 * z.imag * epsilon + summing)
        rounding = (np.abs(terms) * np.expm1(np.minimum(relative, 700.0))).sum(axis=0)
        with np.errstate(over="ignore"):
            beyond = 1.01 * np.exp(runs * (self.decay + self.error[0])) / (self.step * z[-1].imag)
        found, moment = terms.real.sum(axis=0), (z * terms).real.sum(axis=0)
        upper = np.maximum(found, 0) + rounding + beyond
        scale, width = runs * top - c * epsilon, runs * abs(top) + c * epsilon
        log_upper = scale + np.log(upper * (self.step / math.pi))
        with np.errstate(divide="ignore", invalid="ignore"):
            return Bounds(
                log_upper + 8 * EPS * (width + np.abs(log_upper) + 2),
                -moment / found,
                np.where(found > 0, (rounding + beyond) / found, np.inf),
            )
