"""The privacy profile by the trapezoid rule on a vertical line, with every error bounded.

The sum over the nodes z_j = c + i h j, j any integer, of h/(2 pi) M(z) exp(-z e) k(z) equals

    delta(e) + sum over k != 0 of exp(2 pi c k/h) delta(e + 2 pi k/h)

by Poisson summation (c > 0, a node at tau = 0; on a lattice h divides the period). So the step
only overstates, and what it overstates is bounded: below e, delta is at most 1; above, it is at
most kappa(s) M(s) exp(-s e) for every s > 0 (Chernoff). The nodes that are left out are bounded
by the decay of |M|, or, where M does not decay, by composing with a fictitious Gaussian release
of a tiny mu = eta: that can only overstate, and by no more than

    eta^2 (1 + eta) exp(eta^2/8)/(2 pi) * integral of |M(z)| exp(-c e) |exp(eta^2 z (z + 1)/2)|,

because the excess of delta_eta over (1 - exp(-y))_+ at y = L - e is below
eta (1 + eta)/sqrt(2 pi) exp(-y/2 - y^2/(2 eta^2)) (docs/engine.md).
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from tightrope.loss.contour import saddle
from tightrope.loss.contour.kernel import Continuous, Kernel, Periodic
from tightrope.loss.contour.nodes import MOST_ENTRIES, Nodes, visited
from tightrope.loss.contour.sums import Errors, Sums
from tightrope.loss.loss import Line
from tightrope.loss.sieve import Windows
from tightrope.loss.total import Total
from tightrope.num.arrays import Complexes, Floats
from tightrope.num.precision import real_format, ulp
from tightrope.num.rounding import EPS

NEARBY = 0.25
"""How far below epsilon the profile is looked at, at most, to bound its slope."""

PAIRWISE = 32
"""Units by which a sum of up to 2^20 errs: 16 in NumPy's blocks of 128, and one a doubling."""

MOST_GUESSES = 8
"""Steps of Newton's method."""


