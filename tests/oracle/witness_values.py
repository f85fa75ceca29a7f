"""Exact privacy parameters of witness pairs, by mpmath and from the definitions.

Imports nothing of the library: a pair is anything with p and q (two coins by their log-odds),
delta and t (coins that reveal everything with probability delta), mu (N(0, 1) and N(mu, 1)) or
shift (two logistic laws). Every parameter is that of both orders of the two laws.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import mpmath as mp

mp.mp.dps = 40

Masses = list[tuple[Any, Any]]
GOLDEN_RATIO = (mp.sqrt(5) - 1) / 2


def is_finite(pair: Any) -> bool:
    return not (hasattr(pair, "mu") or hasattr(pair, "shift"))


def coin(log_odds: Any) -> tuple[Any, Any]:
    """The probabilities of heads and tails."""
    odds = mp.exp(mp.mpf(log_odds))
    return odds / (1 + odds), 1 / (1 + odds)


def masses(pair: Any) -> Masses:
    """The outcomes with their masses under both laws, by falling likelihood ratio q/p."""
    if hasattr(pair, "t"):
        told, (truth, lie) = mp.mpf(pair.delta), coin(pair.t)
        rest = 1 - told
        outcomes = [(told, 0), (0, told), (rest * truth, rest * lie), (rest * lie, rest * truth)]
    else:
        outcomes = list(zip(coin(pair.p), coin(pair.q), strict=True))
    held = [pq for pq in outcomes if sum(pq) > 0]
    return sorted(held, key=lambda pq: mp.inf if pq[0] == 0 else pq[1] / pq[0], reverse=True)


def mirrored(outcomes: Masses) -> Masses:
    return [(q, p) for p, q in reversed(outcomes)]


def log_ratios(pair: Any) -> list[Any]:
    """log q/p of every outcome."""
    return [
        mp.inf if p == 0 else -mp.inf if q == 0 else mp.log(q) - mp.log(p) for p, q in masses(pair)
    ]


def logit(x: Any, complement: Any) -> Any:
    return mp.log(x) - mp.log(complement)


def normal_score(x: Any, complement: Any) -> Any:
    """The normal quantile of x, from the smaller of x and its complement."""
    if x <= complement:
        return -mp.sqrt(2) * mp.erfinv(1 - 2 * x) if x > 1e-30 else -far_quantile(x)
    return -normal_score(complement, x)


def far_quantile(tail: Any) -> Any:
    """z with P(N > z) = tail, by Newton's method on the logarithm."""
    z = mp.sqrt(-2 * mp.log(tail))
    for _ in range(60):
        value = mp.erfc(z / mp.sqrt(2)) / 2
        hazard = mp.npdf(z) / value
        step = (mp.log(value) - mp.log(tail)) / hazard
        z += step
        if abs(step) < mp.mpf(10) ** -35:
            break
    return z


def largest_gap(pair: Any, score: Callable[[Any, Any], Any]) -> Any:
    """sup over tests of score(power) - score(type I error), at the corners of the curve."""
    outcomes = masses(pair)
    best = mp.mpf(0)
    for k in range(1, len(outcomes)):
        p, q = (mp.fsum(o[i] for o in outcomes[:k]) for i in (0, 1))
        rest_p, rest_q = (mp.fsum(o[i] for o in outcomes[k:]) for i in (0, 1))
        if p == 0 or rest_q == 0:
            return mp.inf
        best = max(best, score(q, rest_q) - score(p, rest_p))
    return best


# --- the parameters --------------------------------------------------------------------------


def pure(pair: Any) -> Any:
    """The largest absolute log-ratio."""
    if is_finite(pair):
        return max(abs(ratio) for ratio in log_ratios(pair))
    return mp.mpf(pair.shift) if hasattr(pair, "shift") else mp.inf  # limits in the tails


def bounded_range(pair: Any) -> Any:
    """The length of the interval of log-ratios."""
    if is_finite(pair):
        ratios = log_ratios(pair)
        return max(ratios) - min(ratios)
    return 2 * mp.mpf(pair.shift) if hasattr(pair, "shift") else mp.inf


def logistic(pair: Any) -> Any:
    """sup over tests of logit(power) - logit(type I error)."""
    if is_finite(pair):
        return largest_gap(pair, logit)
    shift = mp.mpf(pair.shift)
    gaps = []
    for threshold in (-3, 0, shift / 2, 2, 10):
        tails = [1 / (1 + mp.exp(threshold - x)) for x in (mp.mpf(0), shift)]
        gaps.append(logit(tails[1], 1 - tails[1]) - logit(tails[0], 1 - tails[0]))
    return max(gaps)


def gaussian_mu(pair: Any) -> Any:
    """The least mu with type II error >= G_mu everywhere."""
    return mp.mpf(pair.mu) if hasattr(pair, "mu") else largest_gap(pair, normal_score)


