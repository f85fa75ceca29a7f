"""Conversions as claims about concrete pairs of laws.

A pair satisfies a statement of the source notion exactly (its own parameters, from the oracle);
the theorem claims something about the target; the oracle says what is true of the pair. A trial
holds both, and a distortion makes the claim wrong on purpose.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray
from oracle import divergences as oracle
from oracle.finite_pairs import FinitePairs
from oracle.orders import kullback_leibler, log_moment
from truncated import stated_rho

import tightrope as tr
from tightrope.notions.piecewise import PiecewiseCurve
from tightrope.theorems.registry import Theorem

Array = NDArray[np.float64]

RELATIVE = 1e-8
"""Twice the accuracy of the oracle's suprema over orders."""

ABSOLUTE = 1e-13
"""Of probabilities, whose corners are sums of rounded masses."""

ORDERS = np.array([1.0, 1.2, 2.0, 5.0, 30.0])
OFFSET = {"zcdp_to_gdp", "zcdp_to_rdp", "zcdp_to_tcdp", "zcdp_tradeoff"}
"""Conversions from zCDP, beside the profiles, that take an offset xi."""


@dataclass(frozen=True)
class Trial:
    """A claim and the truth for many pairs."""

    pairs: FinitePairs
    claim: Array
    truth: Array
    target: type
    stated: Any = field(repr=False, default=None)

    def refuted(self, distortion: float = 0.0) -> NDArray[np.bool_]:
        """Which pairs break the claim if it is made stronger by this share.

        The share is one of the parameter, of log delta (which is negative), or of beta.
        """
        if self.target is tr.TradeOff:
            claim = self.claim * (1 + distortion)
            return self.truth < claim * (1 - RELATIVE) - ABSOLUTE
        if self.target is tr.Profile:
            claim = np.where(np.isneginf(self.claim), -np.inf, self.claim * (1 + distortion))
            return self.truth * (1 - RELATIVE) > np.exp(claim) + ABSOLUTE * 1e-3
        return self.truth * (1 - RELATIVE) > self.claim * (1 - distortion) + 1e-15


# --- per-pair truths ---------------------------------------------------------------------------


def renyi_at(pairs: FinitePairs, orders: Array) -> Array:
    """The larger divergence of each pair at an order of its own."""
    return np.maximum(*(_renyi_at(x, orders) for x in (pairs, pairs.swapped())))


def _renyi_at(pairs: FinitePairs, orders: Array) -> Array:
    k = orders - 1
    safe = np.where(k > 0, k, 1.0)
    return np.where(k > 0, log_moment(pairs, safe) / safe, kullback_leibler(pairs))


def delta_at(pairs: FinitePairs, epsilon: Array) -> Array:
    """The larger hockey-stick divergence of each pair at an epsilon of its own."""
    return np.maximum(*(_delta_at(x, epsilon) for x in (pairs, pairs.swapped())))


def _delta_at(pairs: FinitePairs, epsilon: Array) -> Array:
    gap = np.maximum(pairs.loss - epsilon[:, None], 0.0)
    return np.sum(np.exp(pairs.log_q) * -np.expm1(-gap), axis=1)


def finite_loss(pairs: FinitePairs) -> Array:
    """The largest log-ratio apart from outcomes that one law rules out."""
    return np.max(np.where(np.isfinite(pairs.loss), np.abs(pairs.loss), 0.0), axis=1)


# --- statements of the source notion -----------------------------------------------------------


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
            return self._at(float(orders))
        asked = np.asarray(orders, dtype=float)
        k = asked.reshape(-1, 1) - 1
        with np.errstate(all="ignore"):
            both = np.max([self._side(k, *side) for side in self.sides], axis=0)
        both = np.where(k[:, 0] == 0, self.kl, np.where(np.isinf(k[:, 0]), self.largest, both))
        return both.reshape(asked.shape)

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


def renyi_curves(pairs: FinitePairs, rng: np.random.Generator) -> list[Any]:
    """The whole curve of every second pair, a few of its orders for the others."""
    curves: list[Any] = []
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


_curves: dict[int, list[Any]] = {}


def exact_curves(pairs: FinitePairs) -> list[Any]:
    """The curves of a pool; they are the same for every theorem that takes one."""
    if id(pairs) not in _curves:
        _curves[id(pairs)] = [exact_curve(pairs[row : row + 1]) for row in range(len(pairs))]
    return _curves[id(pairs)]


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


def profile_curve(pairs: FinitePairs, row: int, rng: np.random.Generator) -> Any:
    """A few (epsilon, delta) statements that hold for one pair, its largest loss among them."""
    one = pairs[row : row + 1]
    largest = float(finite_loss(one)[0])
    epsilon = np.append(rng.uniform(0, largest, rng.integers(1, 4)), [0.0, largest])
    delta = np.minimum(oracle.hockey_stick(one, epsilon)[0] * (1 + 1e-14), 1.0)
    return tr.Profile(epsilon, np.where(delta < 1e-300, 0.0, delta)).piecewise()


