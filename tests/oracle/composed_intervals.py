"""Compositions of losses with a density on an interval: Laplace and logistic noise.

With w = z + 1/2 both transforms are
    M = scale (exp(epsilon w) (a + b / w) + exp(-epsilon w) (a' + b' / w)),
so that M^n is a finite sum of exponentials with poles at w = 0 only, and the inversion integral of
M^n exp(-z e) / (z (z + 1)) is a finite sum of residues.  Laplace losses, tilted by exp(-L / 2), are
two unit atoms at +-epsilon and a density 1/2 between, times exp(-epsilon / 2) / 2; logistic losses,
tilted likewise, are uniform.  Randomised response is the case b = 0.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from flint import acb, arb, arb_poly, ctx

from .composed_sketch import Sketch


@dataclass(frozen=True)
class TwoExponentials:
    """M = scale (exp(epsilon w) (a + b / w) + exp(-epsilon w) (a' + b' / w)), w = z + 1/2."""

    epsilon: arb
    scale: arb
    rising: tuple[arb, arb]
    falling: tuple[arb, arb]

    def transform(self, z: acb) -> acb:
        w, grow = z + arb(0.5), ((z + arb(0.5)) * self.epsilon).exp()
        (a, b), (c, d) = self.rising, self.falling
        return self.scale * (grow * (a + b / w) + (c + d / w) / grow)


def laplace(epsilon: arb) -> TwoExponentials:
    half, quarter = arb(0.5), arb(0.25)
    return TwoExponentials(epsilon, (-epsilon / 2).exp(), (half, quarter), (half, -quarter))


def logistic(epsilon: arb) -> TwoExponentials:
    weight = 1 / (4 * (epsilon / 2).sinh())
    return TwoExponentials(epsilon, arb(1), (arb(0), weight), (arb(0), -weight))


def by_residues(build: Callable[[], TwoExponentials], n: int, epsilon: arb) -> arb:
    """The sum of residues at the centre of epsilon, in the precision that leaves 120 bits."""
    epsilon = epsilon.mid()
    bits = 256
    while True:
        with ctx.workprec(bits):
            delta = _residues(build(), n, epsilon)
        if delta.rel_accuracy_bits() > 120:
            return delta
        bits *= 2


def _residues(law: TwoExponentials, n: int, epsilon: arb) -> arb:
    up, down = arb_poly([*law.rising[::-1]]), arb_poly([*law.falling[::-1]])
    half, total = arb(0.5), arb(0)
    for j in range(n + 1):
        rate = (n - 2 * j) * law.epsilon - epsilon
        if not rate > 0:
            break
        top = up ** (n - j) * down**j
        ends = top(half) * (rate / 2).exp() - (-1) ** n * top(-half) * (-rate / 2).exp()
        total += math.comb(n, j) * (arb(2) ** n * ends + _residue_at_zero(top, rate, n))
    return total * (epsilon / 2).exp() * law.scale**n


def _residue_at_zero(top: arb_poly, rate: arb, n: int) -> arb:
    """The coefficient of w^(n-1) in top(w) exp(rate w) / (w^2 - 1/4)."""
    series: list[arb] = []
    power = arb(-4)
    for k in range(n):
        series.append(power + (4 * series[k - 2] if k > 1 else 0))
        power *= rate / (k + 1)
    return sum((a * b for a, b in zip(top.coeffs(), reversed(series), strict=False)), arb(0))


@dataclass(frozen=True)
class PiecewiseLoss:
    """Atoms (loss, mass), and a density in x on (low, high) where the loss rises with x."""

    atoms: Sequence[tuple[arb, arb]]
    low: arb
    high: arb
    loss: Callable[[arb], arb]
    density: Callable[[arb], arb]

    def sketch(self) -> Sketch:
        x = np.linspace(float(self.low), float(self.high), 2002)
        x = (x[1:] + x[:-1]) / 2
        step = x[1] - x[0]
        inner = [(self.loss(arb(v)), self.density(arb(v)) * step) for v in x]
        pairs = [*self.atoms, *inner]
        return Sketch([float(a) for a, _ in pairs], [float(m.log()) for _, m in pairs])

    def ends(self, copies: int) -> list[arb]:
        """Where the profile of so many copies has kinks."""
        low, high = self.loss(self.low), self.loss(self.high)
        return [i * high + (copies - i) * low for i in range(copies + 1)]


def one_more(
    law: PiecewiseLoss,
    inverse: Callable[[arb], arb],
    profile: Callable[[arb], arb],
    kinks: Sequence[arb],
    epsilon: arb,
    nodes: int,
) -> arb:
    """E_P[profile(epsilon - L)], by Gauss and Legendre between the kinks of the profile."""
    total = sum((mass * profile(epsilon - loss) for loss, mass in law.atoms), arb(0))
    lowest, highest = law.loss(law.low), law.loss(law.high)
    inner = (epsilon - kink for kink in kinks)
    cuts = [inverse(loss) for loss in inner if loss > lowest and loss < highest]
    points = sorted([law.low, *cuts, law.high], key=lambda x: float(x))
    for left, right in pairwise(points):
        half, middle = (right - left) / 2, (right + left) / 2
        for node, weight in gauss_legendre(nodes):
            x = middle + half * node
            total += half * weight * law.density(x) * profile(epsilon - law.loss(x))
    return total


_RULES: dict[tuple[int, int], list[tuple[arb, arb]]] = {}


def gauss_legendre(nodes: int) -> list[tuple[arb, arb]]:
    key = (nodes, ctx.prec)
    if key not in _RULES:
        _RULES[key] = [arb.legendre_p_root(nodes, k, weight=True) for k in range(nodes)]
    return _RULES[key]


def laplace_loss(epsilon: arb) -> PiecewiseLoss:
    """The loss of Laplace(0) against Laplace(shift)."""
    atoms = [(epsilon, arb(0.5)), (-epsilon, (-epsilon).exp() / 2)]
    same = lambda x: x  # noqa: E731
    return PiecewiseLoss(atoms, -epsilon, epsilon, same, lambda x: ((x - epsilon) / 2).exp() / 4)


def logistic_loss(epsilon: arb) -> PiecewiseLoss:
    scale = 4 * (epsilon / 2).sinh()
    return PiecewiseLoss([], -epsilon, epsilon, lambda x: x, lambda x: (x / 2).exp() / scale)
