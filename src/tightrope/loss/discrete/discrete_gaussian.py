"""Discrete Gaussian releases under whole-number shifts.

|M| does not decay along a vertical line: every release revives after its period 2 pi s^2/D, and
all together when their phases meet again. Two things tame it. Where a release is away from its
revivals M is tiny, so a long contour need visit few places (``teeth``); and parameters are exact
fractions, so that the losses of a whole column lie on one lattice whenever they share one, and
the contour ends after half a period of it.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Self

import numpy as np

from tightrope.loss.discrete import envelope
from tightrope.loss.discrete.theta import ThetaRows
from tightrope.loss.loss import Lattice, Line, Loss, Transform
from tightrope.loss.sieve import Teeth
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.rounding import EPS

FINEST = 1e-40
"""A lattice of a smaller step is as good as none; a few unrelated doubles have such."""

MOST_SCREENED = 16
"""Rows of which a screen is made: those that weigh most."""


@dataclass(frozen=True, eq=False)
class DiscreteGaussianLoss(Loss):
    """L = D (2 X + D)/(2 s^2) with X ~ N_Z(0, s^2); both orders are alike.

    A vector of shifts with one variance is the composition of its coordinates. If only a norm of
    the vector is known, no one of these losses covers it.

    Attributes:
        runs: how often each (s^2, D) is run, s^2 an exact fraction above 0 and D >= 1 whole.

    Source: Canonne, Kamath and Steinke (2020), Definition 1 and Theorem 7.
    """

    runs: dict[tuple[Fraction, int], int]

    @classmethod
    def one(cls, variance: Fraction | float, shift: int = 1) -> Self:
        """One release; a float is taken for the fraction that it is."""
        return cls({(Fraction(variance), int(shift)): 1})

    def times(self, count: int) -> Self:
        """Counts grow."""
        return type(self)({row: runs * count for row, runs in self.runs.items()})

    @classmethod
    def together(cls, losses: Sequence[Self]) -> Self:
        """Runs of the same release are one row."""
        joined: Counter[tuple[Fraction, int]] = Counter()
        for loss in losses:
            joined.update(loss.runs)
        return cls(dict(joined))

    @property
    def nothing(self) -> bool:
        """No shift."""
        return not any(shift for _, shift in self.runs)

    @cached_property
    def rows(self) -> ThetaRows:
        """The column as arrays, the rows that weigh most first."""
        table = [(float(v), float(shift), float(n)) for (v, shift), n in self.runs.items()]
        variance, shift, count = np.array(sorted(table, key=_weight, reverse=True)).T
        return ThetaRows(*map(np.ascontiguousarray, (variance, shift, count)))

    @cached_property
    def lattice(self) -> Lattice | None:
        """Every D/s^2 is a whole multiple of the step."""
        step = _common_step(shift / variance for variance, shift in self.runs)
        if step is None:
            return None
        origin = sum(
            (n * shift * shift / variance for (variance, shift), n in self.runs.items()),
            Fraction(0),
        )
        return Lattice(float(origin / 2 % step), float(step))

    def estimate(self, z: Complexes) -> Complexes:
        """A theta function; see ``theta``."""
        flat = z.ravel()
        return self.rows.transform(flat.real, flat.imag).value.reshape(z.shape)

    def line(self, c: float) -> Line:
        """The same along a line."""
        return _ThetaLine(self, c)

    def teeth(self, depth: float) -> Teeth:
        """Outside its teeth a release alone makes |M(c + it)| < exp(-depth) M(c), at any c."""
        return envelope.teeth(self.rows, depth)


def _common_step(steps: Iterable[Fraction]) -> Fraction | None:
    """The greatest number of which all are multiples, unless it is too small."""
    common = Fraction(0)
    for step in steps:
        below = common.denominator * step.denominator
        above = math.gcd(common.numerator * step.denominator, step.numerator * common.denominator)
        common = Fraction(above, below)
        if common < FINEST:
            return None
    return common


def _weight(row: tuple[float, float, float]) -> float:
    variance, shift, count = row
    return count * shift * shift / variance


class _ThetaLine(Line):
    def __init__(self, loss: DiscreteGaussianLoss, c: float):
        self.c, self.rows = c, loss.rows
        self.at = np.array([c])
        self.heavy = loss.rows.where(slice(MOST_SCREENED))
        self.lattice = loss.lattice

    def transform(self, tau: Floats) -> Transform:
        return self.rows.transform(self.at, tau)

    def decay(self, tau: Floats) -> Floats:
        """None: M revives."""
        return np.zeros_like(tau)

    def decay_within(self, tau: Floats) -> Floats:
        """By the rows whose period is that of the lattice."""
        step = 0.0 if self.lattice is None else self.lattice.step
        longest = self.rows.where(self.rows.slope < 1.5 * step)
        if not len(longest.count):
            return np.zeros_like(tau)
        half = (1 - 8 * EPS) * math.pi / step
        return envelope.log_envelope(longest, self.c, np.minimum(tau, half))

    def screen(self, tau: Floats) -> Floats:
        return envelope.log_envelope(self.heavy, self.c, tau)

    def near(self, tau: Floats, half: float) -> Floats:
        return envelope.log_envelope(self.heavy, self.c, tau, half)