def stated(theorem: Theorem, pairs: FinitePairs, rng: np.random.Generator) -> tuple[Any, ...]:
    """Parameters of the source notion, for each pair the smallest that hold."""
    source = theorem.source
    plain: dict[type, Callable[[FinitePairs], Array]] = {
        tr.PureDP: oracle.pure_epsilon,
        tr.BoundedRange: oracle.bounded_range,
        tr.LogisticDP: oracle.logistic_epsilon,
        tr.GDP: oracle.tight_mu,
    }
    if source in plain:
        return (plain[source](pairs),)
    if source is tr.ZCDP:
        return _stated_zcdp(theorem, pairs, rng)
    if source is tr.TCDP:
        omega = 1 + 10 ** rng.uniform(-1.5, 1.8, len(pairs))
        return stated_rho(pairs, omega), omega
    if source is tr.ApproxDP:
        epsilon = rng.uniform(0, 1, len(pairs)) * finite_loss(pairs)
        epsilon = np.where(rng.random(len(pairs)) < 0.5, finite_loss(pairs), epsilon)
        return epsilon, np.minimum(delta_at(pairs, epsilon), 1 - 1e-15)
    rows = range(len(pairs))
    if source is tr.RDP:
        return (renyi_curves(pairs, rng),)
    if source is tr.TradeOff:
        return (exact_curves(pairs),)
    return ([profile_curve(pairs, row, rng) for row in rows],)


def _stated_zcdp(
    theorem: Theorem, pairs: FinitePairs, rng: np.random.Generator
) -> tuple[Array, Array]:
    rho = oracle.rho_star(pairs)
    if theorem.name == "offset_zcdp_to_pure":
        return np.zeros(len(pairs)), oracle.pure_epsilon(pairs)
    if theorem.name not in OFFSET and theorem.target is not tr.Profile:
        return rho, np.zeros(len(pairs))
    share = np.where(rng.random(len(pairs)) < 0.5, 1.0, rng.random(len(pairs)))
    xi = np.where(share < 1, np.maximum(oracle.xi_star(pairs, share * rho), 0.0), 0.0)
    return share * rho, xi


# --- trials ------------------------------------------------------------------------------------

SEARCHED = {tr.ZCDP, tr.TCDP, tr.RDP, tr.TradeOff, tr.Profile}
"""Sources whose curves are found by a search, one number at a time."""


def trial(theorem: Theorem, pairs: FinitePairs, seed: int) -> Trial:
    """What the theorem claims of each pair, and what is true."""
    rng = np.random.default_rng(seed)
    parameters = stated(theorem, pairs, rng)
    point, truth = _truth(theorem, pairs, parameters, rng)
    claim = _claims(theorem, point, parameters)
    return Trial(pairs, claim, truth, theorem.target, parameters)


def _truth(
    theorem: Theorem, pairs: FinitePairs, parameters: tuple[Any, ...], rng: np.random.Generator
) -> tuple[tuple[Array, ...], Array]:
    """The point of a curve that is looked at, if any, and the true value there."""
    target = theorem.target
    if target is tr.RDP:
        orders = rng.choice(ORDERS, len(pairs))
        return (orders,), renyi_at(pairs, orders)
    if target is tr.Profile:
        epsilon = rng.uniform(0, 1, len(pairs)) * (rng.random(len(pairs)) > 0.1)
        epsilon = epsilon * finite_loss(pairs)
        return (epsilon,), delta_at(pairs, epsilon)
    if target is tr.TradeOff:
        alpha, beta = corner(pairs, rng)
        return (alpha,), beta
    if target is tr.ZCDP and theorem.name == "pure_to_offset_zcdp":
        return (), oracle.renyi_both(pairs, np.inf)
    truths: dict[type, Callable[[FinitePairs], Array]] = {
        tr.PureDP: oracle.pure_epsilon,
        tr.BoundedRange: oracle.bounded_range,
        tr.LogisticDP: oracle.logistic_epsilon,
        tr.GDP: oracle.tight_mu,
        tr.ZCDP: oracle.rho_star,
        tr.TCDP: oracle.rho_star,
    }
    return (), truths[target](pairs)


def corner(pairs: FinitePairs, rng: np.random.Generator) -> tuple[Array, Array]:
    """A corner of the trade-off curve of each pair, in one of its two orders."""
    swap = rng.random((len(pairs), 1)) < 0.5
    p, q = pairs.log_p, pairs.log_q
    corners = oracle.corners(FinitePairs(np.where(swap, q, p), np.where(swap, p, q)))
    there = (corners.alpha > 0) & (corners.specificity > 0)
    column = np.argmax(np.where(there, rng.random(there.shape), -1.0), axis=1)[:, None]
    alpha, beta = (np.take_along_axis(x, column, 1)[:, 0] for x in (corners.alpha, corners.beta))
    return np.minimum(alpha, 1.0), beta


def _claims(theorem: Theorem, point: tuple[Array, ...], parameters: tuple[Any, ...]) -> Array:
    one_by_one = theorem.source in SEARCHED and (point or theorem.source not in (tr.ZCDP, tr.TCDP))
    with np.errstate(all="ignore"):
        if not one_by_one or theorem.target is tr.RDP:
            return _number(theorem, theorem(*point, *parameters))
        arguments = zip(*(_as_list(column) for column in (*point, *parameters)), strict=True)
        return np.array([float(_number(theorem, theorem(*row))) for row in arguments])


def _as_list(column: Any) -> list[Any]:
    return column.tolist() if isinstance(column, np.ndarray) else list(column)


def _number(theorem: Theorem, result: Any) -> Any:
    """The number that a distortion makes smaller: xi where rho is 0, else the first one."""
    if not isinstance(result, tuple):
        return np.asarray(result, dtype=float)
    return np.asarray(result[theorem.name == "pure_to_offset_zcdp"], dtype=float)
