"""The trapezoid rule on a hyperbola, with every error bounded.

On a vertical line M(z) of few sampled releases dies out so slowly that a contour of a million
nodes does not reach its end. But exp(-z E) falls to the right, E > 0, and M(z) stays bounded on
|arg z - pi/2| < pi/4 (``ray``), so the line can be bent to the right into a hyperbola: on the arcs
between both, |M| <= A(0) and |exp(-z E)| <= exp(c E), and the kernel falls like |z|^-2. In the
hyperbola's own variable w the nodes are geometric far out, and a few hundred reach any distance.

The rule with step h in w errs by at most (N_+ + N_-)/(exp(2 pi d/h) - 1), N_+- being the integrals
of the absolute value over the hyperbolas at angle +- d (Trefethen and Weideman, 2014, "The
exponentially convergent trapezoidal rule", Theorem 5.1): none of these passes a pole.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from tightrope.loss.bent.few import FewSampled, MomentBounds, Sampled
from tightrope.loss.bent.hyperbola import Hyperbola, Size
from tightrope.loss.bent.ray import RayRule
from tightrope.loss.interval import LogInterval
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.complexes import expm1, log1p
from tightrope.num.precision import real_format, ulp
from tightrope.num.rounding import EPS, shortened

DIGITS = 32.0
"""-log of the relative error that each of two rules aims at."""

LARGEST = 600.0
"""exp of a larger exponent is hardly a double: an epsilon that far from the contour's."""

SPARE = 3.0
"""Added for what an estimate may be off."""


class Plan(NamedTuple):
    """How a contour is laid.

    Attributes:
        curve: the hyperbola.
        turn: its angle d, and that by which it may be turned; the ray is at 2 d.
        depth: minus the logarithm of what may be left out of the moment function.
        log_delta: a guess.
        reach: log of what the errors of the moment function may count for.
    """

    curve: Hyperbola
    turn: float
    depth: float
    log_delta: float
    reach: float


