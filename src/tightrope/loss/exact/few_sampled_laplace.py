"""A few alike Poisson samples of Laplace noise: atoms, and densities that are polynomials.

Under Q the sum of the log r is n log r_- + d T, T being what ``unit_pieces`` adds up, untilted by
exp(-epsilon T). So with x = (e - n log r_-)/d,

    delta(e) = exp(e) E[exp(-epsilon T) (exp(d (T - x)) - 1)_+]          data with the unit first,

and with x = (-e - n log r_-)/d

    delta(e) = E[exp(-epsilon T) (1 - exp(d (T - x)))_+]                 else.

Atoms and whole pieces are two sums each, by

    exp(d tau + y) - 1 = (exp(y) - 1) + exp(y) (exp(d tau) - 1),

and the piece that x lies in is integrated anew from or up to x. All terms are positive.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np

from tightrope.loss.exact.unit_pieces import Pieces, atoms, pieces_of
from tightrope.loss.interval import LogInterval
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.laplace.unit_density import UnitDensity
from tightrope.loss.law import Law, in_blocks
from tightrope.loss.total import Total
from tightrope.num import chebyshev
from tightrope.num.arrays import Floats
from tightrope.num.chebyshev import Places
from tightrope.num.gauss_legendre import unit_rule
from tightrope.num.rounding import EPS

MOST_RUNS = 16
"""Of more, errors would grow too large."""

LARGEST = 3.0
"""The largest epsilon: exponential functions are polynomials to 1e-20 up to here."""

ENTIRE = 1e-20
"""exp(2 epsilon t) on [-1/2, 1/2] is a polynomial of degree 36 up to 3^37/37! < 1e-25."""

PROBES = np.array([0.0, 0.3, 0.7, 0.99])
"""Parts of the largest loss at which intervals are looked at."""

NARROW = 1e-7
"""Width that they may have there."""

BLOCK = 256
"""Epsilons that are looked at at once."""


@dataclass(frozen=True, eq=False)
class FewSampledLaplace(Law):
    """The law of a few alike releases.

    Attributes:
        density: of one.
        pieces: of all.
        runs: how many there are.
        with_unit: whether the data with the unit comes first.
    """

    quick: ClassVar[bool] = True

    density: UnitDensity
    pieces: Pieces
    runs: int
    with_unit: bool

    @classmethod
    def of(cls, total: Total) -> Self | None:
        """The law, or None if there is another kind of loss, or too little is left of digits."""
        if len(total.losses) != 1:
            return None
        (loss,) = total.losses
        if not isinstance(loss, SampledLaplaceLoss) or len(loss.count) != 1:
            return None
        runs, epsilon = float(loss.count[0]), float(loss.epsilon[0])
        if not 1 < runs <= MOST_RUNS or epsilon > LARGEST:
            return None
        density = UnitDensity(epsilon, float(loss.rate[0]))
        pieces = pieces_of(density, int(runs))
        if pieces is None:
            return None
        law = cls(density, pieces, int(runs), float(loss.with_unit[0]) == 1)
        return law if law.is_sharp(PROBES * total.highest, NARROW) else None

    @property
    def terms(self) -> int:
        """Those of the piece that is integrated anew."""
        return self.pieces.nodes

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon >= 0."""
        method = f"polynomial densities between {self.runs + 1} atoms"
        lower, upper = in_blocks(self._bounds, epsilon, BLOCK)
        return LogInterval(lower, upper, method)

    def _bounds(self, epsilon: Floats) -> Floats:
        """delta falls with e: both ends are sums at an x that is moved by what it may be off."""
        sign = 1 if self.with_unit else -1
        d, end = self.density.width, self.runs * self.density.log_least
        x = (sign * epsilon - end) / d
        off = 32 * EPS * ((epsilon + abs(end)) / d + np.abs(x))
        ends = np.empty((2, len(epsilon)))
        for row, side in ((0, 1), (1, -1)):
            value, error = self._sum(x + side * sign * off)
            with np.errstate(divide="ignore"):
                ends[row] = np.log(np.maximum(value - side * error, 0))
        size = 4 * EPS * (1 + epsilon + np.abs(np.where(np.isfinite(ends), ends, 0)))
        moved = epsilon if self.with_unit else 0.0
        return np.asarray(ends + moved + np.array([[-1.0], [1.0]]) * size)

    def _sum(self, x: Floats) -> tuple[Floats, Floats]:
        """What is averaged, and its error."""
        value, error = self._whole(x)
        inside = (x >= 0) & (x < self.runs)
        if inside.any():
            more, doubt = self._partial(x[inside])
            value[inside] += more
            error[inside] += doubt
        n, count = self.runs, self.pieces.nodes
        each = 8 * count + 96 + 4 * n * (self.density.epsilon + self.density.width)
        return value, 1.01 * error + EPS * each * np.abs(value)

    def _whole(self, x: Floats) -> tuple[Floats, Floats]:
        """Atoms, and pieces that x does not lie in."""
        k = np.arange(self.runs + 1.0)
        d = self.density.width
        fall = np.exp(-self.density.epsilon * k)
        sign = 1.0 if self.with_unit else -1.0
        above = np.maximum(sign * (k - x[:, None]), 0)
        value = (sign * np.expm1(sign * d * above)) @ (fall * atoms(self.runs))
        near = k[:-1] if self.with_unit else k[1:]
        inside = sign * (k[:-1] - np.floor(x)[:, None]) > 0
        away = np.maximum(sign * (near - x[:, None]), 0)
        step, scale = sign * np.expm1(sign * d * away), np.exp(sign * d * away)
        (level, rise), (level_error, rise_error) = self._moments
        value += (inside * step) @ (fall[:-1] * level) + (inside * scale) @ (fall[:-1] * rise)
        error = (inside * step) @ (fall[:-1] * level_error)
        return value, error + (inside * scale) @ (fall[:-1] * rise_error)

    @cached_property
    def _moments(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Integrals of the pieces times exp(-epsilon tau), and with the other factor; errors."""
        rule = unit_rule(self.pieces.nodes)
        rows = chebyshev.interpolation(self.pieces.nodes, Places(rule.node, rule.mirror))
        at = rows @ self.pieces.values
        flat = rule.weight * np.exp(-self.density.epsilon * rule.node)
        d = self.density.width
        bent = np.expm1(d * rule.node) if self.with_unit else -np.expm1(-d * rule.mirror)
        doubt = self.pieces.doubt + ENTIRE * self.pieces.most
        weights = flat, flat * bent
        level, rise = (weight @ at for weight in weights)
        level_error, rise_error = (float(weight.sum()) * doubt for weight in weights)
        return (level, rise), (level_error, rise_error)

    def _partial(self, x: Floats) -> tuple[Floats, Floats]:
        """The piece that x lies in, beyond x."""
        count, d, rule = self.pieces.nodes, self.density.width, unit_rule(self.pieces.nodes)
        piece = np.minimum(np.floor(x), self.runs - 1)
        start = (x - piece)[:, None]
        rest = ((piece + 1) - x)[:, None]
        if self.with_unit:
            at = Places(start + rest * rule.node, rest * rule.mirror)
            length, factor = rest[:, 0], np.expm1(d * rest * rule.node)
        else:
            at = Places(start * rule.node, rest + start * rule.mirror)
            length, factor = start[:, 0], -np.expm1(-d * start * rule.mirror)
        column = piece.astype(int)
        rows = chebyshev.interpolation(count, at)
        density = np.einsum("eij,je->ei", rows, self.pieces.values[:, column])
        factor = factor * np.exp(-self.density.epsilon * (piece[:, None] + at.place))
        most = self.pieces.doubt + ENTIRE * self.pieces.most
        value = ((density * factor) @ rule.weight) * length
        return value, most[column] * (factor @ rule.weight) * length
