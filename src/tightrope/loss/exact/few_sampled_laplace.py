"""A few alike Poisson samples of Laplace noise: atoms, and densities that are polynomials.

Under Q the sum of the log r is n log r_- + d T, T being what ``unit_pieces`` adds up, untilted by
exp(-epsilon T). So with x = (e - n log r_-)/d,

    delta(e) = exp(e) E[exp(-epsilon T) (exp(d (T - x)) - 1)_+]          data with the unit first,

and with x = (-e - n log r_-)/d

    delta(e) = E[exp(-epsilon T) (1 - exp(d (T - x)))_+]                 else.

Atoms and whole pieces are two sums each, by

    exp(d tau + y) - 1 = (exp(y) - 1) + exp(y) (exp(d tau) - 1),

and the piece that x lies in is integrated anew from or up to x. All terms are positive. Integrals
run over s, in which the pieces are kept: tau, exp(d tau) and so on are analytic where they are.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np

from tightrope.loss.exact.unit_pieces import Sums, atoms, gauss, sums_of
from tightrope.loss.interval import LogInterval
from tightrope.loss.laplace.sampled import SampledLaplaceLoss
from tightrope.loss.laplace.unit_density import UnitDensity
from tightrope.loss.law import Law, in_blocks
from tightrope.loss.total import Total
from tightrope.num import chebyshev
from tightrope.num.arrays import Floats
from tightrope.num.chebyshev import Places
from tightrope.num.gauss_legendre import unit_rule
from tightrope.num.precision import EXTENDED, ulp
from tightrope.num.rounding import EPS

MOST_RUNS = 48
"""Of more, errors would grow too large; and contours do well."""

LARGEST = 8.0
"""The largest epsilon: of larger ones, polynomials of too high degrees are needed."""

RAREST = 1e-100
"""The least rate: at others powers of it are no doubles."""

PROBES = np.array([0.0, 0.3, 0.7, 0.99])
"""Parts of the largest loss at which intervals are looked at."""

NARROW = 1e-7
"""Width that they may have there."""

BLOCK = 64
"""Epsilons that are looked at at once."""


@dataclass(frozen=True, eq=False)
class FewSampledLaplace(Law):
    """The law of a few alike releases.

    Attributes:
        density: of one.
        sums: what is known of all.
        runs: how many there are.
        with_unit: whether the data with the unit comes first.
    """

    quick: ClassVar[bool] = True

    density: UnitDensity
    sums: Sums
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
        runs, epsilon, rate = float(loss.count[0]), float(loss.epsilon[0]), float(loss.rate[0])
        if not 1 < runs <= MOST_RUNS or epsilon > LARGEST or rate < RAREST:
            return None
        density = UnitDensity(epsilon, rate)
        sums = sums_of(density, int(runs))
        if sums is None:
            return None
        law = cls(density, sums, int(runs), float(loss.with_unit[0]) == 1)
        return law if law.is_sharp(PROBES * total.highest, NARROW) else None

    @property
    def terms(self) -> int:
        """Those of the piece that is integrated anew."""
        return self.sums.pieces.nodes

    def log_delta(self, epsilon: Floats) -> LogInterval:
        """Bounds on log delta at every epsilon >= 0."""
        method = f"polynomial densities between {self.runs + 1} atoms"
        lower, upper = in_blocks(self._bounds, epsilon, BLOCK)
        return LogInterval(lower, upper, method)

    def _bounds(self, epsilon: Floats) -> Floats:
        """delta falls with e: both ends are sums at an x that is moved by what it may be off."""
        sign = 1 if self.with_unit else -1
        place, off = self._place(sign * epsilon)
        ends = np.empty((2, len(epsilon)))
        for row, side in ((0, 1), (1, -1)):
            value, error = self._sum(place + side * sign * off)
            with np.errstate(divide="ignore"):
                ends[row] = np.log(np.maximum(value - side * error, 0))
        size = 4 * EPS * (1 + epsilon + np.abs(np.where(np.isfinite(ends), ends, 0)))
        moved = epsilon if self.with_unit else 0.0
        return np.asarray(ends + moved + np.array([[-1.0], [1.0]]) * size)

    def _place(self, loss: Floats) -> tuple[Any, Any]:
        """x, in the machine's format beyond doubles, and what it may be off by."""
        epsilon, rate = EXTENDED(self.density.epsilon), EXTENDED(self.density.rate)
        low = 1 - rate + rate * np.exp(-epsilon)
        least = np.log1p(rate * np.expm1(-epsilon)) if rate < 0.5 else np.log(low)
        width = np.log1p(2 * rate * np.sinh(epsilon) / low)
        end = self.runs * least
        x = (loss - end) / width
        return x, 32 * ulp(x) * ((np.abs(loss) + abs(end)) / width + np.abs(x))

    def _sum(self, x: Any) -> tuple[Floats, Floats]:
        """What is averaged, and its error."""
        value, error = self._whole(x)
        inside = (x >= 0) & (x < self.runs)
        if inside.any():
            more, doubt = self._partial(x[inside])
            value[inside] += more
            error[inside] += doubt
        n, count = self.runs, self.sums.pieces.nodes
        each = 8 * count + 96 + 4 * n * (self.density.epsilon + self.density.width)
        return value, 1.01 * error + EPS * each * np.abs(value)

    def _whole(self, x: Any) -> tuple[Floats, Floats]:
        """Atoms, and pieces that x does not lie in."""
        k = np.arange(self.runs + 1.0)
        d = self.density.width
        fall = np.exp(-self.density.epsilon * k)
        sign = 1.0 if self.with_unit else -1.0
        above = np.maximum(sign * (k - x[:, None]), 0).astype(float)
        value = (sign * np.expm1(sign * d * above)) @ (fall * atoms(self.runs))
        near = k[:-1] if self.with_unit else k[1:]
        inside = sign * (k[:-1] - np.floor(x)[:, None]) > 0
        away = np.maximum(sign * (near - x[:, None]), 0).astype(float)
        step, scale = sign * np.expm1(sign * d * away), np.exp(sign * d * away)
        (level, level_error), (rise, rise_error) = self._moments
        value += (inside * step) @ (fall[:-1] * level) + (inside * scale) @ (fall[:-1] * rise)
        error = (inside * step) @ (fall[:-1] * level_error)
        return value, error + (inside * scale) @ (fall[:-1] * rise_error)

    @cached_property
    def _moments(self) -> tuple[tuple[Floats, Floats], tuple[Floats, Floats]]:
        """Integrals of pieces times exp(-epsilon tau), and with the other factor; and errors."""
        count, density = self.sums.pieces.nodes, self.density
        rule = unit_rule(count)
        s = Places(rule.node, rule.mirror)
        ratios = density.ratios(s)
        rows = chebyshev.interpolation(count, s)
        flat = rule.weight * np.exp(-density.epsilon * density.tau(s))
        low, high = density.ends
        bent = ratios.low / low if self.with_unit else ratios.high / high
        level, rise = (self._integrals(weight, rows) for weight in (flat, flat * bent))
        return level, rise

    def _integrals(self, weight: Floats, rows: Floats) -> tuple[Floats, Floats]:
        """Sums over interpolated values, and how far they may be off, a column for each piece."""
        pieces = self.sums.pieces
        parts = weight[..., None, :] @ rows
        off = (np.abs(parts) @ pieces.off)[..., 0, :]
        off += weight.sum(axis=-1)[..., None] * (pieces.doubt + 1e-10 * pieces.most_off)
        return (parts @ pieces.values)[..., 0, :], off + self._left

    @cached_property
    def _left(self) -> float:
        """What Gauss's rule leaves of such integrals, over parts of [0, 1], too."""
        domain, low = self.sums.domain, self.density.ends[0]
        # exp(-epsilon tau), and |r - r_x|/r_x, where they are largest
        with np.errstate(over="ignore"):
            fall = np.float_power(domain.least / low, -self.density.epsilon / self.density.width)
        sup = float(self.sums.sup * fall * (1 + 2 * domain.odds[1] / low))
        if not math.isfinite(sup):
            return math.inf
        return float(gauss(domain.radius, self.sums.pieces.nodes) * sup)

    def _partial(self, x: Any) -> tuple[Floats, Floats]:
        """The piece that x lies in, beyond x."""
        density, pieces = self.density, self.sums.pieces
        piece = np.minimum(np.floor(x), self.runs - 1)
        cut = density.part(*(rest.astype(float) for rest in (x - piece, (piece + 1) - x)))
        piece = piece.astype(int)
        at, away, length = self._beyond(Places(cut.place[:, None], cut.mirror[:, None]))
        ratios = density.ratios(cut)
        sign = 1 if self.with_unit else -1
        grown = sign * np.expm1(sign * 2 * density.epsilon * away)
        factor = (ratios.odds / ratios.ratio)[:, None] * grown
        factor *= np.exp(-density.epsilon * density.tau(at))
        rows = chebyshev.interpolation(pieces.nodes, at)
        value, error = self._integrals(factor * unit_rule(pieces.nodes).weight, rows)
        column = piece[:, None]
        value, error = (np.take_along_axis(part, column, axis=1) for part in (value, error))
        length = length[:, 0] * np.exp(-density.epsilon * piece)
        return value[:, 0] * length, error[:, 0] * length

    def _beyond(self, cut: Places) -> tuple[Places, Floats, Floats]:
        """Nodes beyond a place, how far they are from it, and how long that part is."""
        rule = unit_rule(self.sums.pieces.nodes)
        if self.with_unit:
            away = cut.mirror * rule.node
            return Places(cut.place + away, cut.mirror * rule.mirror), away, cut.mirror
        away = cut.place * rule.mirror
        return Places(cut.place * rule.node, cut.mirror + away), away, cut.place
