"""zCDP from Renyi divergences: the supremum of D_a/a over all orders, proved, not sampled.

A grid of orders gives a lower bound on the zCDP parameter and no promise: the supremum can sit
at order 1, at infinity or far off the grid. Here every interval of orders is bounded from above,
from three facts on D_a, the Renyi divergence of order a: it does not decrease, psi(a) = (a - 1) D_a
is convex (a logarithm of moments) with psi(1) = 0, and D_inf is finite.

Let F(a) = D_a/a = psi(a)/(a (a - 1)) and x = (1 - s) a + s b in an interval [a, b]. By convexity
psi(x) <= (1 - s) psi(a) + s psi(b) <= max(F(a), F(b)) ((1 - s) a (a - 1) + s b (b - 1)), and the
last factor is x (x - 1) + s (1 - s) (b - a)^2. With x >= a, and since s (1 - s)/((1 - s) A + s B)
is at most 1/(sqrt A + sqrt B)^2 for A = a - 1, B = b - 1,

    F(x) <= max(F(a), F(b)) (1 + (sqrt(b - 1) - sqrt(a - 1))^2 / a).

The factor tends to 1 quadratically in the length. Monotonicity gives F(x) <= D_b/a, the better
bound on long intervals, and F(x) <= D_inf/A for x >= A.
"""

import math
from collections.abc import Callable

import numpy as np

from tightrope.num.elementwise import FloatArray, ScalarOrArray, branches, elementwise
from tightrope.num.logspace import logsumexp, softplus
from tightrope.num.rounding import EPS, up
from tightrope.theorems.remainder import log_remainder

__all__ = ["renyi_finite", "renyi_of_losses", "sup_ratio"]


_TOLERANCE = 5e-13
_FIRST = 2.0**-42  # length of the first interval, [1, 1 + _FIRST]: its factor is within tolerance
_EVALUATIONS = 1 << 18
_BLOCK = 1 << 20


def sup_ratio(divergence: Callable[[FloatArray], FloatArray], at_infinity: float) -> float:
    """Return an upper bound on the supremum of D_a/a over the orders a >= 1.

    Args:
        divergence: D_a, or an upper bound on it, at an array of finite orders, of which order 1
            (Kullback-Leibler) is one.
        at_infinity: D_inf or an upper bound on it, finite.

    Returns:
        A bound within a relative 1e-12 of the supremum of the given values. If F is so flat that
        262,144 evaluations do not settle it (with log-ratios below about 1e-4), the bound reached
        by then, as valid and within about 1e-8.

    Raises:
        ValueError: `at_infinity` is not a finite number of at least 0.

    >>> p, q = np.log([0.7, 0.3]), np.log([0.3, 0.7])
    >>> f"{sup_ratio(lambda orders: renyi_finite(p, q, orders), np.log(7 / 3)):.9g}"
    '0.338919144'
    """
    if not 0 <= at_infinity < np.inf:
        raise ValueError(f"sup_ratio: D_inf must be finite and at least 0, got {at_infinity!r}")
    at_one = float(divergence(np.ones(1))[0])
    if not 0 < at_one < at_infinity:
        return at_infinity  # D_a is constant, or nothing is known at order 1
    last = at_infinity / at_one - 1  # from there on F is at most F(1)
    doublings = max(2, math.ceil(math.log2(last / _FIRST)))
    excess = np.concatenate([[0.0], np.geomspace(min(_FIRST, last / 2), last, doublings)])
    values = np.asarray(divergence(1 + excess), dtype=np.float64)
    points = np.stack([excess, values])
    best = float(np.max(values / (1 + excess)))
    return up(max(best, _refine(divergence, points[:, :-1], points[:, 1:], best)), 8)


def _refine(
    divergence: Callable[[FloatArray], FloatArray],
    left: FloatArray,
    right: FloatArray,
    best: float,
) -> float:
    """Split intervals, given by (a - 1, D_a) of their ends, until none can exceed the best much."""
    settled, spent = 0.0, 0
    while True:
        bounds = _upper(left, right)
        open_ = bounds > best * (1 + _TOLERANCE)
        settled = max(settled, float(np.max(bounds, where=~open_, initial=0.0)))
        spent += int(np.count_nonzero(open_))
        if not open_.any() or spent > _EVALUATIONS:
            return max(settled, float(np.max(bounds, where=open_, initial=0.0)))
        left, right = left[:, open_], right[:, open_]
        excess = np.where(left[0] > 0, np.sqrt(left[0] * right[0]), right[0] / 16)
        middle = np.stack([excess, divergence(1 + excess)])
        best = max(best, float(np.max(middle[1] / (1 + excess))))
        left, right = np.hstack([left, middle]), np.hstack([middle, right])


