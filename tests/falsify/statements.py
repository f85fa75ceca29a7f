"""Statements of a notion that hold for given pairs of laws, the strongest ones.

What is stated of a pool of pairs is kept: all theorems of one source are tried on it.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs
from trials import Array, delta_at, finite_loss
from truncated import stated_rho

import tightrope as tr
from tightrope.notions.piecewise import PiecewiseCurve

PLAIN: dict[type, Callable[[FinitePairs], Array]] = {
    tr.PureDP: oracle.pure_epsilon,
    tr.BoundedRange: oracle.bounded_range,
    tr.LogisticDP: oracle.logistic_epsilon,
    tr.GDP: oracle.tight_mu,
}

MASS_ERROR = 1e-15
"""Masses add up to 1 but for a few roundings, so divergences have an absolute error."""

_kept: dict[tuple[str, int], Any] = {}


def kept(name: str, pairs: FinitePairs, make: Callable[[], Any]) -> Any:
    """Compute once for a pool; pools live as long as the tests."""
    key = name, id(pairs)
    if key not in _kept:
        _kept[key] = make()
    return _kept[key]


def rho_star(pairs: FinitePairs) -> Array:
    found: Array = kept("rho", pairs, lambda: oracle.rho_star(pairs))
    return found


def stated(source: type, pairs: FinitePairs, variant: str = "") -> tuple[Any, ...]:
    """Parameters of the source notion, for each pair the smallest that hold.

    Args:
        source: the notion.
        pairs: a pool of pairs.
        variant: for zCDP "offset" (half of the pairs get one), "pure" (rho = 0), or none.
    """
    if source in PLAIN:
        return (kept(source.__name__, pairs, lambda: PLAIN[source](pairs)),)
    makers: dict[type, Callable[[], Any]] = {
        tr.ZCDP: lambda: _zcdp(pairs, variant),
        tr.TCDP: lambda: _tcdp(pairs),
        tr.ApproxDP: lambda: _approximate(pairs),
        tr.RDP: lambda: (renyi_curves(pairs),),
        tr.TradeOff: lambda: ([exact_curve(pairs[r : r + 1]) for r in range(len(pairs))],),
        tr.Profile: lambda: (profile_curves(pairs),),
    }
    found: tuple[Any, ...] = kept(source.__name__ + variant, pairs, makers[source])
    return found


def _zcdp(pairs: FinitePairs, variant: str) -> tuple[Array, Array]:
    zeros = np.zeros(len(pairs))
    if variant == "pure":
        return zeros, oracle.pure_epsilon(pairs)
    if variant == "":
        return rho_star(pairs) + MASS_ERROR, zeros
    rng = np.random.default_rng(len(pairs))
    share = np.where(rng.random(len(pairs)) < 0.5, 1.0, rng.random(len(pairs)))
    rho = share * rho_star(pairs)
    xi = np.where(share < 1, np.maximum(oracle.xi_star(pairs, rho), 0.0), 0.0)
    return rho + MASS_ERROR, xi


def _tcdp(pairs: FinitePairs) -> tuple[Array, Array]:
    omega = 1 + 10 ** np.random.default_rng(len(pairs)).uniform(-1.5, 1.8, len(pairs))
    return stated_rho(pairs, omega) + MASS_ERROR, omega


def _approximate(pairs: FinitePairs) -> tuple[Array, Array]:
    rng = np.random.default_rng(len(pairs))
    share = np.where(rng.random(len(pairs)) < 0.5, 1.0, rng.random(len(pairs)))
    epsilon = share * finite_loss(pairs)
    return epsilon, np.minimum(delta_at(pairs, epsilon), 1 - 1e-15)


# --- curves ------------------------------------------------------------------------------------


class PairCurve:
    """The exact Renyi curve of one pair; one order at a time, or an array of them."""

    max_order = np.inf

    def __init__(self, pairs: FinitePairs, row: int):
        seen = ~(np.isneginf(pairs.log_p[row]) & np.isneginf(pairs.log_q[row]))
        log_p, log_q = pairs.log_p[row][seen], pairs.log_q[row][seen]
        self.sides = [(log_q, log_q - log_p), (log_p, log_p - log_q)]
        self.lists = [
            [(math.exp(m), m, l) for m, l in zip(mass.tolist(), loss.tolist(), strict=True)]
            for mass, loss in self.sides
        ]
        self.kl = max(sum(m * (l + math.expm1(-l)) for m, _, l in side) for side in self.lists)
        self.largest = max(float(np.max(loss)) for _, loss in self.sides)

    def __call__(self, orders: Any) -> Any:
        if np.ndim(orders) == 0:
            return self._at(float(orders)) + MASS_ERROR
        asked = np.asarray(orders, dtype=float)
        k = asked.reshape(-1, 1) - 1
        with np.errstate(all="ignore"):
            both = np.max([self._side(k, *side) for side in self.sides], axis=0)
        both = np.where(k[:, 0] == 0, self.kl, np.where(np.isinf(k[:, 0]), self.largest, both))
        return both.reshape(asked.shape) + MASS_ERROR

    def _at(self, order: float) -> float:
        k = order - 1
        if k == 0 or math.isinf(k):
            return self.kl if k == 0 else self.largest
        return max(self._side_at(k, side) for side in self.lists)

    @staticmethod
    def _side_at(k: float, side: list[tuple[float, float, float]]) -> float:
        if all(k * loss < 300 for _, _, loss in side):
            return math.log1p(sum(m * math.expm1(k * loss) for m, _, loss in side)) / k
        top = max(log_mass + k * loss for _, log_mass, loss in side)
        return (top + math.log(sum(math.exp(m + k * loss - top) for _, m, loss in side))) / k

    @staticmethod
    def _side(k: Array, log_mass: Array, loss: Array) -> Array:
        exponent = np.where(np.isfinite(k), k, 1.0) * loss
        near = np.log1p(np.sum(np.exp(log_mass) * np.expm1(np.minimum(exponent, 300.0)), axis=1))
        top = np.max(log_mass + exponent, axis=1, keepdims=True)
        far = top[:, 0] + np.log(np.sum(np.exp(log_mass + exponent - top), axis=1))
        return np.where(np.max(exponent, axis=1) < 300, near, far) / k[:, 0]


def renyi_curves(pairs: FinitePairs) -> list[Any]:
    """The whole curve of every second pair, a few of its orders for the others."""
    rng, curves = np.random.default_rng(len(pairs)), []
    for row in range(len(pairs)):
        curve: Any = PairCurve(pairs, row)
        if row % 2:
            orders = 1 + 10 ** rng.uniform(-1, 2, rng.integers(1, 5))
            curve = tr.RDP(orders, curve(orders) * (1 + 1e-14)).curve
        curves.append(curve)
    return curves


def exact_curve(pairs: FinitePairs) -> Any:
    """The greatest trade-off curve that holds for both orders of all given pairs.

    Only the part with alpha <= beta is told, where neither coordinate cancels; the other part is
    its mirror image.
    """
    both = [oracle.corners(x) for x in (pairs, pairs.swapped())]
    alpha = np.concatenate([[0.0], *(x.ravel() for c in both for x in (c.alpha, c.beta))])
    power = np.concatenate([[0.0], *(x.ravel() for c in both for x in (c.power, c.specificity))])
    beta = np.concatenate([[1.0], *(x.ravel() for c in both for x in (c.beta, c.alpha))])
    lowered = np.maximum(beta - 4e-16 * np.maximum(power, beta), 0.0)
    beta = np.where((alpha == 0) & (power < 1e-15), 1.0, lowered)  # no failure, up to rounding
    hull = _lower_hull(alpha, beta)
    beyond = next(i for i, (a, b) in enumerate(hull) if a >= b)
    (a, b), (c, d) = hull[beyond - 1 : beyond + 1]
    end = (a + b * ((c - a) / (b - d))) * (1 - 1e-15)  # the edge across the diagonal, to beta = 0
    x, y = np.array([*hull[:beyond], (end, 0.0)]).T
    return PiecewiseCurve.from_points(x, np.minimum(y, 1 - x)).symmetrised()


def _lower_hull(x: Array, y: Array) -> list[tuple[float, float]]:
    hull: list[tuple[float, float]] = []
    for point in sorted(zip(x.tolist(), y.tolist(), strict=True)):
        if hull and point[0] == hull[-1][0]:
            continue
        while len(hull) > 1 and _turn(hull[-2], hull[-1], point) <= 0:
            hull.pop()
        hull.append(point)
    return hull


def _turn(a: tuple[float, float], b: tuple[float, float], c: tuple[float, float]) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def profile_curves(pairs: FinitePairs) -> list[Any]:
    """Of each pair a few (epsilon, delta) statements, its largest loss among them."""
    rng = np.random.default_rng(len(pairs))
    return [_profile_curve(pairs[row : row + 1], rng) for row in range(len(pairs))]


def _profile_curve(one: FinitePairs, rng: np.random.Generator) -> Any:
    largest = float(finite_loss(one)[0])
    epsilon = np.append(rng.uniform(0, largest, rng.integers(1, 4)), [0.0, largest])
    delta = np.minimum(oracle.hockey_stick(one, epsilon)[0] * (1 + 1e-14), 1.0)
    return tr.Profile(epsilon, np.where(delta < 1e-300, 0.0, delta)).piecewise()
