"""M of a sampled Gaussian at whole numbers, where it is a finite sum.

With P = (1 - q) N(0, 1) + q N(mu, 1) against Q = N(0, 1) and a whole number a = s + 1,

    M(s) = E_Q[(dP/dQ)^a] = sum over k of C(a, k) (1 - q)^(a - k) q^k exp(mu^2 k (k - 1)/2).

Source: Mironov, Talwar and Zhang (2019), "Renyi differential privacy of the sampled Gaussian
mechanism", Section 3.3.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import lru_cache, reduce

import numpy as np

from tightrope.loss.mixture.pair import MixturePair
from tightrope.num.arrays import Floats
from tightrope.num.logspace import logsumexp

LARGEST = 64
"""The largest s that is summed up."""

ERROR = 1e-13
"""Of the logarithm of a term, relative to one more than its largest part."""


def log_most(pair: MixturePair, s: float) -> float | None:
    """log M(s), rounded up, if the pair is such a one and s a whole number, not too large."""
    if not _known(pair, s):
        return None
    (rate,), (mu,), log_still = pair.right.weights, pair.right.offsets, pair.right.log_still
    return float(_log_sum(math.log(rate), mu, log_still, s))


def log_most_of(pairs: Sequence[MixturePair], s: float) -> Floats | None:
    """The same of many pairs, if it is known of every one."""
    if not all(_known(pair, s) for pair in pairs):
        return None
    numbers = [(p.right.weights[0], p.right.offsets[0], p.right.log_still) for p in pairs]
    rate, mu, log_still = np.array(numbers).T[..., None]
    return _log_sum(np.log(rate), mu, log_still, s)


def _known(pair: MixturePair, s: float) -> bool:
    plain = not (pair.gap or pair.left.width or math.isfinite(pair.furthest))
    if not plain or len(pair.right.weights) != 1:
        return False
    return 1 <= s <= LARGEST and s == math.floor(s)


def _log_sum(
    log_rate: float | Floats, mu: float | Floats, log_still: float | Floats, s: float
) -> Floats:
    k, log_ways = _ways(int(s) + 1)
    parts = (log_ways, (s + 1 - k) * log_still, k * log_rate, mu * mu * k * (k - 1) / 2)
    size = 1 + reduce(np.maximum, (np.abs(part).max(axis=-1) for part in parts))
    return np.asarray(logsumexp(sum(parts, np.zeros(len(k))), -1) + ERROR * size)


@lru_cache(maxsize=LARGEST)
def _ways(order: int) -> tuple[Floats, Floats]:
    """k, and the logarithms of the binomial coefficients."""
    numbers = range(order + 1)
    return np.array(numbers, dtype=float), np.log([math.comb(order, k) for k in numbers])