def _upper(left: FloatArray, right: FloatArray) -> FloatArray:
    """The bound of the module's docstring on each interval."""
    (near, at_near), (far, at_far) = left, right
    ends = np.maximum(at_near / (1 + near), at_far / (1 + far))
    convex = ends * (1 + np.square(np.sqrt(far) - np.sqrt(near)) / (1 + near) * (1 + 8 * EPS))
    return np.asarray(np.minimum(convex, at_far / (1 + near)))


def renyi_finite(log_p: FloatArray, log_q: FloatArray, orders: ScalarOrArray) -> ScalarOrArray:
    """Return D_a(P || Q) of two laws on finitely many outcomes, given by their log-masses.

    Args:
        log_p, log_q: logarithms of masses that sum to 1; -inf for an impossible outcome.
        orders: at least 1, infinity included.

    Returns:
        The divergence, rounded up as by `renyi_of_losses`, for exact log-ratios `log_p - log_q`: an
        error in these, which matters if they are tiny, is the caller's. It is infinite if P has an
        outcome that Q has not.

    Raises:
        ValueError: an order is below 1.

    >>> p, q = np.log([0.7, 0.3]), np.log([0.3, 0.7])
    >>> f"{renyi_finite(p, q, 1.0):.12g}, {renyi_finite(p, q, np.inf):.12g}"
    '0.338919144155, 0.847297860387'
    """
    log_p, log_q = np.asarray(log_p, dtype=np.float64), np.asarray(log_q, dtype=np.float64)
    seen = np.isfinite(log_p)
    if np.any(seen & np.isneginf(log_q)):
        return elementwise(lambda a: np.full(a.shape, np.inf))(orders)
    unseen = float(np.exp(log_q[~seen]).sum())
    return renyi_of_losses(log_p[seen], log_p[seen] - log_q[seen], orders, unseen)


def renyi_of_losses(
    log_p: FloatArray, losses: FloatArray, orders: ScalarOrArray, unseen: float = 0.0
) -> ScalarOrArray:
    """Return D_a(P || Q) from the masses of P and its log-ratios l = log(p/q), both finite.

    With b = a - 1 and e(x) = (exp(x) - 1 - x)/x^2, and since p and p exp(-l) have mass 1,

        (exp(psi(a)) - 1)/b = sum of p l^2 (b e(b l) + e(-l)),

    a sum of positive terms, down to b = 0, where it is the Kullback-Leibler divergence. Outcomes
    that only Q can have add their mass `unseen`.

    The result is rounded up, by at most 30 ulps times the largest `1 - log p`.

    Raises:
        ValueError: an order is below 1.
    """
    size = float(np.max(np.abs(losses), initial=0.0))

    def divergence(a: FloatArray) -> FloatArray:
        if not np.all(a >= 1):
            raise ValueError("Renyi divergence: orders must be at least 1")
        if size == 0:
            return np.zeros(a.shape)
        excess = np.where(np.isinf(a), 0.0, a - 1)
        log_sum = _log_sum(log_p, losses / size, size, excess.ravel()).reshape(a.shape)
        log_sum = np.logaddexp(log_sum, np.log(unseen) - 2 * math.log(size))
        value = up(_divergence(excess, log_sum, size), 15 * (1 - float(log_p.min())))
        return np.asarray(np.minimum(np.where(np.isinf(a), np.inf, value), losses.max()))

    return elementwise(divergence)(orders)


def _log_sum(log_p: FloatArray, shape: FloatArray, size: float, excess: FloatArray) -> FloatArray:
    """The logarithm of the sum over size^2, with losses `size * shape`, order by order."""
    weights = log_p + 2 * np.log(np.abs(shape))
    at_one = log_remainder(-size * shape)
    step = max(1, _BLOCK // shape.size)

    def rows(b: FloatArray) -> FloatArray:
        curved = np.logaddexp(np.log(b) + log_remainder(b * (size * shape)), at_one)
        return np.asarray(logsumexp(weights + curved, axis=1))

    starts = range(0, max(1, excess.size), step)
    return np.concatenate([rows(excess[i : i + step, np.newaxis]) for i in starts])


def _divergence(excess: FloatArray, log_sum: FloatArray, size: float) -> FloatArray:
    """log(1 + b X)/b, where X = size^2 exp(log_sum) is D_1 in the limit of b = 0."""
    x = size * size * np.exp(log_sum)
    product = excess * x
    log_product = np.log(excess) + 2 * math.log(size) + log_sum
    return branches(
        [excess, x, product, log_product],
        (product == 0, lambda _b, y, *_: y),
        (product < 1, lambda b, _y, z, _log: np.log1p(z) / b),
        (product >= 1, lambda b, _y, _z, log_z: np.asarray(softplus(log_z)) / b),
    )