def renyi(pair: Any, order: float) -> Any:
    """The larger of the two Renyi divergences; order 1 is Kullback-Leibler."""
    if is_finite(pair):
        outcomes = masses(pair)
        return max(_renyi(outcomes, order), _renyi(mirrored(outcomes), order))
    if hasattr(pair, "mu"):
        return mp.mpf(pair.mu) ** 2 / 2 * mp.mpf(order)
    return _renyi_logistic(mp.mpf(pair.shift), mp.mpf(order))


def _renyi(outcomes: Masses, order: float) -> Any:
    if any(p > 0 and q == 0 for p, q in outcomes):
        return mp.inf
    held = [(p, mp.log(p) - mp.log(q)) for p, q in outcomes if p > 0]
    if order == 1:
        return mp.fsum(p * ratio for p, ratio in held)
    if mp.isinf(order):
        return max(ratio for _, ratio in held)
    k = mp.mpf(order) - 1
    return mp.log(mp.fsum(p * mp.exp(k * ratio) for p, ratio in held)) / k


def _log_density(x: Any) -> Any:
    return -x - 2 * mp.log1p(mp.exp(-x)) if x > 0 else x - 2 * mp.log1p(mp.exp(x))


def _renyi_logistic(shift: Any, order: Any) -> Any:
    """By quadrature; the laws are mirror images, so both orders of them agree."""
    cuts = [-80, -10, 0, shift / 2, shift, shift + 10, shift + 80]  # the rest is below e^-80

    def loss(x: Any) -> Any:
        return _log_density(x) - _log_density(x - shift)

    def moment(x: Any) -> Any:
        if order == 1:
            return mp.exp(_log_density(x)) * loss(x)
        return mp.exp(_log_density(x) + (order - 1) * loss(x))

    with mp.workdps(20):
        value = mp.quad(moment, cuts)
    return value if order == 1 else mp.log(value) / (order - 1)


def zcdp(pair: Any) -> Any:
    """sup over orders from 1 of D(order)/order: a scan in log(order - 1), then golden sections."""
    if hasattr(pair, "mu"):
        return mp.mpf(pair.mu) ** 2 / 2

    def ratio(log_k: Any) -> Any:
        order = 1 + mp.exp(log_k)
        return renyi(pair, order) / order

    grid = [mp.mpf(x) / 2 for x in range(-24, 30)] if is_finite(pair) else [0]
    values = [ratio(x) for x in grid]
    peak = values.index(max(values))
    best = max(renyi(pair, 1), values[peak])
    if is_finite(pair) and 0 < peak < len(grid) - 1:
        best = max(best, _golden(ratio, grid[peak - 1], grid[peak + 1]))
    return best


def _golden(f: Callable[[Any], Any], low: Any, high: Any) -> Any:
    for _ in range(40):
        left, right = high - GOLDEN_RATIO * (high - low), low + GOLDEN_RATIO * (high - low)
        low, high = (left, high) if f(left) < f(right) else (low, right)
    return f((low + high) / 2)


def delta(pair: Any, epsilon: float) -> Any:
    """The larger of the two hockey-stick divergences at epsilon."""
    if is_finite(pair):
        outcomes = masses(pair)
        return max(_hockey_stick(o, epsilon) for o in (outcomes, mirrored(outcomes)))
    e = mp.mpf(epsilon)
    if hasattr(pair, "mu"):
        mu = mp.mpf(pair.mu)
        return mp.ncdf(mu / 2 - e / mu) - mp.exp(e) * mp.ncdf(-mu / 2 - e / mu)
    return _hockey_stick_logistic(mp.mpf(pair.shift), e)


def _hockey_stick(outcomes: Masses, epsilon: float) -> Any:
    factor = mp.exp(mp.mpf(epsilon))
    return mp.fsum(max(q - factor * p, 0) for p, q in outcomes)


def _hockey_stick_logistic(shift: Any, epsilon: Any) -> Any:
    """The test beyond the point where the log-ratio, which increases, reaches epsilon."""
    low, high = -mp.mpf(400), mp.mpf(400) + shift
    for _ in range(160):
        middle = (low + high) / 2
        ratio = _log_density(middle - shift) - _log_density(middle)
        low, high = (middle, high) if ratio < epsilon else (low, middle)
    return 1 / (1 + mp.exp(low - shift)) - mp.exp(epsilon) / (1 + mp.exp(low))


def beta(pair: Any, alpha: float) -> Any:
    """The least type II error at type I error alpha, for either law as the null."""
    if is_finite(pair):
        outcomes = masses(pair)
        return min(_type_two(o, mp.mpf(alpha)) for o in (outcomes, mirrored(outcomes)))
    a = mp.mpf(alpha)
    if hasattr(pair, "mu"):
        return mp.ncdf(normal_score(1 - a, a) - pair.mu)
    return 1 / (1 + mp.exp(mp.mpf(pair.shift) - logit(1 - a, a)))


def _type_two(outcomes: Masses, alpha: Any) -> Any:
    """Fill up alpha with outcomes by falling likelihood ratio; what is left is the error."""
    missed = mp.mpf(0)
    for p, q in outcomes:
        used = min(p, alpha)
        alpha -= used
        missed += q * (1 - used / p) if p > 0 else 0
    return missed