@dataclass(frozen=True)
class Contour:
    """Nodes on the line through c.

    Attributes:
        total: what was composed, the fictitious Gaussian included.
        c: where the line crosses the real axis.
        step: the distance h between nodes.
        nodes: the number of nodes with tau >= 0.
        ceiling: the s of the Chernoff bound above epsilon.
        periodic: whether tau runs over one period of the lattice.
        eta: mu of the fictitious Gaussian; 0 if none was needed.
        share: what delta is to exp(log_scale), roughly.
        windows: the parts of the contour where M may matter; None for all of it.
    """

    total: Total
    c: float
    step: float
    nodes: int
    ceiling: float
    periodic: bool
    eta: float
    share: float
    line: Line = field(repr=False)
    windows: Windows | None = field(default=None, repr=False)

    @property
    def method(self) -> str:
        """For a derivation."""
        closed = f" and a fictitious Gaussian of mu = {self.eta:.1g}" if self.eta else ""
        return f"contour integral through c = {self.c:.4g}, {len(self.at.tau):,} nodes{closed}"

    @cached_property
    def log_ceiling(self) -> float:
        """log of kappa(s) M(s), rounded up."""
        log_m = self.total.log_most(self.ceiling)
        return log_m + float(saddle.log_kappa(np.array(self.ceiling))) + 8 * EPS * abs(log_m)

    @cached_property
    def log_tail(self) -> float:
        """The bound on log |M(c + it)/M(c)| beyond the last node."""
        last = np.array([self.step * (self.nodes - 1)])
        decay = self.line.decay_within if self.periodic else self.line.decay
        return float(decay(last)[0])

    def sums(self, epsilon: Floats) -> Sums:
        """delta at every epsilon >= 0."""
        width = max(1, MOST_ENTRIES // len(self.at.tau))
        parts = [
            self._sums(epsilon[start : start + width]) for start in range(0, len(epsilon), width)
        ]
        sums = parts[0] if len(parts) == 1 else Sums.joined(parts)
        return self._astray(sums, epsilon) if self.periodic else sums

    def _astray(self, sums: Sums, epsilon: Floats) -> Sums:
        """Add what it matters that a lattice is misplaced, and with it every epsilon.

        delta is convex in exp(epsilon), so -delta'(t) <= (delta(s) - delta(t))/(1 - exp(s - t))
        for s < t. The kernel may take both e and e - w to be elsewhere.
        """
        w = min(1 / self.c, NEARBY)
        before = self._sums(epsilon - w)
        off = self._kernel(epsilon).misplaced(np.abs(epsilon) + w)
        least = np.maximum(sums.errors.lower, 0)
        doubt = 8 * EPS * (np.abs(sums.log_scale) + np.abs(before.log_upper))
        fall = np.exp(before.log_upper - sums.log_scale) * (1 + doubt)
        slope = np.exp(off) * (fall - least) / -np.expm1(-np.maximum(w - 3 * off, w / 4))
        rounding = sums.errors.rounding + np.where(off < w / 4, off * slope, np.inf)
        return replace(sums, errors=replace(sums.errors, rounding=rounding))

    def _sums(self, epsilon: Floats) -> Sums:
        kernel = self._kernel(epsilon)
        weight, (value, error), skipped = self.at.weight, self.at.transform, self.at.skipped
        tau, asked = (np.asarray(x, dtype=real_format(value)) for x in (self.at.tau, epsilon))
        z: Complexes = np.asarray(self.c + 1j * tau)
        k: Complexes = kernel.at(z) * weight[:, None]
        phase = value.imag[:, None] - tau[:, None] * asked
        turned = self.sizes[:, None] * np.exp(1j * phase)
        terms = k * turned
        relative = self._relative(epsilon)
        found, moment = _summed(terms.real), _summed((z[:, None] * terms).real)
        unit = self.step / math.pi
        log_scale: Floats = np.asarray(self.at_axis - self.c * asked, dtype=float)
        scale_error = error[0] + 4 * ulp(value) * (abs(self.at_axis) + self.c * np.abs(epsilon))
        scale_error += 2 * EPS * (8 + np.abs(log_scale))
        rounding = self._rounding(kernel, z, k, relative) + np.abs(found) * scale_error
        left_out = skipped * kernel.rise(self.c) * unit + self._beyond(kernel)
        errors = Errors(
            sum=found * unit,
            rounding=rounding * unit,
            truncation=np.broadcast_to(left_out, epsilon.shape),
            below=self._below(log_scale),
            above=self._above(log_scale, epsilon),
            smoothing=self._smoothing(turned.real, relative, np.minimum(scale_error, 650.0)),
        )
        kappa = float(saddle.log_kappa(np.array(self.c)))
        doubt = scale_error + 8 * EPS * (abs(kappa) + 1)
        slope = -moment / np.where(found == 0, 1, found)
        return Sums(log_scale, errors, slope, log_scale + kappa + doubt)

    def refined(self) -> Contour | None:
        """The same nodes, with values beyond doubles; None if they cannot be had."""
        finer = self.line.refined()
        return None if finer is None else replace(self, line=finer)

    def guess(self, log_delta: float, start: float) -> tuple[float, float]:
        """Where log delta is about as asked, by Newton's method on this contour, and its slope.

        For search only; not a number where the method fails.
        """
        tau, weight, (value, _), _, _ = self.at
        z: Complexes = np.asarray(self.c + 1j * tau)
        fixed = weight * self.sizes * np.exp(1j * value.imag) * (self.step / math.pi)
        at = start
        for _ in range(MOST_GUESSES):
            turned = fixed * np.exp(-1j * tau * at) * self._kernel(np.array([at])).at(z)[:, 0]
            total, slope = float(turned.real.sum()), -float((z * turned).real.sum())
            if not (total > 0 and slope < 0):
                return math.nan, math.nan
            miss = math.log(total) + self.at_axis - self.c * at - log_delta
            if abs(miss) < 1e-12:
                break
            at -= miss * total / slope
        return float(at), float(slope / total)

    # --- the nodes -------------------------------------------------------------------------

    @cached_property
    def at(self) -> Nodes:
        """The nodes and the transform at them, computed once."""
        return visited(self)

    @cached_property
    def at_axis(self) -> float:
        """log M(c), as computed."""
        return self.at.transform.value[0].real  # type: ignore[no-any-return]  # of any format

    @cached_property
    def sizes(self) -> Floats:
        """|M(z)/M(c)| at the nodes, as computed."""
        return np.exp(np.minimum(self.at.transform.value.real - self.at_axis, 650.0))

    def _kernel(self, epsilon: Floats) -> Kernel:
        lattice = self.total.lattice
        return Periodic(lattice, epsilon) if self.periodic and lattice else Continuous()

    # --- the errors ------------------------------------------------------------------------

    def _relative(self, epsilon: Floats) -> Floats:
        """log of 1 + the relative error of each term, the kernel apart; nodes x epsilons."""
        tau, (value, error), unit = self.at.tau, self.at.transform, ulp(self.at.transform.value)
        absolute = error + unit * (4 * np.abs(value) + 4 * abs(self.at_axis) + 32 + PAIRWISE)
        return np.minimum(absolute[:, None] + 4 * unit * tau[:, None] * np.abs(epsilon), 650.0)

    def _rounding(self, kernel: Kernel, z: Complexes, k: Complexes, relative: Floats) -> Floats:
        """The errors of all terms and of the kernel, which is k with the weights, added up."""
        own = self.at.weight[:, None] * kernel.error(z) * np.exp(relative)
        with np.errstate(over="ignore"):  # as an infinite error is one
            off: Floats = np.asarray(np.abs(k) * np.expm1(relative) + own)
            return np.asarray((self.sizes[:, None] * off).sum(axis=0))

    def _beyond(self, kernel: Kernel) -> Floats | float:
        """Nodes beyond the last: |k| <= rise/tau^2, and k(c) up to half a period."""
        lattice = self.total.lattice
        last = self.step * (self.nodes - 1)
        falling = kernel.rise(self.c) * math.exp(self.log_tail) / (math.pi * last)
        if not (self.periodic and lattice):
            return falling
        if last + 0.75 * self.step > math.pi / lattice.step:
            return 0.0
        largest = np.abs(kernel.at(np.array([self.c + 0j])))[0]
        return np.asarray(np.minimum(largest * math.exp(self.log_tail) / lattice.step, falling))

    def _below(self, log_scale: Floats) -> Floats:
        period = 2 * math.pi * self.c / self.step
        return np.exp(np.minimum(-_log_expm1(period) - log_scale, 650.0))

    def _above(self, log_scale: Floats, epsilon: Floats) -> Floats:
        if not math.isfinite(self.log_ceiling):
            return np.full(len(epsilon), np.inf)
        period = 2 * math.pi * (self.ceiling - self.c) / self.step
        log_bound = self.log_ceiling - self.ceiling * epsilon - _log_expm1(period)
        return np.exp(np.minimum(log_bound - log_scale, 650.0))

    def _smoothing(self, terms: Floats, relative: Floats, scale_error: Floats) -> Floats:
        """The excess of the fictitious Gaussian, from a bound on the sum of M exp(-z e)."""
        if not self.eta:
            return np.zeros(terms.shape[1])
        last = self.step * (self.nodes - 1)
        beyond = math.exp(self.log_tail) / (self.eta**2 * last)
        most = self.eta**2 * (1 + self.eta) * math.exp(self.eta**2 / 8) * np.exp(scale_error)
        with np.errstate(over="ignore"):  # where nothing is known, infinity is a bound as well
            density = self.at.weight @ (terms + self.sizes[:, None] * np.expm1(relative))
            whole = (np.maximum(density, 0) + self.at.skipped_size) * self.step + beyond
            return np.asarray(most * whole / math.pi)


def _summed(terms: Floats) -> Floats:
    """The sums over the nodes, each added in pairs."""
    return np.asarray(np.ascontiguousarray(terms.T).sum(axis=-1), dtype=float)


def _log_expm1(x: float) -> float:
    return x + math.log(-math.expm1(-x))
