"""High-precision references for pairs of coins; imports nothing of ours.

Everything is mpmath, from the definitions: a divergence, the largest q that a bound on it leaves,
and the profile and testing region that a pair of finite laws really has.
"""

import json
import math
from pathlib import Path

import mpmath as mp
import numpy as np

mp.mp.dps = 60
GOLDEN = Path(__file__).parents[2] / "golden" / "golden.json"


def golden(name: str) -> list[tuple[list[float], mp.mpf]]:
    rows = json.loads(GOLDEN.read_text())[name]["values"]
    return [([float(x) for x in row[:-1]], mp.mpf(row[-1])) for row in rows]


def renyi(p, q, order, not_p=None, not_q=None) -> mp.mpf:
    """D_order(Bern(p) || Bern(q)); give 1-p and 1-q where they would cancel."""
    p, q, n = mp.mpf(p), mp.mpf(q), mp.mpf(order)
    with mp.workdps(mp.mp.dps + int(abs(mp.log10(min(p, q))))):
        not_p = 1 - p if not_p is None else not_p
        not_q = 1 - q if not_q is None else not_q
        if n == 1:
            return p * mp.log(p / q) + not_p * mp.log(not_p / not_q)
        heads = mp.exp(n * mp.log(p) + (1 - n) * mp.log(q))
        tails = mp.exp(n * mp.log(not_p) + (1 - n) * mp.log(not_q))
        return mp.log(heads + tails) / (n - 1)


def least_beta(p: float, order: float, bound: float, *, of_q: bool) -> mp.mpf:
    """1 - q for the largest q at which the divergence, of q from p or of p from q, is in bounds."""
    p = mp.mpf(p)
    if of_q and -mp.log(p) <= bound:
        return mp.mpf(0)

    def excess(y):
        not_q = (1 - p) * mp.exp(-y)
        q = p - (1 - p) * mp.expm1(-y)
        if of_q:
            return renyi(q, p, order, not_q, 1 - p) - bound
        return renyi(p, q, order, 1 - p, not_q) - bound

    low, high = mp.mpf(10) ** -40, mp.mpf(800)
    for _ in range(90):
        middle = mp.sqrt(low * high)
        low, high = (middle, high) if excess(middle) < 0 else (low, middle)
    return (1 - p) * mp.exp(-low)


class FinitePair:
    """Two laws on finitely many outcomes, in doubles whose sums are 1 to within rounding."""

    def __init__(self, p: np.ndarray, q: np.ndarray):
        self.p, self.q = p, q
        close = np.abs(p - q) < q / 2
        self.loss = np.where(close, np.log1p((p - q) / q), np.log(p / q))

    @classmethod
    def random(cls, rng: np.random.Generator, size: int) -> "FinitePair":
        p = rng.dirichlet(np.full(size, rng.choice([0.5, 1.0, 5.0])))
        q = p * np.exp(rng.normal(0, rng.choice([0.3, 1.0, 3.0]), size))
        return cls(p, q / q.sum())

    def curve(self, order: float) -> float:
        """The larger of the two divergences, and 1e-13 more than its rounding error."""
        k = order - 1
        sides = ((self.p, self.q, self.loss), (self.q, self.p, -self.loss))
        return max(self._divergence(k, *side) for side in sides) * (1 + 1e-13)

    @staticmethod
    def _divergence(k: float, p: np.ndarray, q: np.ndarray, loss: np.ndarray) -> float:
        mean = math.fsum(q - p + p * loss)
        if k * loss.max() > 500:
            return float(np.logaddexp.reduce(np.log(p) + k * loss)) / k
        excess = k * mean + math.fsum(p * (np.expm1(k * loss) - k * loss))
        return math.log1p(excess) / k if k else mean

    def delta(self, epsilon: float) -> float:
        """The true delta at epsilon, both directions."""
        forward = math.fsum(-self.q * np.minimum(np.expm1(epsilon + self.loss), 0))
        backward = math.fsum(-self.p * np.minimum(np.expm1(epsilon - self.loss), 0))
        return max(forward, backward)

    def tests(self) -> list[tuple[float, float]]:
        """Type I and II errors of the deterministic likelihood ratio tests."""
        order = np.argsort(self.loss)
        cuts = range(1, len(order))
        return [(self.p[order[:i]].sum(), self.q[order[i:]].sum()) for i in cuts]