class BentContour:
    """Values at nodes, good for every epsilon near that of the plan."""

    def __init__(self, few: FewSampled, plan: Plan, distance: float):
        self.few, self.plan, self.distance = few, plan, distance
        curve, turn = plan.curve, plan.turn
        last = curve.end(distance, DIGITS + SPARE - plan.log_delta)
        most = curve.turned(turn).omega(np.zeros(1), 2 * turn)[0]
        bounds = few.bounds(2 * turn, float(most), plan.depth)
        self.sides = [Size(few, curve.turned(by), bounds, 2 * turn, last) for by in (-turn, turn)]
        need = self._log_alias(distance) + DIGITS + SPARE - plan.log_delta
        self.step = shortened(2 * math.pi * turn / max(need, 10.0))
        self.rest = Size(few, curve, bounds, 2 * turn, last)
        w = self.step * np.arange(math.ceil(self.rest.last / self.step) + 1.0)
        w = np.asarray(w, dtype=real_format(few.end))
        self.z, slope = curve.at(w)
        self.size = np.ones(len(w))
        self.size[0] = 0.5
        pi = np.arccos(w.dtype.type(-1))  # in the format of the nodes
        self.factor = few.kernel(self.z) * slope * (-1j * self.step / pi) * self.size
        self._values()

    def refined(self) -> BentContour:
        """The same contour, with values beyond doubles where the machine has them."""
        return BentContour(self.few.refined(), self.plan, self.distance)

    @property
    def method(self) -> str:
        """For a derivation."""
        return f"contour integral along a hyperbola, {len(self.z):,} nodes"

    def _log_alias(self, distance: float) -> float:
        return float(np.logaddexp.reduce([side.log(distance) for side in self.sides]))

    def _values(self) -> None:
        """log M at the nodes, and a bound on the logarithm of 1 + its relative error."""
        self.log_m: Complexes = np.zeros_like(self.z)
        self.log_off: Floats = np.zeros(self.z.shape)
        self.unit = ulp(self.z)
        for kind in self.few.kinds:
            value, error = self._rule(kind).sums(self.z)
            whole = value + 1 if self.few.mixed else value
            size = np.maximum(np.abs(whole), 1e-300)
            log = log1p(value) if self.few.mixed else np.log(np.where(whole == 0, 1e-300, whole))
            rounding = 20 * self.unit * np.minimum(np.abs(value) / size, 1 + np.abs(log))
            self.log_m += kind.count * log
            self.log_off += kind.count * (np.log1p(error / size) + rounding)

    def _rule(self, kind: Sampled) -> RayRule:
        """The rule whose error is small enough."""
        turn, curve, zero = self.plan.turn, self.plan.curve, np.zeros(1)
        logs = [-math.inf]
        for angle in (turn, 3 * turn):
            omega = curve.omega(zero, angle)
            bound = FewSampled((kind,), kind.density.mixed).bounds(
                angle, float(max(omega[0], 0.0)), self.plan.depth
            )
            one = MomentBounds(bound.rays, [1.0])
            logs += one.log(np.append(omega, 0.0) if kind.density.mixed else omega).tolist()
        size = float(np.logaddexp.reduce(logs))
        need = size + self.plan.reach + DIGITS + SPARE - self.plan.log_delta
        step = shortened(2 * math.pi * turn / max(need, 10.0))
        ray = 2 * turn
        power = float(curve.omega(zero, ray)[0])
        ends = kind.density.ends(ray, power, self.plan.depth)
        floor = 1.01 * math.exp(size - 2 * math.pi * turn / step)
        edge = kind.density.at(np.array(ends), ray)
        tails = np.exp(edge.value.real + max(power, 0.0) * np.exp(ends))
        s: Floats = step * np.arange(math.floor(ends[0] / step), math.ceil(ends[1] / step) + 1.0)
        return RayRule(kind.density, ray, s, power, floor + 2.2 * float(tails.sum()))

    def log_delta(self, epsilon: float) -> LogInterval:
        """Bounds on log delta at one epsilon."""
        away, off = self.few.distance(epsilon)
        turn = -self.z * away
        if float((turn + self.log_m).real.max()) > LARGEST:
            return LogInterval(np.array([-math.inf]), np.zeros(1), self.method)
        power = np.exp(turn + self.log_m)
        if self.few.mixed:
            near = self.log_m.real < 1
            power[~near] -= np.exp(turn[~near])
            power[near] = np.exp(turn[near]) * expm1(self.log_m[near])
        terms = (power * self.factor).real
        whole = np.abs(self.factor) * np.exp(turn.real + self.log_m.real)
        unit, size = self.unit, np.abs(self.log_m)
        moved = unit * (16 * np.abs(turn) + 8 * size) + np.abs(self.z) * off
        error = whole * np.expm1(np.minimum(self.log_off + 4 * unit * size, 600.0))
        error += np.abs(power * self.factor) * (moved + 48 * unit) + EPS * np.abs(terms)
        found = math.fsum(terms)
        doubt = 1.01 * math.fsum(error) + self._rules(float(away))
        return _interval(found, doubt, self.method)

    def _rules(self, away: float) -> float:
        """Aliases, and the nodes beyond the last."""
        alias = self._log_alias(away) - 2 * math.pi * self.plan.turn / self.step
        logs = (alias, self.rest.beyond(away))
        return 1.01 * sum(math.exp(min(log, 600.0)) for log in logs)


def _interval(found: float, doubt: float, method: str) -> LogInterval:
    lower, upper = found - doubt, found + doubt
    ends = [math.log(end) if end > 0 else -math.inf for end in (lower, upper)]
    if not upper > 0:
        ends[1] = math.inf
    low, high = (2 * EPS * (1 + min(abs(end), 1e3)) for end in ends)
    return LogInterval(np.array([ends[0] - low]), np.array([ends[1] + high]), method)
