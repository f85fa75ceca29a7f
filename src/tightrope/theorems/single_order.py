"""What one Renyi divergence says about (epsilon, delta), by convex duality.

Let `D_n(Q||P) <= r`, with `n = k + 1`. A test turns the two laws into coins with probabilities p
and q, and data processing leaves `F(p, q) = p (q/p)^n + (1-p) ((1-q)/(1-p))^n <= e^(k r)`. Since
`t^n` lies above its tangents, `t^n >= n c^(n-1) t - (n-1) c^n`; taking the tangent at `c = e^x`
in the first term of F and at `c = e^-y` in the second gives, for all real x, y with
`w = x + y > 0` and *every* feasible p, q,

    q - e^s p <= [e^(k(r+y)) - n + k e^-y] / (n (e^(k w) - 1)),
    e^s = (k/n) (e^(n x) - e^(-n y)) / (e^(k x) - e^(-k y)).

So any (x, y) with `s <= epsilon` proves a bound on delta, since p >= 0; the least of them is the
sharp value (S. Asoodeh et al., "Three variants of differential privacy: lossless conversion and
applications", 2021), attained where x, y are the log-likelihood ratios of the worst coins. An
inexact search loses tightness and nothing else. (At `y = inf` the bound is that of C. Canonne,
G. Kamath and T. Steinke, "The discrete Gaussian for differential privacy", 2020.)

If `e^r >= e^epsilon n/k`, the worst coins are `q = 1, p = e^-r`: the tangents at `c = e^r` and
`c = 0` give `p >= e^-r (n q - 1)/k`, so that `q - e^epsilon p` is at most a function that
increases in q up to `1 - e^(epsilon - r)` at q = 1.

With psi, chi and m of `remainder`, and `tilt(w) = log m_k(w) - log m_n(w)`, the line `s = epsilon`
is `x = epsilon + tilt(w)`, and the logarithm of the bound is a sum without cancellation:

    k (r - x) + log[m_k(r) + e^(-k r) (psi(-y) e^(-k y) + chi(k y)/k)] - log[n m_k(w)].

At n = 1 (k = 0) all this is the Kullback-Leibler case.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from tightrope.theorems.remainder import chi, m, psi

__all__ = ["Tangent", "best_tangent", "certified_log_delta", "pole", "tilt"]

_U = 2.0**-53
_FLAT = 45.0
_DECREMENT = 1e-10
_MOST_STEPS = 60


class Tangent(NamedTuple):
    """A choice of tangents for one order: what proves the bound on delta.

    `gap` is w, the difference of the log-odds of the worst coins; nan stands for q = 1.
    """

    log_delta: float
    slope: float
    """Derivative of `log_delta` by epsilon, for the same tangents."""
    k: float
    bound: float
    gap: float
    y: float


def best_tangent(k: float, bound: float, epsilon: float, y: float | None = None) -> Tangent:
    """Search the tangents that give the least delta at order 1 + k.

    Args:
        k: the order less 1, at least 0.
        bound: what the divergence is at most, in [0, inf].
        epsilon: at least 0.
        y: where the search for y begins, if a good guess is known.
    """
    if bound == 0:
        return Tangent(-math.inf, -math.inf, k, bound, math.inf, 0.0)
    if math.isinf(bound):
        return Tangent(0.0, 0.0, k, bound, math.nan, math.nan)
    wide = math.log1p(1 / k) if k else math.inf
    if bound >= epsilon + wide and bound == epsilon:  # too large to tell apart: nothing is known
        return Tangent(0.0, 0.0, k, math.inf, math.nan, math.nan)
    if bound >= epsilon + wide:
        log_delta = math.log(-math.expm1(epsilon - bound))
        return Tangent(
            log_delta,
            -math.exp(epsilon - bound) / -math.expm1(epsilon - bound),
            k,
            bound,
            math.nan,
            math.nan,
        )
    if y is None:
        y = _guess(k, bound, epsilon, wide)
    if k * (epsilon + wide) > _FLAT + 2 * math.log1p(k):  # y hardly matters, if it is small
        tiny = _tail(k, bound, epsilon, wide)
        return _tangent(k, bound, epsilon, tiny, _gap(k, epsilon + tiny, 2 * epsilon))
    return _newton(k, bound, epsilon, y)


def certified_log_delta(tangent: Tangent, epsilon: float) -> float:
    """Evaluate a tangent's bound, with every rounding error on the outer side.

    The error analysis counts units of 2**-53: x enters with weight k and is lowered by its
    error, which keeps `s <= epsilon` (`tilt` is off by at most 8 units); y = w - x then is exact
    up to one rounding; the argument of the logarithm is off by at most 7 units (both measured,
    for k up to 1e5 and all other arguments from 1e-8 to 1e3). A bound that is one ulp too low
    is covered.
    """
    _, _, k, bound, gap, _ = tangent
    if tangent.log_delta == -math.inf or math.isinf(bound):
        return tangent.log_delta
    if math.isnan(gap):
        value = tangent.log_delta
        return min(0.0, value + 8 * _U * (1 + abs(value) + bound * pole(1.0, bound - epsilon)))
    lift = tilt(k, gap)
    x = epsilon + lift
    x -= _U * (2 * x + 16 * lift)
    ratio = _ratio(k, bound, gap, gap - x)
    value = k * (bound - x) + math.log(ratio)
    error = 2 * _U * (8 + abs(value) + abs(math.log(ratio)) + k * (bound + abs(bound - x)))
    return min(0.0, value + error)


def _ratio(k: float, bound: float, gap: float, y: float) -> float:
    return _numerator(k, bound, y) / ((1 + k) * m(k, gap))


def _numerator(k: float, bound: float, y: float) -> float:
    mass = psi(-y) * math.exp(-k * y) + (chi(k * y) / k if k else 0.0)
    return m(k, bound) + math.exp(-k * bound) * mass


def tilt(k: float, gap: float) -> float:
    """x - s as a function of the gap; at most half of it, and at most log(1 + 1/k)."""
    if gap > 1 and k < 1:
        return math.log(m(k, gap) / m(1 + k, gap))
    if gap > 1:
        far = math.log1p(-math.exp(-k * gap)) - math.log1p(-math.exp(-(1 + k) * gap))
        return math.log1p(1 / k) + far
    mass = psi(-gap) * math.exp(-k * gap) + (chi(k * gap) / k if k else 0.0)
    return -math.log1p(-mass / ((1 + k) * m(k, gap)))


def _tail(k: float, bound: float, epsilon: float, wide: float) -> float:
    """The best y where it is small: about q, by the bound of Canonne, Kamath and Steinke."""
    return max(math.exp(k * (bound - epsilon - wide)) * -math.expm1(-k * bound), 1e-300)


def _guess(k: float, bound: float, epsilon: float, wide: float) -> float:
    """A starting value for y: from the quadratic case, the far tail, or q near 1."""
    quadratic = 2 * bound / (1 + k)
    y = quadratic / (math.sqrt(epsilon * epsilon + quadratic) + epsilon)
    if k and bound < epsilon + wide:
        y = min(y, math.exp(k * (bound - epsilon - wide)))
    if k * bound < 1 and bound > epsilon + 2:
        y = max(y, min(math.exp(min(bound - epsilon, 500.0)), 1 / k if k else math.inf))
    return max(y, 1e-300)


def _newton(k: float, bound: float, epsilon: float, y: float) -> Tangent:
    """Minimise over y; the bound is convex in a monotone function of y."""
    low, high, gap = 0.0, math.inf, 2 * (epsilon + y)
    for _ in range(_MOST_STEPS):
        gap = _gap(k, epsilon + y, gap)
        first, second = _derivatives(k, bound, gap, y)
        if abs(y * first) <= 4 * _U * (1 + k * gap):
            break
        low, high = (y, high) if first < 0 else (low, y)
        ahead = _ahead(y, first, second)
        if second > 0 and first * first < _DECREMENT * second:
            y, gap = ahead, _gap(k, epsilon + ahead, gap + (ahead - y))
            break
        if not low < ahead < high:
            ahead = 8 * y if high == math.inf else math.sqrt(low * high) if low else y / 8
        y, gap = ahead, gap + (ahead - y)
    return _tangent(k, bound, epsilon, y, gap)


def _tangent(k: float, bound: float, epsilon: float, y: float, gap: float) -> Tangent:
    log_ratio = math.log(_ratio(k, bound, gap, y))
    slope = math.expm1(-k * bound - (1 + k) * y) / _numerator(k, bound, y)
    log_delta = k * (bound - epsilon - tilt(k, gap)) + log_ratio
    return Tangent(log_delta, slope, k, bound, gap, y)


def _ahead(y: float, first: float, second: float) -> float:
    """A Newton step: in y if it stays within a factor of 8, else in log y."""
    plain = y - first / second if second > 0 else math.nan
    if 0 < plain < 8 * y:
        return plain
    curvature = y * first + y * y * second
    step = -y * first / curvature if curvature > 0 else math.copysign(math.inf, -first)
    return y * math.exp(min(max(step, -5.0), 5.0))


def _gap(k: float, sum_: float, gap: float) -> float:
    """Solve `gap - tilt(gap) = epsilon + y`; the left side has slope between 1/2 and 1."""
    most = min(2 * sum_, sum_ + (math.log1p(1 / k) if k else math.inf))
    gap = min(max(gap, sum_), most)
    for _ in range(20):
        step = (gap - tilt(k, gap) - sum_) / _gap_slope(k, gap)
        gap -= step
        if abs(step) <= 1e-9 * gap:
            break
    return gap


def _gap_slope(k: float, gap: float) -> float:
    """Derivative of gap - tilt(gap), which lies between 1/2 and 1."""
    if gap > 1e-4:
        return 1 + pole(1 + k, gap) - pole(k, gap)
    z = (k + 0.5) * gap  # the difference of two poles 1 apart, by the derivative between them
    return 1 - (psi(-z) / (2 * math.sinh(z / 2)) ** 2 if z < 700 else 0.0)


def pole(c: float, gap: float) -> float:
    """c/(e^(c gap) - 1), and its limit at c = 0."""
    return (c / math.expm1(c * gap) if c * gap < 700 else 0.0) if c else 1 / gap


def _pole_slope(c: float, gap: float) -> float:
    """Minus the derivative of `pole` by gap."""
    value = pole(c, gap)
    return value * (value + c)


def _derivatives(k: float, bound: float, gap: float, y: float) -> tuple[float, float]:
    """First and second derivative by y of the logarithm of the bound, along s = epsilon."""
    numerator, cost = _numerator(k, bound, y), 1 / m(k, gap)
    decay = math.exp(-k * bound - (1 + k) * y)
    growth = -math.expm1(-k * bound - (1 + k) * y) / numerator
    slope = _gap_slope(k, gap)
    bend = _pole_slope(k, gap) - _pole_slope(1 + k, gap)
    change = -math.exp(-k * gap) * cost * cost
    first = growth - cost / slope
    second = (k + decay) / numerator - growth**2 - (change - cost * bend / slope) / slope**2
    return first, second
